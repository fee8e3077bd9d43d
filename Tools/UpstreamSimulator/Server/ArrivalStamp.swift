import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Notes on each request when its head arrived.
///
/// On the thread that reads the socket: the task that answers may start much later, when generating rows keeps all
/// cores busy, and rate limits are checked against these times.
final class ArrivalStamp: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    if let field = Self.field { head.headerFields[field] = "\(NIODeadline.now().uptimeNanoseconds)" }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// When the request arrived; now, if nothing was noted.
  static func arrival(of fields: HTTPFields) -> NIODeadline {
    let noted = field.flatMap { fields[$0] }.flatMap { UInt64($0) }
    return noted.map { NIODeadline.uptimeNanoseconds($0) } ?? .now()
  }

  /// The header that carries it within the process; one that a client sends is overwritten.
  static let field = HTTPField.Name("Simulator-Arrival")
}
