import SyncCore
import SyncPostgres

struct RunCost: Sendable, Equatable {
  let source: String
  let requests: Int
  let isLeast: Bool
  let duration: Duration
  static let mostRequests = 10_000_000

  init(of source: String, streams: [String], known: [String: Int], limits: [[RateWindow]]) {
    let requests = known.values.reduce(0) { min($0 + min($1, Self.mostRequests), Self.mostRequests) }
    self.source = source
    self.requests = requests
    isLeast = known.count < Set(streams).count
    duration = limits.map { Self.time(for: requests, within: $0) }.max() ?? .zero
  }

  /// For example, `NAME 82 requests, about 2 min · NAME 15,500, about 52 min`.
  static func line(_ costs: [RunCost]) -> String? {
    let long = costs.filter { $0.duration >= Limits.shortestReportedRunTime }
    let parts = long.enumerated().map { place, cost in
      let count = place == 0 ? HumanFormat.counted(cost.requests, "request") : HumanFormat.count(cost.requests)
      return "\(cost.source) \(cost.isLeast ? "at least " : "")\(count), about \(HumanFormat.estimate(cost.duration))"
    }
    return parts.isEmpty ? nil : parts.joined(separator: Glyphs.shown(" · "))
  }

  static func time(for requests: Int, within windows: [RateWindow]) -> Duration {
    var windows = windows
    guard requests > 0, let longest = windows.indices.max(by: { windows[$0].interval < windows[$1].interval }) else {
      return .zero
    }
    let window = windows.remove(at: longest)
    let (rounds, rest) = (requests - 1).quotientAndRemainder(dividingBy: window.requests)
    return max(window.interval * rounds + time(for: rest + 1, within: windows), time(for: requests, within: windows))
  }
}

extension RunCost {
  /// Announces the costs of the streams that need long, and begins the progress of their sources. Announces nothing in
  /// a run with a limit of pages.
  /// - Parameter chosen: The streams of each source, with the limits of the source's services.
  static func announce(
    of chosen: [(source: SourceID, streams: [String], limits: [[RateWindow]])], _ settings: RunSettings,
    in database: Database, to reporter: RunReporter
  ) async {
    let resumed = settings.isFull ? .zero : settings.resumeWithin
    var costs: [RunCost] = []
    for (id, streams, limits) in chosen {
      // A run with a limit of pages costs less than the last complete walks.
      let known =
        settings.maxPages == nil
        ? (try? await Runs.costs(of: streams, of: id, resumedWithin: resumed, in: database)) ?? [:] : [:]
      reporter.progress?.begin(
        ProgressPlan(
          source: id, streams: streams, requests: known, limits: limits, maxPages: settings.maxPages))
      if known.isEmpty { continue }
      costs.append(RunCost(of: id.rawValue, streams: streams, known: known, limits: limits))
    }
    if let line = RunCost.line(costs) { reporter.announcer.note(line) }
  }
}

extension Runner {
  /// Announces the costs of the sources whose streams are known before the run.
  func announceCosts(of chosen: [(source: any Source, selection: StreamSelection)], in database: Database) async {
    let known = chosen.compactMap {
      source, selection -> (source: SourceID, streams: [String], limits: [[RateWindow]])? in
      guard var streams = source.defaultStreams else { return nil }
      if case .named(let names) = selection { streams = names }
      return (source.id, streams, source.services.map(\.limits))
    }
    await RunCost.announce(of: known, settings, in: database, to: reporter)
  }
}
