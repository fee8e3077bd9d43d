import Foundation
import NIOCore

/// Reserves a port, so that a server can stop and restart at the same address.
///
/// The socket is bound but does not listen, so connections are refused. A server that sets `SO_REUSEADDR` can listen on
/// the port.
final class PortReservation: Sendable {
  let address: SocketAddress
  private let descriptor: CInt

  init(host: String, port: Int) throws {
    let requested: SocketAddress
    do {
      requested = try SocketAddress.makeAddressResolvingHost(host, port: port)
    } catch {
      throw SimulatorError.addressUnusable(host: host, port: port, reason: "the host is not known")
    }
    descriptor = Self.makeSocket(requested.protocol == .inet6 ? AF_INET6 : AF_INET)
    do {
      let found = try Self.bound(descriptor, to: requested)
      address = try SocketAddress(ipAddress: requested.ipAddress ?? host, port: found)
    } catch {
      close(descriptor)
      throw SimulatorError.addressUnusable(host: host, port: port, reason: "\(error)")
    }
  }

  deinit { close(descriptor) }

  private static func makeSocket(_ family: CInt) -> CInt {
    #if canImport(Darwin)
      socket(family, SOCK_STREAM, 0)
    #else
      socket(family, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    #endif
  }

  private static func bound(_ descriptor: CInt, to address: SocketAddress) throws(Failure) -> Int {
    var yes: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    try Failure.check(setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size))
    let result = address.withSockAddr { bind(descriptor, $0, socklen_t($1)) }
    try Failure.check(result)
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let named = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    try Failure.check(named)
    // The port has the same offset in IPv4 and IPv6 addresses.
    return withUnsafeBytes(of: &storage) { Int($0[2]) << 8 | Int($0[3]) }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String

    static func check(_ result: CInt) throws(Failure) {
      if result != 0 { throw Failure(description: String(cString: strerror(errno))) }
    }
  }
}
