import AcceptedConnections
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

struct ListenerChannel: ServerChildChannel {
  private let http: AcceptedConnections
  private let life: TimeAmount

  init(_ responder: @escaping HTTPChannelHandler.Responder, limits: ListenerLimits) {
    life = TimeAmount(limits.connectionLife)
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: limits.requestBytes, maxHeaderListSize: limits.requestBytes, maxHeaderFieldCount: 64)
    http = AcceptedConnections(
      HTTP1Channel(
        responder: responder,
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [OneRequest()], idleTimeout: TimeAmount(limits.headDeadline),
          httpDecoderConfiguration: decoder)))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
    // The idle timeout does not close every slow client, so a timer closes every connection.
    let end = channel.eventLoop.scheduleTask(in: life) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in end.cancel() }
    return http.setup(channel: channel, logger: logger)
  }

  func handle(value: AcceptedConnection, logger: Logger) async {
    await http.handle(value: value, logger: logger)
  }
}

private final class OneRequest: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    head.headerFields[.connection] = "close"
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
