import Foundation

/// Runs a blocking call on a new thread, because the server needs the threads of the pool.
package func offPool<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// A client that sends any text to a port of this machine.
package struct RawClient: Sendable {
  package struct Answer: Sendable, Equatable {
    package let status: Int
    /// The headers by lowercase name.
    package let fields: [String: String]
    package let body: String
  }

  package let descriptor: CInt

  package init?(port: Int) {
    guard let descriptor = Loopback.connect(to: UInt16(port)) else { return nil }
    self.descriptor = descriptor
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  package func close() { Loopback.close(descriptor) }

  @discardableResult
  package func send(_ text: String) -> Bool { Loopback.write(descriptor, Array(text.utf8)[...]) }

  /// Reads until the server closes the connection, or until `enough` bytes have arrived. The error is `recv`'s `errno`.
  package func receive(enough: Int = .max) -> (bytes: [UInt8], error: CInt?) {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while result.count < enough {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return (result, errno) }
      if count == 0 { break }
      result += buffer.prefix(count)
    }
    return (result, nil)
  }

  /// Returns all bytes until the server closes the connection, or `nil` if `recv` times out.
  package func receiveAll() -> String? {
    let (bytes, error) = receive()
    return error == nil || error == ECONNRESET ? String(decoding: bytes, as: UTF8.self) : nil
  }

  package static func ask(_ request: String, port: Int) async -> Answer? {
    await offPool {
      guard let client = RawClient(port: port) else { return nil }
      defer { client.close() }
      client.send(request)
      return client.receiveAll().flatMap { Answer($0) }
    }
  }

  package static func ask(
    _ method: String, _ path: String, host: String = "localhost", fields: [String] = [], body: String = "", port: Int
  ) async -> Answer? {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields + length
    return await ask(lines.joined(separator: "\r\n") + "\r\n\r\n" + body, port: port)
  }
}

extension RawClient.Answer {
  package init?(_ text: String) {
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    self.status = status
    fields = Dictionary(
      lines.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
      }
    ) { $0 + ", " + $1 }
    body = String(text[end.upperBound...])
  }
}
