import AcceptedConnections
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection of the listener: HTTP/1, one request, and bounds on what it may take.
struct ListenerChannel: ServerChildChannel {
  typealias Value = AcceptedConnection

  private let http: AcceptedConnections
  private let limits: ListenerLimits
  private let connections: ConnectionTable

  init(_ responder: @escaping HTTPChannelHandler.Responder, limits: ListenerLimits) {
    self.limits = limits
    let connections = ConnectionTable(limit: limits.connections)
    self.connections = connections
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: limits.requestBytes, maxHeaderListSize: limits.requestBytes, maxHeaderFieldCount: 64)
    http = AcceptedConnections(
      HTTP1Channel(
        responder: responder,
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [OneRequest(connections)], httpDecoderConfiguration: decoder)))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
    do {
      // A limit on silence alone would not stop a client that sends a byte from time to time.
      try channel.pipeline.syncOperations.addHandler(ConnectionLife(limits, connections))
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return http.setup(channel: channel, logger: logger)
  }

  func handle(value: AcceptedConnection, logger: Logger) async {
    await http.handle(value: value, logger: logger)
  }
}

/// The connections of a listener, the oldest first.
final class ConnectionTable: Sendable {
  private struct Entry {
    let channel: any Channel
    var hasRequest = false
  }

  private let limit: Int
  private let entries = Mutex<[Entry]>([])

  init(limit: Int) { self.limit = limit }

  /// Where there are too many, closes one: the oldest whose request has not come, or else the oldest.
  func add(_ channel: any Channel) {
    let surplus = entries.withLock { entries -> (any Channel)? in
      var surplus: (any Channel)?
      if entries.count >= limit, !entries.isEmpty {
        surplus = entries.remove(at: entries.firstIndex { !$0.hasRequest } ?? 0).channel
      }
      entries.append(Entry(channel: channel))
      return surplus
    }
    surplus?.close(promise: nil)
  }

  func noteRequest(on channel: any Channel) {
    entries.withLock { entries in
      if let index = entries.firstIndex(where: { $0.channel === channel }) { entries[index].hasRequest = true }
    }
  }

  func isWaiting(_ channel: any Channel) -> Bool {
    entries.withLock { $0.contains { $0.channel === channel && !$0.hasRequest } }
  }

  func remove(_ channel: any Channel) {
    entries.withLock { entries in
      if let index = entries.firstIndex(where: { $0.channel === channel }) { entries.remove(at: index) }
    }
  }
}

/// Closes a connection whose request does not arrive, or that is too old, whatever its state.
private final class ConnectionLife: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let limits: ListenerLimits
  private let connections: ConnectionTable
  private var ends: [Scheduled<Void>] = []

  init(_ limits: ListenerLimits, _ connections: ConnectionTable) {
    self.limits = limits
    self.connections = connections
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    connections.add(channel)
    channel.closeFuture.whenComplete { [connections] _ in connections.remove(channel) }
    ends = [
      channel.eventLoop.scheduleTask(in: TimeAmount(limits.headDeadline)) { [connections] in
        if connections.isWaiting(channel) { channel.close(promise: nil) }
      },
      channel.eventLoop.scheduleTask(in: TimeAmount(limits.connectionLife)) { channel.close(promise: nil) },
    ]
  }

  func channelInactive(context: ChannelHandlerContext) {
    for end in ends { end.cancel() }
    context.fireChannelInactive()
  }
}

/// Reads every request as one after which the connection is closed.
private final class OneRequest: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let connections: ConnectionTable

  init(_ connections: ConnectionTable) { self.connections = connections }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    connections.noteRequest(on: context.channel)
    head.headerFields[.connection] = "close"
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
