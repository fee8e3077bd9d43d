import NIOCore
import NIOPosix
import Synchronization

/// A server on loopback that answers every request with bytes as given, valid HTTP or not.
final class RawServer: Sendable {
  /// What happens after the bytes of an answer are sent.
  enum Ending: Sendable {
    case close
    case keepOpen
  }

  private let channel: any Channel
  private let requests: Requests

  let port: Int

  /// The heads of the requests that came, in order.
  var heads: [String] { requests.heads }

  var url: String { "http://127.0.0.1:\(port)/v1/top/anime?page=1" }

  /// Lends a running server to `body` and closes it afterwards.
  static func with(
    _ answer: [UInt8], _ ending: Ending = .close, _ body: (RawServer) async throws -> Void
  ) async throws {
    let server = try await RawServer(answer, ending)
    do {
      try await body(server)
    } catch {
      try? await server.channel.close()
      throw error
    }
    try await server.channel.close()
  }

  /// A whole answer: a status line, headers, a body.
  static func answer(_ status: String = "200 OK", _ headers: [String] = [], body: [UInt8] = []) -> [UInt8] {
    let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers + ["", ""]
    return Array(head.joined(separator: "\r\n").utf8) + body
  }

  private init(_ answer: [UInt8], _ ending: Ending) async throws {
    let requests = Requests()
    self.requests = requests
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            AnswerHandler(answer: answer, ending: ending, requests: requests))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  /// A port of loopback on which nothing listens.
  static func closedPort() async throws -> Int {
    let server = try await RawServer([], .close)
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

  private let answer: [UInt8]
  private let ending: RawServer.Ending
  private let requests: Requests
  private var received: [UInt8] = []

  init(answer: [UInt8], ending: RawServer.Ending, requests: Requests) {
    self.answer = answer
    self.ending = ending
    self.requests = requests
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytesView
    let text = String(decoding: received, as: UTF8.self)
    // The first bytes of a TLS handshake are no request and will never become one.
    guard text.hasSuffix("\r\n\r\n") || received.first == 0x16 else { return }
    requests.append(text)
    received = []
    let channel = context.channel
    let sent = channel.writeAndFlush(ByteBuffer(bytes: answer))
    if case .close = ending { sent.whenComplete { _ in channel.close(promise: nil) } }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The client hung up, which is what some tests are about.
    context.close(promise: nil)
  }
}
