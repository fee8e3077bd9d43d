import SyncCore
import SyncPostgres

struct RunCost: Sendable, Equatable {
  let source: String
  let requests: Int
  let isLeast: Bool
  let duration: Duration
  private static let mostRequests = 10_000_000

  init(of source: String, streams: [String], known: [String: Int], limits: [[RateWindow]]) {
    let requests = known.values.reduce(0) { min($0 + min($1, Self.mostRequests), Self.mostRequests) }
    self.source = source
    self.requests = requests
    isLeast = known.count < Set(streams).count
    duration = limits.map { Self.time(for: requests, within: $0) }.max() ?? .zero
  }

  /// For example, `NAME 82 requests, about 2 min · NAME 15,500, about 52 min`.
  static func line(_ costs: [RunCost]) -> String? {
    let long = costs.filter { $0.duration >= Limits.toldRunTime }
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

extension Runner {
  func announceCosts(_ chosen: [(source: any Source, selection: StreamSelection)], in database: Database) async {
    await announceCosts(
      of: chosen.compactMap { source, selection in
        guard let streams = source.defaultStreams else { return nil }
        return if case .named(let names) = selection { (source, names) } else { (source, streams) }
      }, in: database)
  }

  func announceCosts(of chosen: [(source: any Source, streams: [String])], in database: Database) async {
    guard maxPages == nil else { return }
    let resumed = isFull ? .zero : configuration.runs.resumeWithin.value
    var costs: [RunCost] = []
    for (source, streams) in chosen {
      let id = source.id
      guard let known = try? await Runs.costs(of: streams, of: id, resumedWithin: resumed, in: database), !known.isEmpty
      else { continue }
      costs.append(RunCost(of: id.rawValue, streams: streams, known: known, limits: source.services.map(\.limits)))
    }
    if let line = RunCost.line(costs) { reporter.announcer.note(line) }
  }
}
