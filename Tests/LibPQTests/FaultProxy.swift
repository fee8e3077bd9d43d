import Glibc
import Synchronization

/// A socket that listens on a loopback port of the system's choice.
final class ListeningSocket: Sendable {
  let descriptor: Int32
  let port: UInt16

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
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

enum ProxyError: Error { case noSocket }

/// Sits between client and server, counts the client's messages, and cuts the connection at one of them.
final class FaultProxy: Sendable {
  enum Cut {
    /// The message never arrives.
    case beforeMessage
    /// The server gets the message, the client no answer.
    case afterMessage
    /// Half of the message arrives.
    case insideMessage
    /// The message never arrives, and the connection stays open.
    case stall
  }

  private let listener: ListeningSocket
  private let serverPort: UInt16
  private let cut: Cut
  private let cutAt: Int
  private let seen = Atomic(0)
  /// The client gets no more answers. Set before the last message goes out, or its answer could slip through.
  private let isCut = Atomic(false)
  private let cutGate = Gate()
  private let closedGate = Gate()

  var port: UInt16 { listener.port }
  var messageCount: Int { seen.load(ordering: .sequentiallyConsistent) }

  func waitUntilCut() async { await cutGate.wait() }
  func waitUntilClosed() async { await closedGate.wait() }

  /// Until somebody waits to be served after the one client that is.
  func waitForSecondClient() async {
    let gate = Gate()
    startThread { [listener] in
      var descriptor = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 10_000)
      gate.open()
    }
    await gate.wait()
  }

  /// - Parameter cutAt: the message's number from 1; 0 cuts nothing.
  init(serverPort: UInt16, cut: Cut, cutAt: Int) throws {
    listener = try ListeningSocket()
    self.serverPort = serverPort
    self.cut = cut
    self.cutAt = cutAt
    startThread { [listener] in
      let client = accept(listener.descriptor, nil, nil)
      if client >= 0 { self.serve(client) }
    }
  }

  private func serve(_ client: Int32) {
    guard let server = connectTo(serverPort) else { return }
    startThread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(server, &buffer, buffer.count)
        guard count > 0, !self.isCut.load(ordering: .sequentiallyConsistent), writeAll(client, buffer[..<count])
        else { break }
      }
      shutdown(client, Int32(SHUT_RDWR))
    }
    forwardMessages(from: client, to: server)
    closedGate.open()
    if cut == .stall, isCut.load(ordering: .sequentiallyConsistent) { return }
    for descriptor in [client, server] { shutdown(descriptor, Int32(SHUT_RDWR)) }
    // The descriptors stay open: the other thread may still read from one whose number would be given away.
  }

  private func forwardMessages(from client: Int32, to server: Int32) {
    var isStartup = true
    while let message = readMessage(client, isStartup: isStartup) {
      isStartup = false
      let number = seen.add(1, ordering: .sequentiallyConsistent).newValue
      if number == cutAt {
        isCut.store(true, ordering: .sequentiallyConsistent)
        cutGate.open()
        switch cut {
        case .beforeMessage, .stall: break
        case .afterMessage: _ = writeAll(server, message[...])
        case .insideMessage: _ = writeAll(server, message[..<(message.count / 2)])
        }
        return
      }
      guard writeAll(server, message[...]) else { return }
    }
  }

  /// The startup message has no type byte; all have a length of four bytes that counts itself.
  private func readMessage(_ descriptor: Int32, isStartup: Bool) -> [UInt8]? {
    guard let head = readExactly(descriptor, isStartup ? 4 : 5) else { return nil }
    let length = head.suffix(4).reduce(0) { $0 << 8 | Int($1) } - 4
    guard length > 0 else { return head }
    return readExactly(descriptor, length).map { head + $0 }
  }
}

private func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { context in
      if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  pthread_detach(thread)
}

private func connectTo(_ port: UInt16) -> Int32? {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  address.sin_port = port.bigEndian
  let result = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  return result == 0 ? descriptor : nil
}

private func readExactly(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  var filled = 0
  while filled < count {
    let now = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: filled), count - filled) }
    guard now > 0 else { return nil }
    filled += now
  }
  return bytes
}

private func writeAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let now = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard now > 0 else { return false }
    rest = rest.dropFirst(now)
  }
  return true
}
