import Foundation

struct StreamProgress: Sendable {
  private struct Sample: Sendable {
    var time: Duration
    var page: Int
    var rows: Int
  }

  /// The end of a wait is shown as a time of day, because a duration would be wrong until the next redraw.
  struct Wait: Sendable {
    let until: Duration
    let text: String
    fileprivate let doneAt: Date?

    var texts: [String] { [text] + (doneAt.map { ["ETA \(HumanFormat.clock($0))"] } ?? []) }
  }

  enum Unit: Sendable {
    case pages, documents
  }

  let name: String
  private(set) var unit = Unit.pages
  let startedAt: Duration
  let resumedPages: Int
  private(set) var page: Int
  private(set) var lastPage: Int?
  private(set) var rows: Int
  private(set) var wait: Wait?
  private var samples: [Sample]
  private static let window: Duration = .seconds(60)

  init(name: String, page: Int, rows: Int, now: Duration) {
    self.name = name
    startedAt = now
    resumedPages = page
    self.page = page
    self.rows = rows
    samples = [Sample(time: now, page: page, rows: rows)]
  }

  mutating func pageDone(page: Int, lastPage: Int?, rows: Int, now: Duration) {
    self.page = page
    self.lastPage = (lastPage ?? self.lastPage).flatMap { $0 < page ? nil : $0 }
    self.rows = rows
    wait = nil
    if let latest = samples.last, now - latest.time < .seconds(1) { return }
    samples.append(Sample(time: now, page: page, rows: rows))
    // Keeps one sample from before the window, so that the samples cover at least a minute.
    while samples.count > 2, now - samples[1].time >= Self.window { samples.removeFirst() }
  }

  mutating func documentsDone(_ fetched: Int, of count: Int, rows: Int, now: Duration) {
    if unit == .pages {
      unit = .documents
      samples = []
    }
    pageDone(page: fetched, lastPage: count, rows: rows, now: now)
  }

  mutating func waits(for duration: Duration, until end: Date, text: String, now: Duration) {
    let secondsLeft = remaining(now: now).flatMap { $0 < .seconds(86_400) ? $0 / .seconds(1) : nil }
    wait = Wait(until: now + duration, text: text, doneAt: secondsLeft.map { end + $0 })
  }

  func rowRate(now: Duration) -> Double? { rate(now: now) { Double(rows - $0.rows) } }

  func remaining(now: Duration) -> Duration? {
    guard let lastPage, lastPage > page, let pageRate = rate(now: now, { Double(page - $0.page) }), pageRate > 0
    else { return nil }
    let seconds = Double(lastPage - page) / pageRate
    // Estimates of 100 days or more are omitted. This also excludes infinite values, whose conversion to `Int` would
    // trap.
    return seconds < 100 * 86_400 ? .seconds(Int(seconds.rounded(.up))) : nil
  }

  var fraction: Double? {
    guard let lastPage, lastPage > 0 else { return nil }
    return Double(page) / Double(lastPage)
  }

  private func rate(now: Duration, _ progress: (Sample) -> Double) -> Double? {
    guard let oldest = samples.first else { return nil }
    let seconds = (now - oldest.time) / .seconds(1)
    let done = progress(oldest)
    return seconds >= 0.2 && done >= 0 ? done / seconds : nil
  }
}
