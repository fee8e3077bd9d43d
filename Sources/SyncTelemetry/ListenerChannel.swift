import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection of the listener: HTTP/1, one request, and bounds on what it may take.
///
/// One that is accepted in the moment in which the server stops is dropped on its way, and NIO ends the process if what
/// is dropped is its own channel: that has to be closed by whoever holds it.
struct ListenerChannel: ServerChildChannel {
  typealias Value = ListenerConnection

  private let http: HTTP1Channel
  private let limits: ListenerLimits

  init(_ responder: @escaping HTTPChannelHandler.Responder, limits: ListenerLimits) {
    self.limits = limits
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: limits.requestBytes, maxHeaderListSize: limits.requestBytes, maxHeaderFieldCount: 64)
    http = HTTP1Channel(
      responder: responder,
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [OneRequest()], httpDecoderConfiguration: decoder))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<ListenerConnection> {
    do {
      // A limit on silence alone would let a client stay that sends a byte from time to time.
      try channel.pipeline.syncOperations.addHandler(ConnectionLife(limits.connectionLife))
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return http.setup(channel: channel, logger: logger).map { ListenerConnection($0) }
  }

  func handle(value: ListenerConnection, logger: Logger) async {
    guard let parts = value.take() else { return }
    await http.handle(value: parts, logger: logger)
  }
}

/// A connection on its way from the socket to the task that handles it.
final class ListenerConnection: ServerChildChannelValue {
  typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  let channel: any Channel
  private let parts: Mutex<Parts?>

  init(_ parts: Parts) {
    channel = parts.channel
    self.parts = Mutex(parts)
  }

  /// Hands it over to the one who closes it; nil the second time.
  func take() -> Parts? {
    parts.withLock { parts in
      defer { parts = nil }
      return parts
    }
  }

  deinit {
    guard let parts = take() else { return }
    Task { try? await parts.executeThenClose { _, _ in } }
  }
}

/// Closes a connection that has lived for too long, whatever it is doing.
private final class ConnectionLife: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let life: Duration
  private var end: Scheduled<Void>?

  init(_ life: Duration) {
    self.life = life
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    end = channel.eventLoop.scheduleTask(in: TimeAmount(life)) { channel.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end?.cancel()
    context.fireChannelInactive()
  }
}

/// Reads every request as one after which the connection is closed.
private final class OneRequest: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    head.headerFields[.connection] = "close"
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
