import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct HostileAnswers {
    static let answers = [
      "HTTP/1.1 099 X\r\nContent-Length: 2\r\n\r\nab",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nab",
    ]

    @Test(arguments: answers) func probe(answer: String) async throws {
      let home = try TemporaryFolder()
      try await RawServer.with(Array(answer.utf8)) { server in
        let result = try await ProgramUnderTest.named("syncctl").run(
          ["health", "--endpoint", "http://127.0.0.1:\(server.port)/readyz"], environment: ["HOME": home.path],
          in: home.path)
        result.expectFailure(1, naming: "no worker answers")
        #expect(server.heads.count == 1)
      }
    }

    @Test func heartbeat() async throws {
      let fresh = try await Mirror.make()
      let list = try HandmadeList.numbered(1...3)
      try await RawServer.with(Array(Self.answers[0].utf8)) { watchdog in
        try await SimulatorServer.withServer(list.upstream) { server in
          let mirror = fresh.with(upstream: server.baseURL).with(["SYNCCTL_HEARTBEAT_URL": watchdog.url])
          let result = try await mirror.succeed("run", "--stream", "top-anime")
          #expect(result.standardError.contains("could not be reached"), "\(result.standardError)")
        }
      }
    }
  }
}
