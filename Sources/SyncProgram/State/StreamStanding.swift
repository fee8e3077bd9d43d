import Foundation
import SyncCore
import SyncPostgres

struct StreamStanding: Sendable {
  enum StreamCondition: String, Sendable, CaseIterable {
    /// A guard stopped the last run, so a user must decide.
    case held
    case failed
    /// The stream is late or failed because its service accepts no requests yet.
    case paused
    case late
    case onTime = "on time"
  }

  let stream: StreamDeadlines.Stream
  let condition: StreamCondition
  private(set) var reason: String?
  let action: String?
  private let pause: String?

  var name: StreamName { stream.name }
  var isOnTime: Bool { condition == .onTime }
  var word: String? { isOnTime && stream.staleAt == .infinity ? nil : condition.rawValue }

  /// The standing without `reason`, because an error can name the database and its user.
  var withoutReason: StreamStanding {
    var copy = self
    copy.reason = nil
    return copy
  }

  init(_ stream: StreamDeadlines.Stream, now: Double) {
    self.stream = stream
    pause = stream.pausedUntil.map { Self.throttled(until: $0, now: now) }
    let (name, last) = (stream.name, stream.stored?.lastRun)
    let run = last.map { String($0.id.prefix(8)) } ?? ""
    let option = name.name == StoredIndex.stream ? "" : " --stream \(name.name.shellWord)"
    let command = "syncctl run --source \(name.source)\(option)"
    let isFailed = last.map { $0.status == .failed || $0.status == .partial && $0.error != nil } ?? false
    let error = isFailed ? last?.error ?? "" : ""
    let isStopped = error.contains(SyncError.resumesThen)
    let isThrottled = error.contains(#/throttl|answered 429/#)
    let cause = (last?.error).map { Self.cause($0, of: name) }
    if let last, last.isHeld {
      condition = .held
      reason = cause
      // A lost column gets no `syncctl confirm`. The service has probably renamed the member, and the confirmation
      // would erase the column's values.
      let isLost = last.error.map(LostColumns.areReported) ?? false
      let look = "syncctl runs show \(run)" + (isLost ? "" : " --quarantine")
      action = last.isConfirmable && !isLost ? "syncctl confirm \(run)" : look
    } else if !stream.isStale(at: now), !isFailed {
      condition = .onTime
      reason = nil
      action = nil
    } else if isFailed, pause == nil || !isStopped && !isThrottled {
      condition = .failed
      reason = isStopped && isThrottled ? Self.pauseIsOver : cause
      action = isStopped ? command : "syncctl runs show \(run)"
    } else if let pause {
      condition = .paused
      reason = pause
      action = Self.pauseAction
    } else {
      let lateness = stream.staleAt.map { HumanFormat.span(Duration(clamping: now - $0).components.seconds) }
      // A job can have several sources. If the job's error is a pause, the pause has ended or belongs to another
      // source.
      let jobError = stream.jobError.flatMap { $0.contains(SyncError.resumesThen) ? nil : $0 }
      let job = jobError.map { ": \(Self.cause($0, of: name))" } ?? ""
      (condition, reason, action) = (.late, (lateness.map { "late \($0)" } ?? "never complete") + job, command)
    }
  }

  private static let pauseIsOver = "throttled; the pause has ended"
  private static let pauseAction = "syncctl limits"

  private static func throttled(until end: Double, now: Double) -> String {
    let times = [end, now].map { Date(timeIntervalSince1970: $0) }
    return "throttled until \(HumanFormat.clock(times[0], now: times[1]))"
  }

  private static func pauses(_ standings: [StreamStanding]) -> [AttentionLine] {
    standings.gathered(by: \.name.source).compactMap { same in
      let last = same.max { $0.stream.pausedUntil ?? 0 < $1.stream.pausedUntil ?? 0 }
      guard let last, let pause = last.pause else { return nil }
      return AttentionLine(
        subject: last.name.source, text: "paused: \(pause)", action: pauseAction, code: .tryLater, isGrave: false)
    }
  }

  private static func cause(_ error: String, of name: StreamName) -> String {
    let rest = error.trimmingPrefix("\(name.source)/\(name.name): ")
    return String(rest.firstRange(of: "; ").map { rest[..<$0.lowerBound] } ?? rest)
  }

  /// Returns one line for each cause, the worst first. Each held stream has its own line, because each needs a
  /// different command. A paused service has one line even if all its streams are on time.
  static func attention(_ standings: [StreamStanding]) -> [AttentionLine] {
    StreamCondition.allCases.flatMap { condition -> [AttentionLine] in
      switch condition {
      case .onTime: []
      case .paused: pauses(standings)
      case .held, .failed, .late: causes(standings.filter { $0.condition == condition })
      }
    }
  }

  private static func causes(_ wrong: [StreamStanding]) -> [AttentionLine] {
    let causes = wrong.gathered { standing -> [String] in
      let detail =
        switch standing.condition {
        case .held: standing.name.name
        case .late: standing.stream.staleAt == nil ? "never complete" : ""
        default: standing.reason?.withoutPaths ?? ""
        }
      return [standing.name.source, standing.condition.rawValue, detail]
    }
    return causes.map { same in
      let worst = same.min { $0.stream.staleAt ?? 0 < $1.stream.staleAt ?? 0 } ?? same[0]
      guard same.count > 1 else { return worst.line }
      let source = worst.name.source
      return AttentionLine(
        subject: source, text: "\(HumanFormat.count(same.count)) streams \(worst.words)",
        action: worst.condition == .late || worst.reason == pauseIsOver
          ? "syncctl run --source \(source)"
          : worst.condition == .failed ? "syncctl status --source \(source) --failed" : worst.action,
        code: worst.line.code, isGrave: worst.line.isGrave, streams: same.count, job: worst.stream.job)
    }
  }

  static func summary(_ standings: [StreamStanding], hasJobs: Bool, hasWorker: Bool = true) -> String {
    let (count, all) = (standings.count { !$0.isOnTime }, HumanFormat.counted(standings.count, "stream"))
    if count > 0 {
      return "\(HumanFormat.count(count)) of \(all) \(count == 1 ? "needs" : "need") attention"
        + (hasWorker ? "" : ", and no worker runs")
    }
    guard hasJobs else { return "\(all), none failed; without jobs, none can be late (syncctl init)" }
    let scheduled = standings.count { $0.word != nil }
    let others = standings.count - scheduled
    return (hasWorker ? "" : "no worker, ") + HumanFormat.counted(scheduled, "stream") + " on time"
      + (others > 0 ? ", \(HumanFormat.count(others)) without a job" : "")
  }

  var line: AttentionLine {
    let isSource = name.name == StoredIndex.stream && stream.stored == nil
    return AttentionLine(
      subject: isSource ? name.source : "\(name.source)/\(name.name)", text: words, action: action,
      code: condition == .held ? .guarded : condition == .paused ? .tryLater : .missing,
      isGrave: condition == .held || condition == .failed, job: stream.job)
  }

  private var words: String {
    guard let reason, !reason.hasPrefix(condition.rawValue) else { return reason ?? condition.rawValue }
    return "\(condition.rawValue): \(reason)"
  }
}

extension String {
  var withoutPaths: String { replacing(#/(https?:\/\/[^\/\s]+)\S*/#) { String($0.output.1) } }
}
