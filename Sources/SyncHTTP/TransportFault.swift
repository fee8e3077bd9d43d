import AsyncHTTPClient
import NIOCore
import NIOPosix
import SyncCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

enum TransportFault {
  static func explain(
    _ error: any Error, request: UpstreamRequest, deadline: Duration, bodyBytes: Int
  ) -> SyncError {
    let origin = request.url.originText
    let reachHint = "check that the service is up and the base URL is right (syncctl config)"
    switch error {
    case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout:
      return SyncError(
        .upstream, "\(request.url): no complete answer within \(deadline.components.seconds) s",
        hint: "the service is slow or hangs; run again later", disposition: .retry(after: nil))
    case let error as HTTPClientError where error == .connectTimeout:
      return SyncError(
        .upstream, "\(origin): no connection within \(Limits.connectDeadline.components.seconds) s", hint: reachHint,
        disposition: .retry(after: nil))
    case let error as HTTPClientError where Self.isAboutTheURL(error):
      return SyncError(
        .configuration, "\(request.url): not a URL for a request (\(error.shortDescription))",
        hint: "correct the base URL (syncctl config)")
    case BodyReader.Fault.tooLarge:
      return tooLarge(request, announced: nil, bodyBytes: bodyBytes)
    case BodyReader.Fault.coding(let coding):
      return SyncError(
        .upstream, "\(request.url): the answer is packed by \(Excerpt.of(coding)), and gzip alone was requested",
        hint: "check what is between this machine and the service; run again later", disposition: .retry(after: nil))
    case GzipMember.Fault.damaged:
      return SyncError(
        .upstream, "\(request.url): the answer broke off (its gzip data is damaged or incomplete)",
        hint: "run again later", disposition: .retry(after: nil))
    case let error as ResponseHeadFilter.UnusableStatus:
      return SyncError(
        .upstream, "\(request.url): the answer has the status \(error.code), which no answer may have",
        hint: "this is no HTTP service, or a broken one; check the base URL (syncctl config)",
        disposition: .retry(after: nil))
    case _ where Self.isAboutConnecting(error):
      return SyncError(
        .upstream, "\(origin): cannot connect (refused, or the name is not known)", hint: reachHint,
        disposition: .retry(after: nil))
    default:
      return unknown(error, request: request)
    }
  }

  /// TLS errors have several types that the client does not export, so they are recognized by name.
  private static func unknown(_ error: any Error, request: UpstreamRequest) -> SyncError {
    let type = String(reflecting: Swift.type(of: error))
    let text = Excerpt.of(String(describing: error))
    if type.contains("NIOSSL") {
      return SyncError(
        .upstream, "\(request.url.originText): TLS failed (\(text))",
        hint: "check the certificate of the service and this machine's CA roots and clock", disposition: .stopRun)
    }
    return SyncError(
      .upstream, "\(request.url): the answer broke off (\(text))", hint: "run again later",
      disposition: .retry(after: nil))
  }

  static func tooLarge(_ request: UpstreamRequest, announced: Int?, bodyBytes: Int) -> SyncError {
    let size = announced.map { "announces \($0) bytes" } ?? "is larger once decompressed"
    return SyncError(
      .upstream, "\(request.url): the answer \(size), more than the limit of \(bodyBytes)",
      hint: "this is no page of the API; check the base URL (syncctl config)")
  }

  /// A numeric address fails with the bare error of the system call, a name with NIO's own.
  private static func isAboutConnecting(_ error: any Error) -> Bool {
    guard let error = error as? IOError else { return error is NIOConnectionError }
    return [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL].contains(error.errnoCode)
  }

  private static func isAboutTheURL(_ error: HTTPClientError) -> Bool {
    [.invalidURL, .emptyHost, .emptyScheme].contains(error) || "\(error)".contains("unsupportedScheme")
  }
}

extension String {
  /// Scheme, host and port of a URL: enough to say who did not answer.
  fileprivate var originText: String {
    let parts = split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count >= 3 ? "\(parts[0])//\(parts[2])" : self
  }
}
