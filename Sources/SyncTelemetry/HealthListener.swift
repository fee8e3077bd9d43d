import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import SyncCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

package enum HealthStatus: Sendable, Equatable {
  case well
  case unwell(String)
}

/// Bounds of a connection, so that no client blocks the listener.
package struct ListenerLimits: Sendable {
  /// The most at a time; further ones wait. More than 2,000, so that so many slow clients delay no probe, but the rest
  /// of the program keeps 512 descriptors, or three quarters of fewer.
  package var connections = Self.bounded(sysconf(Int32(_SC_OPEN_MAX)))
  package static func bounded(_ files: Int) -> Int { max(4, min(2_500, max(files / 4, files - 512))) }
  /// Time for a request's head to come, from when the connection is accepted.
  package var headDeadline: Duration = .seconds(3)
  /// From when it is accepted to when it is closed: a connection is for one request.
  package var connectionLife: Duration = .seconds(10)
  /// The head of a request. Of its body, which is ignored, only a little is read.
  package var requestBytes = 16 << 10
  /// How long a check or the metrics may take; less than a connection lives.
  package var answerDeadline: Duration = .seconds(5)

  package init() {}
}

/// Serves `/metrics`, `/healthz` and `/readyz` to anyone who can reach it, so its sources must hold no secret.
package struct HealthListener: Service {
  package typealias Check = @Sendable () async -> HealthStatus

  private let address: ListenAddress
  private let answers: ListenerAnswers
  private let limits: ListenerLimits
  private let onListening: @Sendable (ListenAddress) -> Void

  /// `health` is whether the process works at all, or an orchestrator restarts it; `readiness` is whether it can work
  /// at present. `onListening` is called once, as soon as connections are accepted, with the port that was found.
  package init(
    address: ListenAddress, limits: ListenerLimits = ListenerLimits(),
    metrics: @escaping @Sendable () async -> String, health: @escaping Check, readiness: @escaping Check,
    onListening: @escaping @Sendable (ListenAddress) -> Void = { _ in }
  ) {
    self.address = address
    self.limits = limits
    self.onListening = onListening
    answers = ListenerAnswers(
      metrics: metrics, health: health, readiness: readiness, deadline: limits.answerDeadline)
  }

  /// Serves until it is cancelled or its group shuts down.
  package func run() async throws {
    let silent = Logger(label: "listener", factory: { _ in SwiftLogNoOpLogHandler() })
    let limits = limits
    let application = Application(
      responder: answers,
      server: HTTPServerBuilder { responder in ListenerChannel(responder, limits: limits) },
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
