import SyncTestKit

struct RawAnswer: Sendable {
  var bytes: [UInt8]
  /// The `errno` that ended reading; nil if the server closed in order.
  var error: CInt?

  var head: String {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.firstRange(of: "\r\n\r\n").map { String(text[..<$0.upperBound]) } ?? text
  }

  var body: [UInt8] { Array(bytes.dropFirst(head.utf8.count)) }

  func header(_ name: String) -> String? {
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
    return line.map { String($0.dropFirst(name.count + 2)) }
  }

  /// Sends one request and reads until the server closes, or until `enough` bytes have arrived.
  static func of(
    port: Int, _ target: String = "/v1/top/anime?page=1", headers: [String] = [], enough: Int = .max
  ) async throws -> RawAnswer {
    let request = (["GET \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers + ["", ""]).joined(separator: "\r\n")
    let answer = await offPool { () -> RawAnswer? in
      guard let client = RawClient(port: port) else { return nil }
      defer { client.close() }
      client.send(request)
      let (bytes, error) = client.receive(enough: enough)
      return RawAnswer(bytes: bytes, error: error)
    }
    guard let answer else { throw ProxyError.noSocket }
    return answer
  }
}
