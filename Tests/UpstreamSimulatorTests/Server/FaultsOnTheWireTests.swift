import Foundation
import NIOCore
import NIOPosix
import SyncCore
import SyncHTTP
import Testing

@testable import UpstreamSimulator

@Suite("Faults over a socket", .timeLimit(.minutes(10)))
struct FaultsOnTheWireTests {
  /// The correct answer. It is larger than one read and smaller than a socket's buffer.
  private static let body = Array(#"{"data":["\#(String(repeating: "abcdefgh", count: 2500))"]}"#.utf8)
  private static let upstream = ScriptedUpstream { _ in .json(body) }

  private func withFault(
    _ plan: String, _ upstream: ScriptedUpstream = upstream, _ body: (SimulatorServer) async throws -> Void
  ) async throws { try await SimulatorServer.withServer(upstream, chaos: Chaos(plan), body) }

  private func fetch(
    _ server: SimulatorServer, deadline: Duration = .seconds(3600), bodyBytes: Int = 1 << 20
  ) async throws -> UpstreamResponse {
    try await HTTPTransport.with(userAgent: "test", deadline: deadline, bodyBytes: bodyBytes) { transport in
      try await transport.fetch(UpstreamRequest(url: "\(server.baseURL)/v1/top/anime?page=1"))
    }
  }

  private func failure(
    _ server: SimulatorServer, deadline: Duration = .seconds(3600), bodyBytes: Int = 1 << 20
  ) async throws -> SyncError {
    try #require(
      await #expect(throws: SyncError.self) { try await fetch(server, deadline: deadline, bodyBytes: bodyBytes) })
  }

  @Test(
    "a status is an answer, with Retry-After where one is given",
    arguments: [
      ("429", 429, nil), ("429:7s", 429, "7"), ("403", 403, nil), ("500", 500, nil), ("503:30s", 503, "30"),
      ("404", 404, nil),
    ] as [(String, Int, String?)])
  func statuses(plan: String, status: Int, retryAfter: String?) async throws {
    try await withFault(plan) { server in
      let response = try await fetch(server)
      #expect(response.status == status && response.headers["retry-after"] == retryAfter)
      struct Problem: Decodable { var status: Int }
      #expect(try JSONDecoder().decode(Problem.self, from: Data(response.body)).status == status)
      let record = try #require(server.history.records.first)
      #expect(record.status == status && record.fault == plan.split(separator: ":").first.map(String.init))
      #expect(record.bytes == response.body.count)
    }
  }

  @Test(
    "answers without a fault of the connection, each with what the body is",
    arguments: [
      ("403-empty", 403, []), ("html", 200, Array("<!DOCTYPE html>".utf8)),
      ("invalid-json", 200, Array(body.prefix(body.count / 2))),
    ] as [(String, Int, [UInt8])])
  func bodies(plan: String, status: Int, start: [UInt8]) async throws {
    try await withFault(plan) { server in
      let response = try await fetch(server)
      #expect(response.status == status && response.body.starts(with: start))
      #expect(plan == "html" || response.body.count == start.count)
      #expect((response.headers["content-type"]?.hasPrefix("text/html") == true) == (plan == "html"))
    }
  }

  @Test("reset: half of the body, and the connection is reset")
  func reset() async throws {
    try await withFault("reset") { server in
      let raw = try await RawAnswer.of(port: server.port)
      #expect(raw.error == ECONNRESET)
      #expect(raw.head.hasPrefix("HTTP/1.1 200 OK\r\n") && raw.header("Content-Length") == "\(Self.body.count)")
      #expect(!raw.body.isEmpty && raw.body == Array(Self.body.prefix(Self.body.count / 2)))
      let error = try await failure(server)
      #expect(error.disposition == .retry(after: nil) && error.code == .upstream)
      #expect(server.history.records.map(\.fault) == ["reset", "reset"])
    }
  }

  @Test("cut: half of the body, and an orderly end", arguments: [true, false])
  func cut(chunked: Bool) async throws {
    try await withFault(chunked ? "cut-chunked" : "cut") { server in
      let raw = try await RawAnswer.of(port: server.port)
      #expect(raw.error == nil)
      let half = Array(Self.body.prefix(Self.body.count / 2))
      if chunked {
        #expect(raw.header("Transfer-Encoding") == "chunked" && raw.header("Content-Length") == nil)
        #expect(raw.body == Array("\(String(half.count, radix: 16))\r\n".utf8) + half + Array("\r\n".utf8))
      } else {
        #expect(raw.header("Content-Length") == "\(Self.body.count)" && raw.body == half)
      }
      #expect(try await failure(server).disposition == .retry(after: nil))
    }
  }

  @Test("hang: no answer, and neither a client that gives up nor the end of the server waits for one")
  func hang() async throws {
    try await withFault("hang") { server in
      let error = try await failure(server, deadline: .seconds(1))
      #expect(error.message.contains("no complete answer within 1 s") && error.disposition == .retry(after: nil))
      let record = try #require(server.history.records.first)
      #expect(record.status == nil && record.fault == "hang" && record.bytes == 0)
      async let waiting = RawAnswer.of(port: server.port)
      while server.history.count < 2 { await Task.yield() }
      await server.stop()
      #expect(try await waiting.bytes.isEmpty)
    }
  }

  @Test("drip: the head at once and the body byte by byte, too slow for a deadline")
  func drip() async throws {
    try await withFault("drip:1h") { server in
      let raw = try await RawAnswer.of(port: server.port, enough: 80)
      #expect(raw.header("Content-Length") == "\(Self.body.count)" && raw.body.count <= 1)
      #expect(try await failure(server, deadline: .seconds(1)).disposition == .retry(after: nil))
    }
  }

  @Test("broken compression is never a short success", arguments: ["gzip-truncated", "gzip-crc", "gzip-plain"])
  func gzip(plan: String) async throws {
    try await withFault(plan) { server in
      let raw = try await RawAnswer.of(port: server.port, headers: ["Connection: close"])
      #expect(raw.header("Content-Encoding") == "gzip" && raw.header("Content-Length") == "\(raw.body.count)")
      let whole = Gzip.stored(Self.body)
      switch plan {
      case "gzip-truncated": #expect(raw.body == Array(whole.prefix(whole.count / 2)))
      case "gzip-crc": #expect(zip(raw.body, whole).count { $0 != $1 } == 1 && raw.body.count == whole.count)
      default: #expect(raw.body == Self.body)
      }
      #expect(try await failure(server).disposition == .retry(after: nil))
    }
  }

  @Test("a stored gzip stream is read by a real reader, late if the fault is a delay")
  func validGzip() async throws {
    let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let gzip = ScriptedUpstream { _ in
      SimulatedAnswer(headers: [HeaderField("Content-Encoding", "gzip")], body: Gzip.stored(body))
    }
    try await withFault("delay:50ms", gzip) { server in
      let start = ContinuousClock.now
      let response = try await fetch(server)
      #expect(response.body == body && .now - start >= .milliseconds(50))
    }
  }

  @Test("stopped, it refuses; started, it is back at its port with its history")
  func stopAndStart() async throws {
    try await SimulatorServer.withServer(Self.upstream) { server in
      for round in 1...3 {
        #expect(try await fetch(server).body == Self.body)
        await server.stop()
        let error = try await failure(server)
        #expect(error.message.contains("cannot connect") && error.disposition == .retry(after: nil))
        #expect(server.history.count == round)
        try await server.start()
      }
      try await server.start()
      #expect(try await fetch(server).body == Self.body && server.history.count == 4)
    }
  }

  @Test("a server that is down keeps its port from others")
  func reservation() async throws {
    try await SimulatorServer.withServer(Self.upstream) { server in
      await server.stop()
      let other = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 0)
      // No client has connected yet, so only the reservation can prevent the bind.
      let error = await #expect(throws: IOError.self) {
        try await other.bind(host: "127.0.0.1", port: server.port).get().close()
      }
      #expect(error?.errnoCode == EADDRINUSE)
    }
  }

  @Test("clients that connect in the very moment of a stop are closed, and the process lives")
  func stopUnderLoad() async throws {
    try await SimulatorServer.withServer(Self.upstream) { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...4 {
          group.addTask {
            while !Task.isCancelled { _ = try? await RawAnswer.of(port: server.port, headers: ["Connection: close"]) }
          }
        }
        for round in 1...15 {
          while server.history.count < round * 5 { await Task.yield() }
          await server.stop()
          try await server.start()
        }
        group.cancelAll()
      }
    }
  }

  @Test("down: refused from the start of the span to its end, and answered again")
  func down() async throws {
    let start = ContinuousClock.now
    try await withFault("down@0s-3s") { server in
      var refused = false
      var served = false
      while !(refused && served), .now - start < .seconds(120) {
        do {
          _ = try await fetch(server)
          served = refused
        } catch is SyncError { refused = true }
      }
      #expect(refused && served && .now - start >= .seconds(3))
    }
  }
}
