import NIOCore
import NIOHTTP1

/// Hides response heads from AsyncHTTPClient that its state machine cannot handle. It ignores every head below 200 and
/// traps on what follows one that is not an informational response.
final class ResponseHeadFilter: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  struct UnusableStatus: Error {
    let code: UInt
  }

  private var hasRefused = false

  /// Must be called when the client has created the pipeline of a connection.
  @Sendable static func install(in channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      try pipeline.addHandler(ResponseHeadFilter(), position: .after(decoder))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasRefused else { return }
    if case .head(let head) = unwrapInboundIn(data) {
      switch head.status.code {
      case 200...: break
      // Informational: the decoder gives a head and no end, and the answer follows.
      case 100, 102...: return
      // Below 100 there are none, and no other protocol was requested (101).
      default:
        hasRefused = true
        context.fireErrorCaught(UnusableStatus(code: head.status.code))
        context.close(promise: nil)
        return
      }
    }
    context.fireChannelRead(data)
  }
}
