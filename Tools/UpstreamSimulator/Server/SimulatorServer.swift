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

  /// Runs `body` with a server for each upstream, at free ports.
  package static func withServers<R>(
    _ upstreams: [any SimulatedUpstream], _ body: ([SimulatorServer]) async throws -> R
  ) async throws -> R {
    try await serve(upstreams[...], after: [], chaos: .none, host: "127.0.0.1", port: 0, log: nil, body)
  }

  /// Serves each upstream at a port of its own until SIGTERM or SIGINT, which cancel active answers. Calls
  /// `onListening` when all servers accept requests. Throws ``SimulatorError`` if an address is unusable.
  /// - Parameter port: The port of the first server. The other servers have the ports after it. If it is 0, each
  ///   server has a free port.
  package static func run(
    _ upstreams: [any SimulatedUpstream], chaos: Chaos = .none, host: String, port: Int, log: RequestLog?,
    onListening: @escaping @Sendable ([SimulatorServer]) -> Void
  ) async throws {
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    try await serve(upstreams[...], after: [], chaos: chaos, host: host, port: port, log: log) { servers in
      onListening(servers)
      for await _ in signals { break }
    }
  }

  private static func serve<R>(
    _ upstreams: ArraySlice<any SimulatedUpstream>, after servers: [SimulatorServer], chaos: Chaos, host: String,
    port: Int, log: RequestLog?, _ body: ([SimulatorServer]) async throws -> R
  ) async throws -> R {
    guard let upstream = upstreams.first else { return try await body(servers) }
    guard port <= UInt16.max else {
      throw SimulatorError.addressUnusable(host: host, port: port, reason: "there is no such port")
    }
    return try await serve(upstream, chaos: chaos, host: host, port: port, log: log) { server in
      try await serve(
        upstreams.dropFirst(), after: servers + [server], chaos: chaos, host: host, port: port == 0 ? 0 : port + 1,
        log: log, body)
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
