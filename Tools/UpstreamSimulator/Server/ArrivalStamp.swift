import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Adds a header with the arrival time to each request, so that tests can check rate limits. The thread that reads the
/// socket takes the time, because the task that answers the request can start much later.
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

  static let field = HTTPField.Name("Simulator-Arrival")
}
