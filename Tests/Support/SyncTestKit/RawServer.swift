import NIOCore
import NIOPosix
import Synchronization

/// A loopback server that answers every request with given bytes, valid HTTP or not.
package final class RawServer: Sendable {
  package enum Ending: Sendable {
    case close
    case keepOpen
    case reset
  }

  /// Each piece is written and flushed separately.
  package struct Answer: Sendable {
    package var pieces: [[UInt8]]
    package var ending: Ending

    package init(pieces: [[UInt8]], ending: Ending) {
      self.pieces = pieces
      self.ending = ending
    }
  }

  private let channel: any Channel
  private let requests: Requests

  package let port: Int

  package var heads: [String] { requests.heads }

  package var url: String { "http://127.0.0.1:\(port)/v1/top/anime?page=1" }

  package static func with(
    _ answer: [UInt8], _ ending: Ending = .close, _ body: (RawServer) async throws -> Void
  ) async throws {
    try await with(answering: { _ in Answer(pieces: [answer], ending: ending) }, body)
  }

  package static func with(
    answering answer: @escaping @Sendable (_ head: String) -> Answer, _ body: (RawServer) async throws -> Void
  ) async throws {
    let server = try await RawServer(answer)
    do {
      try await body(server)
    } catch {
      try? await server.channel.close()
      throw error
    }
    try await server.channel.close()
  }

  package static func answer(_ status: String = "200 OK", _ headers: [String] = [], body: [UInt8] = []) -> [UInt8] {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers + ["", ""]
    return Array(head.joined(separator: "\r\n").utf8) + body
  }

  private init(_ answer: @escaping @Sendable (String) -> Answer) async throws {
    let requests = Requests()
    self.requests = requests
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AnswerHandler(answer: answer, requests: requests))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  package static func closedPort() async throws -> Int {
    let server = try await RawServer { _ in Answer(pieces: [], ending: .close) }
    try await server.channel.close()
    return server.port
  }
}

private final class Requests: Sendable {
  private let storage = Mutex<[String]>([])

  var heads: [String] { storage.withLock { $0 } }

  func append(_ head: String) { storage.withLock { $0.append(head) } }
}

private final class AnswerHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let answer: @Sendable (String) -> RawServer.Answer
  private let requests: Requests
  private var received: [UInt8] = []

  init(answer: @escaping @Sendable (String) -> RawServer.Answer, requests: Requests) {
    self.answer = answer
    self.requests = requests
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytesView
    let text = String(decoding: received, as: UTF8.self)
    // A TLS handshake is not an HTTP request, but it is answered too.
    guard text.hasSuffix("\r\n\r\n") || received.first == 0x16 else { return }
    requests.append(text)
    received = []
    let channel = context.channel
    let answer = answer(text)
    for piece in answer.pieces.dropLast() { channel.writeAndFlush(ByteBuffer(bytes: piece), promise: nil) }
    let sent = channel.writeAndFlush(ByteBuffer(bytes: answer.pieces.last ?? []))
    switch answer.ending {
    case .close: sent.whenComplete { _ in channel.close(promise: nil) }
    case .keepOpen: break
    case .reset:
      sent.whenComplete { _ in
        (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
          .whenComplete { _ in channel.close(promise: nil) }
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
