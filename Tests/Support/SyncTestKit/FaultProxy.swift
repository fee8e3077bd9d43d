import Foundation
import Synchronization

/// A proxy between a PostgreSQL client and its server. It counts the client's messages and cuts the connection.
package final class FaultProxy: Sendable {
  package enum Cut: Sendable {
    case beforeMessage
    /// The server gets the message, but the client gets no answer.
    case afterMessage
    case insideMessage
    /// The message never arrives, but the connection stays open.
    case stall
    /// Half of the message arrives, and the connection stays open.
    case stallInside
    /// Half of the message arrives. The proxy ends the client's connection, but keeps the server's connection open.
    case abandonInside
  }

  private struct State {
    var seen = 0
    var cut: Cut
    /// A message's number, counted like `seen`; 0 for no cut.
    var cutAt: Int
    var cuts = 0
    /// If set, the proxy cuts at a message that contains this text.
    var text: String?
    var everyTime = false

    func isDue(_ message: [UInt8]) -> Bool {
      guard let text else { return seen == cutAt }
      return String(decoding: message, as: UTF8.self).contains(text)
    }
  }

  private let listener: ListeningSocket
  private let serverPort: UInt16
  private let state: Mutex<State>
  private let rewrite: @Sendable ([UInt8]) -> [UInt8]
  private let cutGate = Gate()
  private let closedGate = Gate()

  package var port: UInt16 { listener.port }
  package var messageCount: Int { state.withLock { $0.seen } }
  package var cutCount: Int { state.withLock { $0.cuts } }

  package func waitUntilCut() async { await cutGate.pass() }
  package func waitUntilClosed() async { await closedGate.pass() }

  package func waitForSecondClient() async {
    let gate = Gate()
    Thread.detachNewThread { [listener] in
      var descriptor = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 10_000)
      gate.open()
    }
    await gate.pass()
  }

  /// - Parameters:
  ///   - cutAt: The message's number from 1; 0 for no cut.
  ///   - servesAll: Whether clients after the first are served too.
  ///   - rewrite: Returns the bytes that the client gets instead of the server's bytes.
  package init(
    serverPort: UInt16, cut: Cut = .beforeMessage, cutAt: Int = 0, servesAll: Bool = false,
    rewrite: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }
  ) throws {
    listener = try ListeningSocket()
    self.serverPort = serverPort
    self.rewrite = rewrite
    state = Mutex(State(cut: cut, cutAt: cutAt))
    accept(all: servesAll)
  }

  package func serveOthers() { accept(all: true) }

  private func accept(all: Bool) {
    // The thread retains only the listener, so that a proxy without references accepts no new clients.
    Thread.detachNewThread { [listener, weak self] in
      repeat {
        let client = systemAccept(listener.descriptor)
        guard client >= 0, let proxy = self else { return }
        Thread.detachNewThread { proxy.serve(client) }
      } while all
    }
  }

  package func arm(_ cut: Cut, after messages: Int) {
    state.withLock { $0 = State(seen: $0.seen, cut: cut, cutAt: $0.seen + messages + 1, cuts: $0.cuts) }
  }

  package func arm(_ cut: Cut, at text: String, everyTime: Bool = false) {
    state.withLock { $0 = State(seen: $0.seen, cut: cut, cutAt: 0, cuts: $0.cuts, text: text, everyTime: everyTime) }
  }

  package func disarm() { state.withLock { $0 = State(seen: $0.seen, cut: $0.cut, cutAt: 0, cuts: $0.cuts) } }

  private func serve(_ client: Int32) {
    guard let server = Loopback.connect(to: serverPort) else {
      Loopback.end(client)
      Loopback.close(client)
      return
    }
    let pair = SocketPair(client: client, server: server)
    Thread.detachNewThread { [rewrite] in
      while true {
        let answer = Loopback.readSome(pair.server)
        guard !answer.isEmpty, !pair.isCut, Loopback.write(pair.client, rewrite(Array(answer))[...]) else { break }
      }
      Loopback.end(pair.client)
    }
    let cut = forwardMessages(pair)
    closedGate.open()
    switch cut {
    case .stall, .stallInside: break
    case .abandonInside: Loopback.end(pair.client)
    default: pair.end()
    }
  }

  /// - Returns: The cut that ended the connection; `nil` if the client or the server ended it.
  private func forwardMessages(_ pair: SocketPair) -> Cut? {
    var isStartup = true
    while let message = readMessage(pair.client, isStartup: isStartup) {
      isStartup = false
      let cut: Cut? = state.withLock { state in
        state.seen += 1
        guard state.isDue(message) else { return nil }
        state.cuts += 1
        if !state.everyTime { state.text = nil }
        return state.cut
      }
      guard let cut else {
        guard Loopback.write(pair.server, message[...]) else { return nil }
        continue
      }
      pair.cut()
      cutGate.open()
      switch cut {
      case .beforeMessage, .stall: break
      case .afterMessage: _ = Loopback.write(pair.server, message[...])
      case .insideMessage, .stallInside, .abandonInside:
        _ = Loopback.write(pair.server, message[..<(message.count / 2)])
      }
      return cut
    }
    return nil
  }

  /// A message has a length of four bytes. The length counts these four bytes too. The startup message has no type byte
  /// before the length.
  private func readMessage(_ descriptor: Int32, isStartup: Bool) -> [UInt8]? {
    guard let head = Loopback.read(descriptor, exactly: isStartup ? 4 : 5) else { return nil }
    let length = head.suffix(4).reduce(0) { $0 << 8 | Int($1) } - 4
    guard length > 0 else { return head }
    return Loopback.read(descriptor, exactly: length).map { head + $0 }
  }
}

/// A client's connection, and the proxy's connection to the server. Only `deinit` closes the descriptors. Otherwise,
/// the system could assign a descriptor to a new connection while a thread still uses the descriptor.
private final class SocketPair: Sendable {
  let client: Int32
  let server: Int32
  private let wasCut = Atomic(false)

  init(client: Int32, server: Int32) {
    self.client = client
    self.server = server
    for descriptor in [client, server] { Loopback.disableDelay(descriptor) }
  }

  deinit { for descriptor in [client, server] { Loopback.close(descriptor) } }

  var isCut: Bool { wasCut.load(ordering: .sequentiallyConsistent) }

  /// Must be called before the server gets the message, because the server can answer at once.
  func cut() { wasCut.store(true, ordering: .sequentiallyConsistent) }

  func end() { for descriptor in [client, server] { Loopback.end(descriptor) } }
}

/// Calls `accept(2)`. Inside the class, `accept` is a method.
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
