import CoreMetrics
package import SyncCore
import Synchronization

/// The registry's families as what one counts with.
extension PrometheusRegistry {
  /// Creates a counter with value 0, because a rate does not see a counter that appears with 1.
  package func begin(_ family: MetricFamily, _ labels: [(String, String)]) {
    Counter(label: family.name, dimensions: labels, factory: self).increment(by: 0)
  }

  func count(_ family: MetricFamily, _ labels: [(String, String)], by amount: Int = 1) {
    guard amount > 0 else { return }
    Counter(label: family.name, dimensions: labels, factory: self).increment(by: amount)
  }

  func add(_ family: MetricFamily, _ labels: [(String, String)], _ amount: Double) {
    guard amount > 0 else { return }
    FloatingPointCounter(label: family.name, dimensions: labels, factory: self).increment(by: amount)
  }

  func time(_ family: MetricFamily, _ labels: [(String, String)], _ duration: Duration) {
    Timer(label: family.name, dimensions: labels, factory: self).recordNanoseconds(Int64(duration / .nanoseconds(1)))
  }

  package func set(_ family: MetricFamily, _ labels: [(String, String)] = [], to value: Double) {
    Meter(label: family.name, dimensions: labels, factory: self).set(value)
  }

  package func increment(_ family: MetricFamily, _ labels: [(String, String)] = []) {
    count(family, labels)
  }
}

/// Counts what runs report.
package final class RunMetrics: Sendable {
  private let registry: PrometheusRegistry
  /// What was counted of each active run, because runs report totals.
  private let counted = Mutex<[StreamID: RunCounters]>([:])

  package init(_ registry: PrometheusRegistry) { self.registry = registry }

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
      registry.count(.runs, labels + [("status", report.status.rawValue)])
      registry.count(.walBytes, labels, by: report.walBytes)
      registry.time(.runDuration, [labels[0]], report.duration)
    }
  }

  private func count(_ stream: StreamID, _ counters: RunCounters) {
    let before = counted.withLock { counted in
      defer { counted[stream] = counters }
      return counted[stream] ?? RunCounters()
    }
    func more(_ path: KeyPath<RunCounters, Int>) -> Int { counters[keyPath: path] - before[keyPath: path] }
    let labels = Self.labels(stream)
    registry.count(.pages, labels, by: more(\.pages))
    for (outcome, path) in Self.outcomes { registry.count(.rows, labels + [("outcome", outcome)], by: more(path)) }
    registry.count(.quarantined, labels, by: more(\.quarantined))
    registry.count(.vanished, labels, by: more(\.vanished))
    registry.count(.retries, [labels[0]], by: more(\.retries))
    registry.count(.permitsWaited, [labels[0]], by: more(\.permitsWaited))
    registry.add(.permitWait, [labels[0]], (counters.waited - before.waited) / .seconds(1))
  }

  private static let outcomes: [(String, any KeyPath<RunCounters, Int> & Sendable)] = [
    ("inserted", \.inserted), ("updated", \.updated), ("unchanged", \.unchanged), ("duplicate", \.duplicates),
  ]

  private static func labels(_ stream: StreamID) -> [(String, String)] {
    [("source", stream.source.rawValue), ("stream", stream.name)]
  }
}
