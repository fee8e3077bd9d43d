package import SyncCore

/// Counts and times the requests of a transport by origin. A cancelled request is not counted.
package struct MeteredTransport: Transport {
  private let transport: any Transport
  private let registry: PrometheusRegistry
  private let clock: any SyncClock

  /// Wraps a transport. `clock` measures the time of its requests.
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
