import Foundation
import Testing
import UpstreamSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Simulator over a socket")
struct SimulatorServerTests {
  private func get(_ address: String) async throws -> (status: Int, headers: [AnyHashable: Any], body: [UInt8]) {
    let url = try #require(URL(string: address))
    let (data, response) = try await URLSession.shared.data(from: url)
    let answer = try #require(response as? HTTPURLResponse)
    return (answer.statusCode, answer.allHeaderFields, Array(data))
  }

  @Test("Generated pages arrive unchanged, and the history has the requests")
  func generated() async throws {
    let jikan = GeneratedJikan(JikanSettings(items: 60))
    try await SimulatorServer.withServer(jikan) { server in
      let before = Date()
      let page = try await get("\(server.baseURL)/v4/top/anime?page=2&limit=10")
      #expect(page.status == 200)
      #expect(page.headers["Content-Type"] as? String == "application/json")
      #expect(page.body == (await jikan.answer(SimulatedRequest(path: "/v4/top/anime", query: "page=2&limit=10"))).body)
      #expect(try await get("\(server.baseURL)/v4/top/anime?page=99").status == 404)
      let records = server.history.records
      #expect(records.map(\.target) == ["/v4/top/anime?page=2&limit=10", "/v4/top/anime?page=99"])
      #expect(records.map(\.status) == [200, 404] && records.map(\.method) == ["GET", "GET"])
      #expect(records[0].bytes == page.body.count && records[0].time >= before && server.history.count == 2)
    }
  }

  @Test("A script answers anything, with the request in hand")
  func scripted() async throws {
    let upstream = ScriptedUpstream { request in
      guard request.query == "odd=1" else { return .json("{}") }
      let seen = request.header("user-agent") == nil ? "no" : "yes"
      return SimulatedAnswer(
        status: 429, headers: [HeaderField("Retry-After", "3"), HeaderField("X-Agent", seen)], body: [0, 255, 10])
    }
    try await SimulatorServer.withServer(upstream) { server in
      let odd = try await get("\(server.baseURL)/anything?odd=1")
      #expect(odd.status == 429 && odd.body == [0, 255, 10])
      #expect(odd.headers["Retry-After"] as? String == "3" && odd.headers["X-Agent"] as? String == "yes")
      #expect(try await get("\(server.baseURL)/").body == Array("{}".utf8))
    }
  }

  @Test("The value of the body comes out, and its error, and two servers do not meet")
  func scope() async throws {
    struct Stop: Error {}
    let upstream = ScriptedUpstream { _ in .json("1") }
    let ports = try await SimulatorServer.withServer(upstream) { first in
      try await SimulatorServer.withServer(upstream) { second in [first.port, second.port] }
    }
    #expect(Set(ports).count == 2 && !ports.contains(0))
    await #expect(throws: Stop.self) { try await SimulatorServer.withServer(upstream) { _ in throw Stop() } }
  }

  @Test("A port in use is reported as such")
  func portInUse() async throws {
    let upstream = ScriptedUpstream { _ in .json("1") }
    try await SimulatorServer.withServer(upstream) { server in
      let error = await #expect(throws: SimulatorError.self) {
        try await SimulatorServer.run(upstream, host: "127.0.0.1", port: server.port, log: nil) { _ in }
      }
      #expect(error?.exitCode == 69)
      #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
    }
  }

  @Test("The log has one JSON line for each request")
  func log() async throws {
    struct Line: Decodable, Equatable {
      var time: String
      var method: String
      var path: String
      var status: Int
      var bytes: Int
    }
    let path = FileManager.default.temporaryDirectory.appending(path: "requests-\(UUID().uuidString).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let log = try RequestLog.appending(toFileAt: path)
    let (servers, listening) = AsyncStream.makeStream(of: SimulatorServer.self)
    let running = Task {
      try await SimulatorServer.run(
        ScriptedUpstream { _ in .json("123") }, host: "127.0.0.1", port: 0, log: log,
        onListening: { listening.yield($0) })
    }
    for await server in servers {
      _ = try await get("\(server.baseURL)/v4/a?b=%22c")
      break
    }
    running.cancel()
    _ = await running.result
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasSuffix("}\n") && text.contains("/v4/a?b=%22c"))
    let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
    #expect(line == Line(time: line.time, method: "GET", path: "/v4/a?b=%22c", status: 200, bytes: 3))
    #expect(line.time.count == 24 && line.time.hasSuffix("Z"))
  }
}
