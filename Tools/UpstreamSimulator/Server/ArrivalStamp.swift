import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Adds the arrival time of its head to each request, on the thread that reads the socket. Tests check rate limits
/// against these times, because the task that answers can start much later.
final class ArrivalStamp: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    if let field = Self.field { head.headerFields[field] = "\(NIODeadline.now().uptimeNanoseconds)" }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  static func arrival(of fields: HTTPFields) -> NIODeadline {
    let noted = field.flatMap { fields[$0] }.flatMap { UInt64($0) }
    return noted.map { NIODeadline.uptimeNanoseconds($0) } ?? .now()
  }

  /// The header that carries the stamp within the process. A client's header of the same name is overwritten.
  static let field = HTTPField.Name("Simulator-Arrival")
}
