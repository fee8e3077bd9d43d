package import SyncCore
import Synchronization

/// Counts the events of runs in a registry. Events have the counters of a whole run, so the difference from the
/// stream's last event is added.
package final class RunMetrics: Sendable {
  private let registry: PrometheusRegistry
  private let counted = Mutex<[StreamID: RunCounters]>([:])

  /// Adds to the counters of this registry.
  package init(_ registry: PrometheusRegistry) { self.registry = registry }

  /// Counts an event. It is a `RunObserver`, so runs of several streams can call it at the same time.
  package func observe(_ event: RunEvent) {
    switch event {
    case .waitingForLease, .waiting: break
    case .opened(let stream, _, _):
      counted.withLock { $0[stream] = RunCounters() }
      for family in [MetricFamily.quarantined, .vanished] { registry.begin(family, Self.labels(stream)) }
    case .page(let stream, _, _, let counters), .documents(let stream, _, _, let counters):
      count(stream, counters)
    case .finished(let report):
      count(report.stream, report.counters)
      _ = counted.withLock { $0.removeValue(forKey: report.stream) }
      let labels = Self.labels(report.stream)
      registry.count(.runs, labels + [report.status.rawValue])
      registry.time(.runDuration, [labels[0]], report.duration)
    }
  }

  private func count(_ stream: StreamID, _ counters: RunCounters) {
    let before = counted.withLock { counted in
      defer { counted[stream] = counters }
      return counted[stream] ?? RunCounters()
    }
    func more(_ path: KeyPath<RunCounters, Int>) -> Double { Double(counters[keyPath: path] - before[keyPath: path]) }
    let labels = Self.labels(stream)
    registry.count(.pages, labels, by: more(\.pages))
    for (outcome, path) in Self.outcomes { registry.count(.rows, labels + [outcome], by: more(path)) }
    registry.count(.quarantined, labels, by: more(\.quarantined))
    registry.count(.vanished, labels, by: more(\.vanished))
    registry.count(.retries, [labels[0]], by: more(\.retries))
    registry.count(.permitsWaited, [labels[0]], by: more(\.permitsWaited))
    registry.count(.permitWait, [labels[0]], by: (counters.waited - before.waited) / .seconds(1))
  }

  private static let outcomes: [(String, any KeyPath<RunCounters, Int> & Sendable)] = [
    ("inserted", \.inserted), ("updated", \.updated), ("unchanged", \.unchanged), ("duplicate", \.duplicates),
  ]

  private static func labels(_ stream: StreamID) -> [String] { [stream.source.rawValue, stream.name] }
}
