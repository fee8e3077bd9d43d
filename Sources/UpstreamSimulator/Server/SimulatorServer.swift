import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// A running simulator: a local HTTP server in front of one ``SimulatedUpstream``.
package struct SimulatorServer: Sendable {
  package let host: String
  package let port: Int
  /// The requests answered so far.
  package let history: RequestHistory

  /// Where the server listens, without a slash at the end.
  package var baseURL: String { host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)" }

  /// Runs a server on a free loopback port of this process while `body` works with it.
  package static func withServer<R>(
    _ upstream: some SimulatedUpstream, _ body: (SimulatorServer) async throws -> R
  ) async throws -> R {
    let history = RequestHistory()
    let (ports, listening) = AsyncThrowingStream.makeStream(of: Int.self)
    let host = "127.0.0.1"
    let application = try makeApplication(
      upstream, host: host, port: 0, history: history, log: nil,
      onListening: { listening.yield($0) })
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await application.run()
          listening.finish()
        } catch {
          listening.finish(throwing: error)
        }
      }
      defer { group.cancelAll() }
      var iterator = ports.makeAsyncIterator()
      guard let port = try await iterator.next() else { throw CancellationError() }
      return try await body(SimulatorServer(host: host, port: port, history: history))
    }
  }

  /// Serves until SIGTERM or SIGINT.
  ///
  /// `onListening` is called once, as soon as requests are accepted. Throws ``SimulatorError`` when the address
  /// cannot be used.
  package static func run(
    _ upstream: some SimulatedUpstream, host: String, port: Int, log: RequestLog?,
    onListening: @escaping @Sendable (SimulatorServer) -> Void
  ) async throws {
    let history = RequestHistory()
    let application = try makeApplication(upstream, host: host, port: port, history: history, log: log) { port in
      onListening(SimulatorServer(host: host, port: port, history: history))
    }
    do {
      try await application.runService()
    } catch let error as IOError {
      throw SimulatorError.addressUnusable(host: host, port: port, reason: String(cString: strerror(error.errnoCode)))
    }
  }

  private static func makeApplication(
    _ upstream: some SimulatedUpstream, host: String, port: Int, history: RequestHistory, log: RequestLog?,
    onListening: @escaping @Sendable (Int) -> Void
  ) throws -> Application<CallbackResponder<BasicRequestContext>> {
    // Resolved here, so that an unknown host is told as such and not as a failure of the server.
    do {
      _ = try SocketAddress.makeAddressResolvingHost(host, port: port)
    } catch {
      throw SimulatorError.addressUnusable(host: host, port: port, reason: "the host is not known")
    }
    let responder = CallbackResponder<BasicRequestContext> { request, _ in
      let simulated = SimulatedRequest(request)
      let answer = await upstream.answer(simulated)
      let record = RequestRecord(
        time: Date(), method: simulated.method, path: simulated.path, query: simulated.query,
        status: answer.status, bytes: answer.body.count)
      history.append(record)
      log?.append(record)
      return Response(answer)
    }
    return Application(
      responder: responder,
      configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { onListening(port) }
      },
      logger: Logger(label: "upstream-sim", factory: { _ in SwiftLogNoOpLogHandler() }))
  }
}

/// Why a simulator cannot be started.
package enum SimulatorError: Error, CustomStringConvertible, Equatable {
  case addressUnusable(host: String, port: Int, reason: String)
  case recordingUnreadable(path: String, reason: String)
  case logUnwritable(path: String, reason: String)

  package var description: String {
    switch self {
    case .addressUnusable(let host, let port, let reason):
      "cannot listen on \(host):\(port): \(reason); choose another --port (0 takes a free one) or --host"
    case .recordingUnreadable(let path, let reason):
      "cannot serve the recording at \(path): \(reason); name the folder of a recording"
    case .logUnwritable(let path, let reason):
      "cannot write the request log \(path): \(reason); choose another --log"
    }
  }

  /// The code of `sysexits.h` a program ends with.
  package var exitCode: Int32 {
    switch self {
    case .addressUnusable: 69
    case .recordingUnreadable: 66
    case .logUnwritable: 73
    }
  }
}

extension SimulatedRequest {
  fileprivate init(_ request: Request) {
    let target = request.head.path ?? "/"
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      method: request.method.rawValue, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
      headers: request.headers.map { HeaderField($0.name.rawName, $0.value) })
  }
}

extension Response {
  fileprivate init(_ answer: SimulatedAnswer) {
    var fields = HTTPFields()
    for header in answer.headers {
      guard let name = HTTPField.Name(header.name) else { continue }
      fields.append(HTTPField(name: name, value: header.value))
    }
    self.init(
      status: HTTPResponse.Status(code: answer.status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
  }
}
