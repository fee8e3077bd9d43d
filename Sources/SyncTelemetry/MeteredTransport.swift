package import SyncCore

/// Counts requests to upstreams, by origin and status.
package struct MeteredTransport: Transport {
  private let transport: any Transport
  private let registry: PrometheusRegistry
  private let clock: any SyncClock

  package init(_ transport: any Transport, _ registry: PrometheusRegistry, clock: any SyncClock) {
    self.transport = transport
    self.registry = registry
    self.clock = clock
  }

  package func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    let origin = Self.origin(of: request.url)
    let start = clock.now()
    do {
      let response = try await transport.fetch(request)
      registry.count(.requests, [origin, "\(response.status)"])
      registry.time(.requestDuration, [origin], clock.now() - start)
      registry.count(.responseBytes, [origin], by: Double(response.body.count))
      return response
    } catch is CancellationError {
      // Nobody waited for the answer: it says nothing of the upstream.
      throw CancellationError()
    } catch {
      registry.count(.requests, [origin, "error"])
      throw error
    }
  }

  /// Scheme, host and port. They are the configuration's: no redirect is followed.
  static func origin(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return "" }
    let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return String(url[..<end])
  }
}
