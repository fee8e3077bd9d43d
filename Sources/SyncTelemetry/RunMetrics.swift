package import SyncCore
import Synchronization

/// Counts the events of runs in a registry. Events have the counters of a whole run, so the difference from the
/// stream's last event is added.
package final class RunMetrics: Sendable {
  private let registry: PrometheusRegistry
  private let counted = Mutex<[StreamID: RunCounters]>([:])

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

/// Counts and times the requests of a transport by origin. A cancelled request is not counted.
package struct MeteredTransport: Transport {
  private let transport: any Transport
  private let registry: PrometheusRegistry
  private let clock: any SyncClock

  package init(_ transport: any Transport, _ registry: PrometheusRegistry, clock: any SyncClock) {
    self.transport = transport
    self.registry = registry
    self.clock = clock
  }

  /// Prepares the inner transport. The preparation is not measured.
  package func prepare() async throws { try await transport.prepare() }

  /// Fetches with the inner transport, and counts the response by its status, or an error as `error`. Only responses
  /// are timed.
  package func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    let origin = Self.origin(of: request.url)
    let start = clock.now()
    do {
      let response = try await transport.fetch(request)
      registry.count(.requests, [origin, "\(response.status)"])
      registry.time(.requestDuration, [origin], clock.now() - start)
      registry.count(.responseBytes, [origin], by: Double(response.body.count))
      return response
    } catch {
      if !(error is CancellationError) { registry.count(.requests, [origin, "error"]) }
      throw error
    }
  }

  /// Returns scheme, host and port of an address, as a label. Addresses are configured and redirects are off, so the
  /// label has few values.
  static func origin(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return "" }
    let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return String(url[..<end])
  }
}
