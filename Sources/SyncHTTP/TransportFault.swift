import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import SyncCore

/// Translates the errors of the HTTP client for the user. The messages can contain secrets of the request, so the
/// caller hides them.
enum TransportFault {
  /// Returns the error for the user. Its disposition says whether a retry can help.
  /// - Parameter proxy: The proxy that the request was sent through. `nil` for a direct request.
  static func explain(
    _ error: any Error, request: UpstreamRequest, proxy: ProxySettings.Server?, deadline: Duration, bodyBytes: Int
  ) -> SyncError {
    let url = request.url
    let origin = proxy.map { "\(request.url.originText) through \($0.displayText)" } ?? request.url.originText
    let reachHint =
      proxy.map { "check that the proxy is up, or exclude the host with NO_PROXY (\($0.variable) names the proxy)" }
      ?? "check that the service is up and the base URL is right (syncctl config)"

    func passing(_ message: String, hint: String = "run again later") -> SyncError {
      SyncError(.upstream, message, hint: hint, disposition: .retry(after: nil))
    }

    switch error {
    case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout:
      return passing(
        "\(url): no complete answer within \(deadline.components.seconds) s",
        hint: "the service is slow or hangs; run again later")
    case let error as HTTPClientError where error == .connectTimeout:
      return passing("\(origin): no connection within \(Limits.connectDeadline.components.seconds) s", hint: reachHint)
    case let error as HTTPClientError where error == .proxyAuthenticationRequired:
      return SyncError(
        .permission, "\(origin): the proxy demands a user and a password (status 407)",
        hint: "correct them in \(proxy?.variable ?? "HTTPS_PROXY"), as http://USER:PASSWORD@HOST:PORT",
        disposition: .stopRun)
    case let error as HTTPClientError where error == .invalidProxyResponse:
      return passing(
        "\(origin): the proxy refused to connect",
        hint: "check the user and the password in \(proxy?.variable ?? "HTTPS_PROXY"), and whether the proxy permits "
          + "CONNECT to this host and port")
    case let error as HTTPClientError where error == .httpProxyHandshakeTimeout:
      return passing("\(origin): the proxy did not answer", hint: reachHint)
    case let error as HTTPClientError where Self.isAboutTheURL(error):
      return SyncError(
        .configuration, "\(url): not a URL for a request (\(error.shortDescription))",
        hint: "correct the base URL (syncctl config)")
    case BodyReader.Fault.tooLarge:
      return tooLarge(request, announced: nil, bodyBytes: bodyBytes)
    case BodyReader.Fault.coding(let coding):
      return passing(
        "\(url): the answer is compressed with \(Excerpt.of(coding)), but only gzip was requested",
        hint: "check the proxies between this machine and the service; run again later")
    case GzipMember.Fault.damaged:
      return passing("\(url): the answer broke off (its gzip data is damaged or incomplete)")
    case let error as ResponseHeadFilter.UnusableStatus:
      return passing(
        "\(url): the answer has the invalid status \(error.code)",
        hint: "this is not an HTTP service, or it is broken; check the base URL (syncctl config)")
    case _ where Self.isAboutConnecting(error):
      return passing("\(origin): cannot connect (connection refused, or unknown host name)", hint: reachHint)
    default:
      let text = Excerpt.of(String(describing: error))
      // The client's TLS errors have no public type, so the name of the type is searched.
      guard String(reflecting: Swift.type(of: error)).contains("NIOSSL") else {
        return passing("\(url): the answer broke off (\(text))")
      }
      return SyncError(
        .upstream, "\(origin): TLS failed (\(text))",
        hint: "check the certificate of the service and this machine's CA roots and clock", disposition: .stopRun)
    }
  }

  static func notAnAddress(_ request: UpstreamRequest, _ fault: HTTPAddress.Fault) -> SyncError {
    SyncError(
      .configuration, "\(Excerpt.of(request.url)): not a URL for a request, because \(fault)",
      hint: "correct the base URL (syncctl config)")
  }

  static func tooLarge(_ request: UpstreamRequest, announced: Int?, bodyBytes: Int) -> SyncError {
    let size = announced.map { "announces \($0) bytes" } ?? "is larger once decompressed"
    return SyncError(
      .upstream, "\(request.url): the answer \(size), more than the limit of \(bodyBytes)",
      hint: "this is not a page of the API; check the base URL (syncctl config)")
  }

  /// For a numeric address, a failed connection is an `IOError`. For a host name, it is an NIO error.
  private static func isAboutConnecting(_ error: any Error) -> Bool {
    guard let error = error as? IOError else { return error is NIOConnectionError }
    return [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL].contains(error.errnoCode)
  }

  private static func isAboutTheURL(_ error: HTTPClientError) -> Bool {
    [.invalidURL, .emptyHost, .emptyScheme].contains(error) || "\(error)".contains("unsupportedScheme")
  }
}

extension String {
  fileprivate var originText: String {
    let parts = split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count >= 3 ? "\(parts[0])//\(parts[2])" : self
  }
}
