import Foundation
import SyncCore

/// How far the run of one source is: the streams that it has read and reads, and its requests.
struct SourceProgress: Sendable {
  /// The end of a wait is shown as a time of day, because a duration would be wrong until the next redraw.
  struct Wait: Sendable {
    let until: Duration
    let text: String
    /// The expected end of the run, such as `ETA 04:51`; `nil` if it is not known, or a day away.
    let eta: String?

    var texts: [String] { [text] + [eta].compactMap(\.self) }
  }

  /// A number that is exact, or the least that is known.
  struct Bound: Sendable, Equatable {
    let value: Int
    let isLeast: Bool
  }

  let source: SourceID
  private(set) var plan: ProgressPlan?
  /// The streams that were begun and did not end. The last one is being read; those before it wait for the judgement
  /// of all streams together.
  private(set) var open: [StreamProgress] = []
  private(set) var finished: Set<String> = []
  /// The last wait. It stays until its end, because pages that were requested before it are committed during it.
  private(set) var wait: Wait?
  private var finishedRequests = 0
  private var finishedRows = 0
  private var forecast: RequestForecast
  private var rowSamples: RecentSamples<Int>

  init(_ source: SourceID, now: Duration) {
    self.source = source
    forecast = RequestForecast(now: now)
    rowSamples = RecentSamples(0, now: now)
  }

  /// The number of streams that the run reads; 1 without a plan.
  var streamCount: Int { max(1, plan?.streams.count ?? 0, finished.count) }
  var current: StreamProgress? { open.last }
  var requests: Int { finishedRequests + open.map(\.requests).reduce(0, +) }
  var rows: Int { finishedRows + open.map(\.rows).reduce(0, +) }

  mutating func begin(_ plan: ProgressPlan) {
    self.plan = plan
    forecast.limits = plan.limits
  }

  mutating func started(_ stream: String, resumedPages: Int, now: Duration) {
    open.removeAll { $0.name == stream }
    open.append(StreamProgress(name: stream, resumedPages: resumedPages, now: now))
  }

  /// Records the state of a stream after a page or a document.
  mutating func advance(_ stream: String, now: Duration, _ change: (inout StreamProgress) -> Void) {
    let place = open.firstIndex { $0.name == stream }
    if place == nil { started(stream, resumedPages: 0, now: now) }
    change(&open[place ?? open.count - 1])
    forecast.sent(requests, now: now)
    rowSamples.add(rows, now: now)
  }

  /// Records the end of a stream.
  /// - Returns: The progress at the end; `nil` if the stream was not begun.
  mutating func finish(_ stream: String, requests: Int, now: Duration) -> StreamProgress? {
    wait = nil
    let ended = open.first { $0.name == stream }
    open.removeAll { $0.name == stream }
    finishedRequests += max(requests, ended?.requests ?? 0)
    finishedRows += ended?.rows ?? 0
    if plan?.streams.contains(stream) ?? true { finished.insert(stream) }
    forecast.sent(self.requests, now: now)
    return ended
  }

  mutating func waits(for duration: Duration, until end: Date, text: String, now: Duration) {
    forecast.waits(for: duration, now: now)
    let left = remaining(now: now + duration).flatMap { $0.isLeast || $0.time >= .seconds(86_400) ? nil : $0.time }
    let eta = left.map { left in
      HumanFormat.clock(end + left / .seconds(1), hasSeconds: duration + left < .seconds(600))
    }
    wait = Wait(until: now + duration, text: text, eta: eta.map { "ETA \($0)" })
  }

  /// The number of requests of the whole run; `nil` if nothing is known of the streams that did not end.
  var totalRequests: Bound? {
    let begun = finished.union(open.map(\.name))
    let waiting = plan?.streams.filter { !begun.contains($0) } ?? []
    let left = open.map { $0.requestsLeft(known: plan?.requests[$0.name]) } + waiting.map { plan?.requests[$0] }
    let known = left.compactMap { $0.map { min($0, RunCost.mostRequests) } }.reduce(0, +)
    let isLeast = left.contains(nil)
    return isLeast && known == 0 ? nil : Bound(value: requests + known, isLeast: isLeast)
  }

  /// Returns the time until the last request is answered; `nil` if it is not known, or is 100 days or more.
  func remaining(now: Duration) -> (time: Duration, isLeast: Bool)? {
    guard let total = totalRequests, total.value > requests,
      let time = forecast.remaining(total.value - requests, now: now), time < .seconds(100 * 86_400)
    else { return nil }
    return (.seconds(Int((time / .seconds(1)).rounded(.up))), total.isLeast)
  }

  func rowRate(now: Duration) -> Double? {
    guard let oldest = rowSamples.kept.first else { return nil }
    let seconds = (now - oldest.time) / .seconds(1)
    let added = rows - oldest.value
    return seconds >= 0.2 && added >= 0 ? Double(added) / seconds : nil
  }

  /// The part that is done, from 0 to 1: of the requests, or of the streams if the number of requests is not known.
  var fraction: Double? {
    if let total = totalRequests, !total.isLeast, total.value > 0 { return Double(requests) / Double(total.value) }
    return streamCount > 1 ? Double(finished.count) / Double(streamCount) : nil
  }
}
