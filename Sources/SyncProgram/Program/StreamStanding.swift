import SyncCore
import SyncPostgres

/// How a stream is doing: the one rule of `status`, `health` and `doctor`.
struct StreamStanding: Sendable, Equatable {
  enum State: String, Sendable, CaseIterable {
    /// A guard stopped the last run, so a user has to look.
    case held
    case failed
    /// The stream is late or failed, and its service permits no request yet.
    case paused
    case late
    case onTime = "on time"
  }

  let name: StreamName
  let state: State
  /// Nil for a stream that is on time.
  let reason: String?
  /// The command that helps.
  let action: String?
  /// As in `Promises.Stream`.
  let staleAt: Double?

  var isOnTime: Bool { state == .onTime }
  /// The state in words; nil if nothing is promised of the stream, and nothing is wrong.
  var word: String? { isOnTime && staleAt == .infinity ? nil : state.rawValue }

  /// - Parameters:
  ///   - latest: nil for a stream that no run keeps fresh, too.
  ///   - jobError: why the latest try of its job did not end well.
  ///   - pausedUntil: the end of its service's pause; as `now` in seconds since 1970.
  init(
    _ stream: Promises.Stream, latest: MirrorFigures.EndedRun?, jobError: String? = nil, pausedUntil: Double? = nil,
    now: Double
  ) {
    (name, staleAt) = (stream.name, stream.staleAt)
    let run = latest.map { String($0.id.prefix(8)) } ?? ""
    let command = "syncctl run --source \(name.source) --stream \(NextPage.quoted(name.name))"
    let lateness = Self.lateness(staleAt, now: now)
    let cause = (latest?.error).map { Self.cause($0, of: stream.name) }
    if let latest, latest.isHeld {
      (state, reason) = (.held, cause)
      action = latest.isConfirmable ? "\(command) --confirm-vanish \(run)" : "syncctl runs show \(run) --quarantine"
    } else if lateness == nil, latest?.status != .failed {
      (state, reason, action) = (.onTime, nil, nil)
    } else if let pausedUntil {
      let end = HumanFormat.clock(pausedUntil, now: now)
      (state, reason, action) = (.paused, "throttled until \(end)", "syncctl limits")
    } else if latest?.status == .failed {
      (state, reason, action) = (.failed, cause, "syncctl runs show \(run)")
    } else {
      state = .late
      reason = [lateness, jobError.map { Self.cause($0, of: stream.name) }].compactMap(\.self).joined(separator: ": ")
      action = command
    }
  }

  private static func lateness(_ staleAt: Double?, now: Double) -> String? {
    guard let staleAt else { return "never complete" }
    guard staleAt < now else { return nil }
    return "late \(HumanFormat.span(UInt64(Duration(clamping: now - staleAt).components.seconds)))"
  }

  /// The first clause of an error, without the stream that it begins with.
  private static func cause(_ error: String, of name: StreamName) -> String {
    let rest = error.trimmingPrefix("\(name.source)/\(name.name): ")
    return String(rest.firstRange(of: "; ").map { rest[..<$0.lowerBound] } ?? rest)
  }
}

// MARK: - Causes

extension StreamStanding {
  /// A line for each cause: a service that is down is one. Each held stream has its own, because it needs a command of
  /// its own.
  static func attention(_ standings: [StreamStanding]) -> [AttentionLine] {
    var groups: [[StreamStanding]] = []
    for standing in standings where !standing.isOnTime {
      if let place = groups.firstIndex(where: { $0[0].cause == standing.cause }) {
        groups[place].append(standing)
      } else {
        groups.append([standing])
      }
    }
    return State.allCases.flatMap { state in groups.filter { $0[0].state == state } }.map(line)
  }

  private var cause: [String] {
    let detail =
      switch state {
      case .held: name.name
      case .failed, .paused: reason?.withoutPaths ?? ""
      case .late, .onTime: staleAt == nil ? "never" : ""
      }
    return [name.source, state.rawValue, detail]
  }

