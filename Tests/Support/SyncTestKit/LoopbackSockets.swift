#if canImport(Darwin)
  import Darwin
  private let streamSocket = SOCK_STREAM
  private let noSignal: Int32 = 0
#else
  import Glibc
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif

package final class ListeningSocket: Sendable {
  package let descriptor: Int32
  package let port: UInt16

  package init() throws {
    let descriptor = socket(AF_INET, streamSocket, 0)
    self.descriptor = descriptor
    var address = loopbackAddress(port: 0)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var actual = size
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) != 0 || listen(descriptor, 16) != 0 || getsockname(descriptor, $0, &actual) != 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    if failed { throw ProxyError.noSocket }
  }

  deinit { _ = close(descriptor) }
}

package enum ProxyError: Error { case noSocket }

private func loopbackAddress(port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  address.sin_port = port.bigEndian
  return address
}

package enum Loopback {
  package static func connect(to port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, streamSocket, 0)
    var address = loopbackAddress(port: port)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  /// Disables Nagle's algorithm. Otherwise, a message in pieces waits 40 ms for a delayed acknowledgement.
  static func disableDelay(_ descriptor: Int32) {
    var isOn: Int32 = 1
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  static func read(_ descriptor: Int32, exactly count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let now = bytes.withUnsafeMutableBytes {
        systemRead(descriptor, $0.baseAddress?.advanced(by: filled), count - filled)
      }
      guard now > 0 else { return nil }
      filled += now
    }
    return bytes
  }

  static func readSome(_ descriptor: Int32) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = systemRead(descriptor, &bytes, bytes.count)
    return bytes[..<max(count, 0)]
  }

  static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let now = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
      guard now > 0 else { return false }
      rest = rest.dropFirst(now)
    }
    return true
  }

  /// Shuts down both directions. The descriptor stays open, because a thread can still read from the descriptor.
  static func end(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  static func close(_ descriptor: Int32) { systemClose(descriptor) }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
  connect(descriptor, address, size)
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
