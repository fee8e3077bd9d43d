import AcceptedConnections
import Foundation
import HTTPTypes
import Hummingbird
package import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle
import SyncCore

/// The limits that protect the listener, and the rest of the program, from slow or many clients.
package struct ListenerLimits: Sendable {
  /// The maximum number of open connections. It is high, so that slow clients do not delay probes. The program itself
  /// needs up to 512 file descriptors.
  package var connections = Self.bounded(sysconf(Int32(_SC_OPEN_MAX)))
  /// Returns the maximum number of connections for `files`, the process's limit of open files: `files - 512`, or a
  /// quarter of `files` if that is more, clamped to 4 ... 2,500.
  package static func bounded(_ files: Int) -> Int { max(4, min(2_500, max(files / 4, files - 512))) }
  /// The time from accepting a connection to the end of the request's head.
  package var headDeadline: Duration = .seconds(3)
  /// The time after which a connection is closed, whatever it does.
  package var connectionLife: Duration = .seconds(10)
  /// The largest size of a header field, and of all header fields together.
  package var requestBytes = 16 << 10
  /// The longest time of a check or of the metrics. After this time, the answer is 503. Must be less than
  /// `connectionLife`.
  package var answerDeadline: Duration = .seconds(5)

  package init() {}
}

/// Serves `/metrics`, `/healthz` and `/readyz` to anyone, so the results must not contain secrets. `pages` answers all
/// other paths; without `pages`, they are 404.
///
/// Each connection has one request.
package struct HealthListener: Service {
  /// Answers a health check: status 200 for `well`, 503 for `unwell` or after `ListenerLimits.answerDeadline`, when the
  /// task is cancelled.
  package typealias Check = @Sendable () async -> HealthStatus
  /// Answers a request, of any method, for a path that the listener itself does not serve.
  package typealias Pages = @Sendable (Request, ListenerContext) async throws -> Response

  private let address: ListenAddress
  private let answers: ListenerAnswers
  private let limits: ListenerLimits
  private let onListening: @Sendable (ListenAddress) -> Void

  /// Creates a listener. It listens only while `run` runs.
  /// - Parameters:
  ///   - metrics: Returns the text of `/metrics`, in Prometheus' format.
  ///   - health: Answers `/healthz`. An orchestrator restarts the process if this check fails.
  ///   - readiness: Answers `/readyz`.
  ///   - limits: A check, or metrics, that take longer than `answerDeadline` are answered with 503.
  ///   - pages: Answers all other paths. `nil` means 404.
  ///   - onListening: Receives the address with the actual port, as soon as the listener accepts connections.
  package init(
    address: ListenAddress, limits: ListenerLimits = ListenerLimits(),
    metrics: @escaping @Sendable () async -> String, health: @escaping Check, readiness: @escaping Check,
    pages: Pages? = nil,
    onListening: @escaping @Sendable (ListenAddress) -> Void = { _ in }
  ) {
    self.address = address
    self.limits = limits
    self.onListening = onListening
    answers = ListenerAnswers(
      metrics: metrics, health: health, readiness: readiness, pages: pages, deadline: limits.answerDeadline)
  }

  /// Listens until the task is cancelled or the service group shuts down. Throws `SyncError` with `.configuration` if
  /// the listener cannot listen at the address, for example because another program does.
  package func run() async throws {
    let silent = Logger(label: "listener", factory: { _ in SwiftLogNoOpLogHandler() })
    let limits = limits
    let application = Application(
      responder: answers, server: HTTPServerBuilder { responder in ListenerChannel(responder, limits: limits) },
      configuration: ApplicationConfiguration(
        address: .hostname(address.host, port: address.port), backlog: 4_096,
        availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: silent)),
      onServerRunning: { channel in
        onListening(ListenAddress(host: address.host, port: channel.localAddress?.port ?? address.port))
      },
      logger: silent)
    do {
      try await application.run()
    } catch let error as IOError {
      throw SyncError(
        .configuration, "cannot listen on \(address): \(String(cString: strerror(error.errnoCode)))",
        hint: error.errnoCode == EADDRINUSE
          ? "another program listens there; choose another port, or 0 for a free one"
          : "choose an address of this machine and a port that this user may use",
        disposition: .stopRun)
    }
  }
}

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
    // The idle timeout does not close every slow connection, so a timer closes all connections.
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
