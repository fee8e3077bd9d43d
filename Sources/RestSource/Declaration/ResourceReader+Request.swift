import SyncCore
import Yams

extension ResourceReader {
  /// Returns the body of POST requests; `nil` for GET.
  func body(_ placeholders: inout PlaceholderReader) throws(SyncError) -> RequestBody? {
    let method = try endpoint["method"]?.text("GET").uppercased() ?? "GET"
    guard method != "GET" else {
      guard let json = endpoint["json"] else { return nil }
      throw json.fault("is a body, which GET has not", hint: "write method: POST and idempotent: true")
    }
    try checkPOST(method)

    let body = try endpoint["json"]?.requestBody(&placeholders) ?? .object([:])
    guard case .object = body else {
      throw (endpoint["json"] ?? endpoint["method"] ?? part).fault(
        "must have members", hint: "write json: { query: \"{ items { id } }\" }")
    }
    return body
  }

  /// - Throws: `SyncError` if the method is not POST, or if the request can change something at the service.
  private func checkPOST(_ method: String) throws(SyncError) {
    let part = endpoint["method"] ?? part
    guard method == "POST" else {
      throw part.fault("is neither GET nor POST", hint: "declare only lists; syncctl changes nothing at a service")
    }
    guard try endpoint["idempotent"]?.flag() == true else {
      throw part.fault(
        "is POST",
        hint: "write idempotent: true if the request changes nothing at the service, so that it can be repeated")
    }
  }

  /// Returns the headers of `client`, of the defaults and of the resource. Later ones replace earlier ones of the same
  /// name, regardless of case.
  func headers() throws(SyncError) -> [String: DeclaredText] {
    var headers = client.headers
    let defaultEndpoint = defaults["endpoint"]
    let defaultHeaders = defaultEndpoint?.node.mapping?["headers"].flatMap { defaultEndpoint?.below(".headers", $0) }
    for part in [defaultHeaders, endpoint["headers"]].compactMap(\.self) where !part.isNull {
      for (name, text) in try client.endpointHeaders(part).sorted(by: { $0.key < $1.key }) {
        for other in headers.keys where other.lowercased() == name.lowercased() { headers[other] = nil }
        headers[name] = text
      }
    }
    return headers
  }
}
