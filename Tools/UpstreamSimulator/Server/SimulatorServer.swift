import NIOCore
import UnixSignals

package struct SimulatorServer: Sendable {
  package let host: String
  package let port: Int
  package let history: RequestHistory
  private let listener: Listener

  package var baseURL: String { host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)" }

  /// Cancels all connections and refuses new connections, but keeps the port.
  package func stop() async { await listener.stop() }

  package func start() async throws { try await listener.start() }

  package static func withServer<R>(
    _ upstream: some SimulatedUpstream, chaos: Chaos = .none, _ body: (SimulatorServer) async throws -> R
  ) async throws -> R {
    try await serve(upstream, chaos: chaos, host: "127.0.0.1", port: 0, log: nil, body)
  }

  /// Serves until SIGTERM or SIGINT, which cancel active answers. Calls `onListening` when requests are accepted.
  /// Throws ``SimulatorError`` if the address is unusable.
  package static func run(
    _ upstream: some SimulatedUpstream, chaos: Chaos = .none, host: String, port: Int, log: RequestLog?,
    onListening: @escaping @Sendable (SimulatorServer) -> Void
  ) async throws {
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    try await serve(upstream, chaos: chaos, host: host, port: port, log: log) { server in
      onListening(server)
      for await _ in signals { break }
    }
  }

  private static func serve<R>(
    _ upstream: some SimulatedUpstream, chaos: Chaos, host: String, port: Int, log: RequestLog?,
    _ body: (SimulatorServer) async throws -> R
  ) async throws -> R {
    let reservation = try PortReservation(host: host, port: port)
    let start = NIODeadline.now()
    let history = RequestHistory()
    let listener = Listener(
      SimulatorResponder(upstream: upstream, chaos: chaos, start: start, history: history, log: log), at: reservation)
    try await listener.start()
    let server = SimulatorServer(
      host: host, port: reservation.address.port ?? port, history: history, listener: listener)
    do {
      let result = try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await listener.keep(chaos.outages, from: start) }
        defer { group.cancelAll() }
        return try await body(server)
      }
      await listener.stop()
      return result
    } catch {
      await listener.stop()
      throw error
    }
  }
}

extension Listener {
  fileprivate func keep(_ outages: [Range<Duration>], from start: NIODeadline) async throws {
    for outage in outages {
      try await sleep(until: outage.lowerBound, from: start)
      await stop()
      try await sleep(until: outage.upperBound, from: start)
      try await self.start()
    }
  }

  private func sleep(until moment: Duration, from start: NIODeadline) async throws {
    try await Task.sleep(for: moment - .nanoseconds((NIODeadline.now() - start).nanoseconds))
  }
}
