import SyncCore

/// The progress of all sources of a run, and what of it is printed when. It has no clock: `now` is the time since any
/// fixed moment.
struct ProgressState: Sendable {
  enum Mode: Sendable {
    case bars
    case lines
  }

  enum Action: Sendable, Equatable {
    case line(String)
    case redraw
  }

  private struct Entry: Sendable {
    var progress: SourceProgress
    var said: (time: Duration, fraction: Double)?
    var saidWait: Duration?
  }

  let mode: Mode
  /// Whether the lines of ended streams contain the source.
  private let namesSources: Bool
  private var entries: [Entry] = []
  private var drawnAt: Duration?

  private static let redrawInterval: Duration = .milliseconds(100)
  private static let lineInterval: Duration = .seconds(10)
  private static let lineFraction = 0.1
  private static let maximumBars = 12

  init(mode: Mode, namesSources: Bool) {
    self.mode = mode
    self.namesSources = namesSources
  }

  mutating func begin(_ plan: ProgressPlan, now: Duration) { entries[index(of: plan.source, now)].progress.begin(plan) }

  /// Removes the bar of a source whose run has ended.
  mutating func end(_ source: SourceID) { entries.removeAll { $0.progress.source == source } }

  mutating func handle(_ event: ProgressEvent, now: Duration) -> [Action] {
    let index = index(of: event.source, now)
    switch event.step {
    case .started(let page):
      entries[index].progress.started(event.stream, resumedPages: page, now: now)
      return redraw(now)
    case .pageDone(let page, let lastPage, let rows, let requests):
      let maxPages = entries[index].progress.plan?.maxPages
      entries[index].progress.advance(event.stream, now: now) {
        $0.pageDone(page, of: lastPage, maxPages: maxPages, rows: rows, requests: requests)
      }
      return mode == .bars ? redraw(now) : pageLine(index, now)
    case .documentsDone(let fetched, let count, let rows, let requests):
      entries[index].progress.advance(event.stream, now: now) {
        $0.documentsDone(fetched, of: count, rows: rows, requests: requests)
      }
      return mode == .bars ? redraw(now) : pageLine(index, now)
    case .waiting(let duration, let end, let text):
      if duration < Limits.shortestReportedWait { return [] }
      entries[index].progress.waits(for: duration, until: end, text: text, now: now)
      guard mode == .bars else { return waitLine(index, duration, now) }
      // No event occurs during a wait, so the wait must be drawn now.
      drawnAt = now
      return [.redraw]
    case .finished(let status, let pages, let requests):
      let ended = entries[index].progress.finish(event.stream, requests: requests, now: now)
      drawnAt = now
      let name = namesSources ? "\(event.source.rawValue)/\(event.stream)" : event.stream
      let line = Action.line(ProgressText.summary(ended, name: name, status: status, pages: pages, now: now))
      return mode == .bars ? [.redraw, line] : [line]
    }
  }

  func block(size: TerminalSize, now: Duration) -> [String] {
    // One row stays free, because a drawing of full height would scroll the screen.
    let room = max(1, min(Self.maximumBars, size.rows - 1))
    let shown = entries.count <= room ? entries.count : room - 1
    let nameWidth = entries.prefix(shown).map { TerminalText.displayWidth($0.progress.source.rawValue) }.max()
    var lines = entries.prefix(shown).map { entry in
      ProgressText.bar(entry.progress, nameWidth: nameWidth ?? 0, columns: size.columns - 1, now: now)
    }
    if shown < entries.count { lines.append("\(TerminalText.ellipsis) and \(entries.count - shown) more") }
    return lines
  }

  private mutating func index(of source: SourceID, _ now: Duration) -> Int {
    if let index = entries.firstIndex(where: { $0.progress.source == source }) { return index }
    entries.append(Entry(progress: SourceProgress(source, now: now)))
    return entries.count - 1
  }

  private mutating func redraw(_ now: Duration) -> [Action] {
    guard mode == .bars else { return [] }
    if let drawnAt, now - drawnAt < Self.redrawInterval { return [] }
    drawnAt = now
    return [.redraw]
  }

  private mutating func pageLine(_ index: Int, _ now: Duration) -> [Action] {
    let progress = entries[index].progress
    let fraction = progress.fraction ?? 0
    if let said = entries[index].said {
      let elapsed = now - said.time
      let isDue = elapsed >= Self.lineInterval
      let isFarther = fraction - said.fraction >= Self.lineFraction - 1e-9 && elapsed >= .seconds(1)
      if !isDue && !isFarther { return [] }
    }
    entries[index].said = (now, fraction)
    return [.line(ProgressText.line(progress, now: now))]
  }

  private mutating func waitLine(_ index: Int, _ duration: Duration, _ now: Duration) -> [Action] {
    if duration < Self.lineInterval, let said = entries[index].saidWait, now - said < Self.lineInterval { return [] }
    entries[index].saidWait = now
    return [.line(ProgressText.line(entries[index].progress, now: now))]
  }
}
