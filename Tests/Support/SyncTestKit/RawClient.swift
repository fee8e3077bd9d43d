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
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let descriptor = descriptor
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if result != 0 {
      close()
      return nil
    }
  }

  package func close() {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  @discardableResult
  package func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    #if canImport(Darwin)
      return Darwin.send(descriptor, bytes, bytes.count, 0) == bytes.count
    #else
      return Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    #endif
  }

  /// Returns all bytes until the server closes the connection, or `nil` if `recv` times out.
  package func receiveAll() -> String? {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno != ECONNRESET { return nil }
      if count <= 0 { return String(decoding: result, as: UTF8.self) }
      result += buffer.prefix(count)
    }
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
