import Foundation
import SyncCore
import SyncHTTP
import Synchronization
import Testing

@testable import UpstreamSimulator

@Suite("The history of requests", .timeLimit(.minutes(10)))
struct RequestHistoryTests {
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  @Test("an arrival is noted before the answer is made, on the machine's monotonic clock")
  func arrival() async throws {
    let answered = Mutex<[Double]>([])
    let upstream = ScriptedUpstream { _ in
      answered.withLock { $0.append(Self.now()) }
      return .json("1")
    }
    try await SimulatorServer.withServer(upstream) { server in
      var last = Self.now()
      try await HTTPTransport.with(userAgent: "test") { transport in
        for page in 1...5 {
          _ = try await transport.fetch(UpstreamRequest(url: "\(server.baseURL)/x?page=\(page)"))
          let record = try #require(server.history.records.last)
          let answer = try #require(answered.withLock { $0.last })
          #expect(last <= record.arrival && record.arrival <= answer)
          #expect(abs(record.time.timeIntervalSinceNow) < 600)
          last = record.arrival
        }
      }
      #expect(ArrivalTimes(server.history.records).most(within: .seconds(600)) == 5)
    }
  }

  @Test("a client cannot set its arrival time, and the upstream does not see the note")
  func forgery() async throws {
    let upstream = ScriptedUpstream { request in .json(request.header("Simulator-Arrival") == nil ? "1" : "2") }
    try await SimulatorServer.withServer(upstream) { server in
      let before = Self.now()
      let headers = ["simulator-arrival: 1", "Connection: close"]
      let answer = try await RawAnswer.of(port: server.port, headers: headers)
      #expect(answer.body == Array("1".utf8))
      #expect(try #require(server.history.records.first).arrival >= before)
    }
  }

  @Test("a page is what the query says, if it says a number")
  func pages() async throws {
    try await SimulatorServer.withServer(ScriptedUpstream { _ in .json("1") }) { server in
      for query in ["?page=12&limit=3", "?limit=3", "?page=x", ""] {
        _ = try await RawAnswer.of(port: server.port, "/a\(query)", headers: ["Connection: close"])
      }
      #expect(server.history.records.map(\.page) == [12, nil, nil, nil])
      #expect(server.history.records.map(\.number) == [1, 2, 3, 4])
    }
  }

  @Test("a line of the log has all of it, with null for missing values")
  func line() throws {
    var record = RequestRecord(
      number: 3, time: Date(timeIntervalSince1970: 1_790_000_000.25), arrival: 12345.0000019, method: "GET",
      path: "/v1/top/anime", query: "page=2", page: 2, status: 200, fault: nil, bytes: 10)
    let text = String(decoding: RequestLog.line(for: record), as: UTF8.self)
    #expect(
      text == """
        {"number":3,"time":"2026-09-21T14:13:20.250Z","arrival":12345.000002,"method":"GET",\
        "path":"/v1/top/anime?page=2","page":2,"status":200,"fault":null,"bytes":10}\n
        """)
    record.page = nil
    record.status = nil
    record.fault = "hang"
    let hung = String(decoding: RequestLog.line(for: record), as: UTF8.self)
    #expect(hung.contains(#""page":null,"status":null,"fault":"hang","bytes":10}"#))
  }

  @Test("the largest number of requests in any window agrees with counting from every request on")
  func agreement() {
    for round in 0..<200 {
      let draws = Draws(seed: 5, stream: 1).of(round)
      let times = (0..<draws.draw(0, below: 60)).map { Double(draws.draw($0 + 1, below: 2000)) / 100 }
      for length in [0.01, 0.5, 1, 7.25, 30] {
        let slow = times.map { start in times.count { $0 >= start && $0 - start < length } }.max() ?? 0
        #expect(ArrivalTimes(times).most(within: .seconds(length)) == slow)
      }
    }
  }
}