  private static func line(_ group: [StreamStanding]) -> AttentionLine {
    guard group.count > 1, let worst = group.min(by: { $0.staleAt ?? 0 < $1.staleAt ?? 0 }) else {
      return group[0].line
    }
    let source = worst.name.source
    let action =
      switch worst.state {
      case .failed, .held, .onTime: "syncctl status --source \(source) --failed"
      case .paused: "syncctl limits"
      case .late: "syncctl run --source \(source)"
      }
    return AttentionLine(
      source, "\(HumanFormat.count(group.count)) streams \(worst.words)", action: action, code: worst.code,
      isGrave: worst.isGrave)
  }

  var line: AttentionLine {
    AttentionLine("\(name.source)/\(name.name)", words, action: action, code: code, isGrave: isGrave)
  }

  private var words: String {
    guard let reason, !reason.hasPrefix(state.rawValue) else { return reason ?? state.rawValue }
    return "\(state.rawValue): \(reason)"
  }

  private var code: SyncError.Code {
    switch state {
    case .held: .guarded
    case .paused: .tryLater
    case .failed, .late, .onTime: .missing
    }
  }

  private var isGrave: Bool { state == .held || state == .failed }
}

extension String {
  /// The text with URLs cut down to their servers, so that errors of one cause are equal.
  var withoutPaths: String { replacing(#/(https?:\/\/[^\/\s]+)\S*/#) { String($0.output.1) } }
}

// MARK: - The mirror

/// The standings of the streams with what they are judged by.
struct MirrorState: Sendable {
  let figures: MirrorFigures
  private(set) var standings: [StreamStanding] = []
  /// Since when no worker has been at work, in words; nil if one is, or no job needs one.
  let workerAbsence: String?

  private let known: [StreamName: MirrorFigures.Stream]
  private let jobErrors: [String: String]
  private let pauses: [String: Double]
  private let configuration: Configuration

  static func read(_ database: Database, _ configuration: Configuration) async throws -> MirrorState {
    MirrorState(
      configuration, try await MirrorFigures.read(database), pauses: try await RequestLimits.pauses(in: database),
      workerAbsence: try await configuration.jobs.isEmpty ? nil : workerAbsence(in: database))
  }

  // MERGE: replace the body by `try await Workers.absence(in: database)`.
  private static func workerAbsence(in database: Database) async throws -> String? { nil }

  private init(
    _ configuration: Configuration, _ figures: MirrorFigures, pauses: [String: Double], workerAbsence: String?
  ) {
    (self.configuration, self.figures, self.pauses, self.workerAbsence) = (
      configuration, figures, pauses, workerAbsence
    )
    known = Dictionary(
      figures.streams.map { (StreamName(source: $0.source, name: $0.name), $0) },
      uniquingKeysWith: { first, _ in first })
    jobErrors = Dictionary(
      figures.jobs.compactMap { job in job.error.map { (job.name, $0) } }, uniquingKeysWith: { first, _ in first })
    let promised = Promises(configuration, figures).streams
    let others = Set(known.keys).subtracting(promised.map(\.name)).map {
      Promises.Stream(name: $0, job: nil, wholeAt: nil, staleAt: .infinity)
    }
    let all = (promised + others).sorted { ($0.name.source, $0.name.name) < ($1.name.source, $1.name.name) }
    standings = all.map(standing)
  }

  func standing(_ stream: Promises.Stream) -> StreamStanding {
    let stored = known[stream.name]
    return StreamStanding(
      stream, latest: configuration.isOneOff(stream.name) ? nil : stored?.latest,
      jobError: stream.job.flatMap { jobErrors[$0] },
      pausedUntil: stored.flatMap { pauses[Origin.server(of: $0.origin)] },
      now: figures.now)
  }

  /// What is wrong with the mirror, the worst first.
  func attention(_ standings: [StreamStanding]) -> [AttentionLine] {
    let worker = workerAbsence.map { AttentionLine("worker", $0, action: "syncctl schedule", isGrave: true) }
    return [worker].compactMap(\.self) + StreamStanding.attention(standings)
  }
}

extension Configuration {
  /// Whether a stream was fetched by a question, and no run keeps it fresh.
  func isOneOff(_ stream: StreamName) -> Bool {
    sources.contains { type(of: $0).name == stream.source && !$0.keepsStream(stream.name) }
  }
}
