package import SyncCore
import SyncHTTP

/// A single request for a waiting user, outside of a run. It is not counted in the rate limits, because no mirror may
/// exist.
package enum Inquiry {
  package static func response(
    to request: UpstreamRequest, within deadline: Duration = Limits.inquiryDeadline
  ) async throws -> UpstreamResponse {
    try await HTTPTransport.with(userAgent: Version.userAgent, deadline: deadline) { transport in
      try await transport.fetch(request)
    }
  }
}
