import AcceptedConnections
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

actor Listener {
  private let port: PortReservation
  private let run: @Sendable (_ onListening: @escaping @Sendable () -> Void) async throws -> Void
  private var serving: Task<Void, Never>?

  init<Upstream>(_ responder: SimulatorResponder<Upstream>, at port: PortReservation) {
    self.port = port
    let host = port.address.ipAddress ?? "127.0.0.1"
    let number = port.address.port ?? 0
    run = { onListening in
      let application = Application(
        responder: responder,
        server: HTTPServerBuilder { responder in
          AcceptedConnections(
            HTTP1Channel(responder: responder, configuration: .init(additionalChannelHandlers: [ArrivalStamp()])))
        },
        configuration: ApplicationConfiguration(address: .hostname(host, port: number)),
        onServerRunning: { _ in onListening() },
        logger: Logger(label: "upstream-sim", factory: { _ in SwiftLogNoOpLogHandler() }))
      do {
        try await application.run()
      } catch let error as IOError {
        let reason = String(cString: strerror(error.errnoCode))
        throw SimulatorError.addressUnusable(host: host, port: number, reason: reason)
      }
    }
  }

  func start() async throws {
    guard serving == nil else { return }
    let (states, state) = AsyncThrowingStream.makeStream(of: Void.self)
    serving = Task { [run] in
      do {
        try await run { state.yield() }
        state.finish()
      } catch {
        state.finish(throwing: error)
      }
    }
    do {
      var iterator = states.makeAsyncIterator()
      guard try await iterator.next() != nil else { throw CancellationError() }
    } catch {
      await stop()
      throw error
    }
  }

  func stop() async {
    guard let serving else { return }
    serving.cancel()
    await serving.value
    self.serving = nil
  }
}
