import NIOCore
import NIOPosix

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
  ///
  /// - Parameter thenEnd: Whether the client shuts down its sending side after the request.
  static func of(
    port: Int, _ target: String = "/v1/top/anime?page=1", headers: [String] = [], enough: Int = .max,
    thenEnd: Bool = false
  ) async throws -> RawAnswer {
    let (answers, ended) = AsyncStream.makeStream(of: RawAnswer.self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Collector(enough: enough, ended: ended))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    let lines = ["GET \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers + ["", ""]
    try await channel.writeAndFlush(ByteBuffer(string: lines.joined(separator: "\r\n")))
    if thenEnd { try await channel.close(mode: .output) }
    var answer = RawAnswer(bytes: [])
    for await found in answers { answer = found }
    try? await channel.close()
    return answer
  }

  private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var answer = RawAnswer(bytes: [])
    private let enough: Int
    private let ended: AsyncStream<RawAnswer>.Continuation

    init(enough: Int, ended: AsyncStream<RawAnswer>.Continuation) {
      self.enough = enough
      self.ended = ended
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      answer.bytes += unwrapInboundIn(data).readableBytesView
      if answer.bytes.count >= enough { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      answer.error = (error as? IOError)?.errnoCode
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      ended.yield(answer)
      ended.finish()
    }
  }
}
