import Foundation
import Synchronization

/// Clients that never complete a request. A client whose connection is closed reconnects after a second.
final class SlowClients: Sendable {
  private let port: UInt16
  private let isStopped = Atomic(false)
  private let everConnected = Mutex<Set<Int>>([])

  var connected: Int { everConnected.withLock { $0.count } }

  init(port: Int) { self.port = UInt16(port) }

  /// Raises the limit of open descriptors, because the `count` clients and the listener are in this process.
  static func makeRoom(for count: Int) {
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = min(max(limit.rlim_cur, rlim_t(2 * count + 1000)), limit.rlim_max)
    setrlimit(resource, &limit)
  }

  static func with<R>(_ count: Int, port: Int, _ body: (SlowClients) async throws -> R) async throws -> R {
    let clients = SlowClients(port: port)
    Thread.detachNewThread { clients.work(count) }
    defer { clients.isStopped.store(true, ordering: .sequentiallyConsistent) }
    return try await body(clients)
  }

  #if canImport(Darwin)
    private static let resource = RLIMIT_NOFILE
    private static let stream = SOCK_STREAM
  #else
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private static let stream = CInt(SOCK_STREAM.rawValue)
  #endif

  private func work(_ count: Int) {
    var entries = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: count)
    var retries = [ContinuousClock.Instant](repeating: .now, count: count)
    while !isStopped.load(ordering: .sequentiallyConsistent) {
      for index in entries.indices where entries[index].fd < 0 && .now >= retries[index] {
        entries[index] = pollfd(fd: connection(), events: Int16(POLLIN | POLLOUT), revents: 0)
      }
      guard poll(&entries, nfds_t(count), 10) > 0 else { continue }
      for index in entries.indices where entries[index].revents != 0 {
        if Int32(entries[index].revents) & (POLLIN.asInt32 | POLLHUP.asInt32 | POLLERR.asInt32) != 0 {
          close(entries[index].fd)
          entries[index].fd = -1
          retries[index] = .now + .seconds(1)
        } else {
          let text = Array("GET /metrics HTTP/1.1\r\nX: ".utf8)
          if send(entries[index].fd, text, text.count, 0) == text.count {
            everConnected.withLock { _ = $0.insert(index) }
          }
          entries[index].events = Int16(POLLIN)
        }
      }
    }
    for entry in entries where entry.fd >= 0 { close(entry.fd) }
  }

  private func connection() -> CInt {
    let descriptor = socket(AF_INET, Self.stream, 0)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return descriptor
  }
}

extension FixedWidthInteger {
  fileprivate var asInt32: Int32 { Int32(self) }
}
