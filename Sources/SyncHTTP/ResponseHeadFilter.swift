import NIOCore
import NIOHTTP1

/// Removes response heads with a status below 200. If such a head is not informational, AsyncHTTPClient ignores it and
/// traps on the next head.
final class ResponseHeadFilter: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  struct UnusableStatus: Error {
    let code: UInt
  }

  private var hasRefused = false

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
      case 100, 102...: return
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
