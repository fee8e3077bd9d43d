import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("The simulator as a program runs it")
struct SimulatorServerTests {
  private static let upstream = ScriptedUpstream { _ in .json("123") }

  @Test("A port in use is reported as such")
  func portInUse() async throws {
    try await SimulatorServer.withServer(Self.upstream) { server in
      let error = await #expect(throws: SimulatorError.self) {
        try await SimulatorServer.run([Self.upstream], host: "127.0.0.1", port: server.port, log: nil) { _ in }
      }
      #expect(error?.exitCode == 69)
      #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
    }
  }

  @Test("The log has one JSON line for each request")
  func log() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "requests-\(UUID().uuidString).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let log = try RequestLog.appending(toFileAt: path)
    let (servers, listening) = AsyncStream.makeStream(of: [SimulatorServer].self)
    let running = Task {
      try await SimulatorServer.run(
        [Self.upstream], host: "127.0.0.1", port: 0, log: log, onListening: { listening.yield($0) })
    }
    var lines: [UInt8] = []
    for await server in servers.map({ $0[0] }) {
      for target in ["/v4/a?b=%22c", "/"] {
        #expect(try await RawAnswer.of(port: server.port, target, headers: ["Connection: close"]).body.count == 3)
      }
      lines = server.history.records.flatMap(RequestLog.line)
      break
    }
    running.cancel()
    _ = await running.result
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == lines && lines.count { $0 == 0x0A } == 2)
  }
}
