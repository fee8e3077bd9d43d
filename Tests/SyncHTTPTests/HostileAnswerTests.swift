import Foundation
import SyncCore
import SyncHTTP
import SyncTestKit
import Testing

@Suite("The transport and hostile answers", .timeLimit(.minutes(60)))
struct HostileAnswerTests {
  private static let count = ProcessInfo.processInfo.environment["SYNCCTL_TEST_FUZZ"].flatMap { Int($0) } ?? 500
  private static let concurrency = 64

  @Test("a request ends in an answer or an error, whatever the server sends")
  func fuzz() async throws {
    let seed = testSeed
    let answering: @Sendable (String) -> RawServer.Answer = { head in
      let number = head.split(separator: " ").dropFirst().first.flatMap { Int($0.dropFirst()) } ?? 0
      return HostileAnswer.make(seed: seed, number: number)
    }
    var read = 0
    try await RawServer.with(answering: answering) { server in
      // All requests share one client, because bytes left on a connection affect the next request.
      try await HTTPTransport.with(userAgent: "test", deadline: .seconds(1), bodyBytes: 65_536) { transport in
        try await withThrowingTaskGroup(of: Bool.self) { group in
          for number in 0..<Self.count {
            if number >= Self.concurrency, try await group.next() == true { read += 1 }
            let url = "http://127.0.0.1:\(server.port)/\(number)"
            group.addTask { try await Self.isRead(url, transport) }
          }
          for try await isRead in group where isRead { read += 1 }
        }
      }
    }
    #expect((Self.count / 10..<Self.count * 9 / 10).contains(read))
    tellTorture("\(Self.count) answers of seed \(seed): \(read) read, \(Self.count - read) refused, no trap")
  }

  private static func isRead(_ url: String, _ transport: HTTPTransport) async throws -> Bool {
    let start = ContinuousClock.now
    // The deadline is one second, but a busy machine can add delays.
    defer { #expect(.now - start < .seconds(60), "\(url)") }
    do {
      let response = try await transport.fetch(UpstreamRequest(url: url))
      #expect((200..<1000).contains(response.status), "\(url)")
      #expect(response.body.count <= 65_536, "\(url)")
      return true
    } catch is SyncError { return false }
  }
}
