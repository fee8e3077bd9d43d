import Foundation
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// In these tests, a connection to the database stays open but stops answering.
  @Suite struct Silences {
    private func proxied() async throws -> (Mirror, FaultProxy) {
      let mirror = try await Mirror.make()
      let database = mirror.database
      let proxy = try FaultProxy(serverPort: UInt16(database.tcpPort), servesAll: true)
      let url = "postgresql://\(database.productTCPUser)@127.0.0.1:\(proxy.port)/\(database.name)"
      return (
        mirror.with([
          "SYNCCTL_DATABASE_URL": "\(url)?sslmode=disable&gssencmode=disable", "PGPASSWORD": database.tcpPassword,
        ]), proxy
      )
    }

    @Test func aPermitThatGetsNoAnswerIsTakenOnAnotherConnection() async throws {
      let (fresh, proxy) = try await proxied()
      try await SimulatorServer.withServer(GeneratedJikan.plain(2000)) { server in
        let mirror = fresh.with(upstream: server.baseURL).with(["SYNCCTL_JIKAN_RATE_LIMITS": "1000/1s"])
        let silent = Changing(ContinuousClock.now)
        let result = try await mirror.syncctl("run", "--stream", "top-anime") { program in
          try await server.waitForRequests(5, after: 0)
          proxy.arm(.stall, at: "sync.take_permit")
          await proxy.waitUntilCut()
          silent.value = .now
          let seen = server.history.count
          do {
            try await waitUntil("the next request") { server.history.count > seen + 1 }
          } catch {
            program.signal(SIGKILL)
            throw error
          }
          tell(
            "permit connection silent: the next request came after \((ContinuousClock.now - silent.value).inSeconds)")
        }
        #expect(result.end == .exit(0), "\(result.standardError)")
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "2000")
      }
    }

    @Test func aWorkerThatLooksInVainIsNotReady() async throws {
      let (fresh, proxy) = try await proxied()
      try await SimulatorServer.withServer(GeneratedJikan.plain(50)) { server in
        let mirror = try fresh.with(upstream: server.baseURL).with(
          jobs: ["name: top, source: jikan, streams: [top-anime], schedule: '@daily'"])
        try await mirror.whileWorking("--listen", "127.0.0.1:0") { worker in
          let port = try await Telemetry.port(of: worker, mirror)
          func readiness() async throws -> RawClient.Answer {
            try #require(await RawClient.ask("GET", "/readyz", port: port))
          }
          try await waitUntil("a first look") { try await readiness().status == 200 }
          proxy.arm(.stall, at: "FROM sync.job WHERE", everyTime: true)
          await proxy.waitUntilCut()
          let silent = ContinuousClock.now
          var reason = ""
          try await waitUntil("the worker to say so") {
            let answer = try await readiness()
            reason = answer.body
            return answer.status == 503
          }
          let told = ContinuousClock.now
          proxy.disarm()
          tell("worker's look silent: not ready after \((told - silent).inSeconds): \(reason)")
          // The worker must report the silence before the poll fails.
          #expect(reason.contains("the database last answered"), "\(reason)")
          try await waitUntil("the worker to be ready", deadline: .seconds(60)) { try await readiness().status == 200 }
          tell("worker's look silent: ready again \((ContinuousClock.now - told).inSeconds) later")
        }
      }
    }
  }
}
