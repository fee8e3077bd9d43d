import SyncCore
import SyncTestKit
import Testing

@testable import SyncHTTP

@Suite(.timeLimit(.minutes(5)))
struct BodyReaderTests {
  private static func packed(bytes: Int) throws -> [UInt8] {
    try GzipMember.packed([UInt8](repeating: 0x20, count: bytes))
  }

  @Test("however many bodies come at a time, those without room stay small, packed or not", arguments: [true, false])
  func room(isPacked: Bool) async throws {
    let size = 31 << 20
    let body = isPacked ? try Self.packed(bytes: size) : [UInt8](repeating: 0x20, count: 1 << 20)
    let budget = ByteBudget(bytes: Limits.bodyBytesInFlight)
    let others = try #require(budget.reserveNow(Limits.bodyBytesInFlight))
    var held = 0
    for _ in 0..<32 {
      var reader = try BodyReader(codings: isPacked ? ["gzip"] : [], limit: Limits.responseBodyBytes)
      var waited = 0
      do {
        try await reader.add(body) { bytes in
          waited += 1
          guard let room = budget.reserveNow(bytes) else { throw CancellationError() }
          return room
        }
      } catch is CancellationError {}
      #expect(waited == 1)
      held += reader.bytes.count
    }
    #expect(held <= 32 * Limits.usualBodyBytes)
    // A body and its parsed items need about three times the body's size in memory.
    #expect(held + 3 * Limits.bodyBytesInFlight <= 256 << 20)
    others.release()
  }

  @Test("a body has room for all that it may need while it comes, and then for what it has")
  func shrinks() async throws {
    let budget = ByteBudget(bytes: 8 << 20)
    var reader = try BodyReader(codings: ["gzip"], limit: 8 << 20)
    try await reader.add(try Self.packed(bytes: 3 << 20)) { try await budget.reserve($0) }
    #expect(budget.reserveNow(1) == nil)
    let (bytes, room) = try reader.finish()
    #expect(bytes.count == 3 << 20)
    let others = try #require(budget.reserveNow(5 << 20))
    #expect(budget.reserveNow(1) == nil)
    withExtendedLifetime((room, others)) {}
  }

  @Test("who waits for memory gets it in order, and who is cancelled makes way")
  func waiting() async throws {
    let budget = ByteBudget(bytes: 10)
    let first = try await budget.reserve(6)
    let large = Task { try await budget.reserve(9) }
    // Nothing else is admitted while `large` waits.
    try await waitUntil("large waits") { budget.reserveNow(1) == nil }
    let small = Task { try await budget.reserve(3) }
    #expect(budget.reserveNow(1) == nil)
    large.cancel()
    await #expect(throws: CancellationError.self) { _ = try await large.value }
    let second = try await small.value
    #expect(budget.reserveNow(2) == nil && budget.reserveNow(1) != nil)
    let third = Task { try await budget.reserve(10) }
    first.release()
    second.release()
    let all = try await third.value
    #expect(budget.reserveNow(1) == nil)
    all.release()
    #expect(budget.reserveNow(10) != nil)
    let cancelled = Task { try await budget.reserve(10) }
    cancelled.cancel()
    (try? await cancelled.value)?.release()
    #expect(budget.reserveNow(10) != nil)
  }

  @Test("a body beyond its limit ends there")
  func limit() async throws {
    let budget = ByteBudget(bytes: 8 << 20)
    var reader = try BodyReader(codings: ["gzip"], limit: 1 << 20)
    let body = try Self.packed(bytes: 31 << 20)
    do {
      try await reader.add(body) { try await budget.reserve($0) }
      Issue.record("it was read")
    } catch let fault as BodyReader.Fault { #expect(fault == .tooLarge) }
    #expect(reader.bytes.count <= 1 << 20)
  }

  private static let text = Array("one and two and three".utf8)

  private static func unpacked(_ bytes: [UInt8], piece: Int) throws -> [UInt8] {
    let reader = try GzipReader()
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      var input = bytes[start..<min(start + piece, bytes.count)]
      while true {
        let unpacked = try reader.unpack(&input)
        guard !unpacked.isEmpty else { break }
        output += unpacked
      }
      #expect(input.isEmpty)
    }
    guard reader.isComplete else { throw GzipMember.Fault.damaged }
    return output
  }

  @Test("members, empty ones too, and zero bytes after the last are one text, wherever the input is divided")
  func members() throws {
    let (one, none) = (try GzipMember.packed(Self.text), try GzipMember.packed([]))
    let large = [UInt8](repeating: 7, count: 200_000)
    for (bytes, expected) in [
      (one, Self.text), (one + one, Self.text + Self.text), (none, []), (none + one + none, Self.text),
      (one + [0], Self.text), (one + one + [UInt8](repeating: 0, count: 700), Self.text + Self.text),
      (try GzipMember.packed(large) + one, large + Self.text),
    ] {
      #expect(try GzipMember.unpacked(bytes, limit: expected.count) == expected)
      for piece in [1, 2, 3, 17, 18, 19, 4096] { #expect(try Self.unpacked(bytes, piece: piece) == expected) }
    }
  }

  @Test("what is no gzip, or not all of it, is damaged")
  func damaged() throws {
    let one = try GzipMember.packed(Self.text)
    var wrong = one
    wrong[wrong.count - 6] ^= 1
    let cuts = (1..<one.count).map { one + one[..<$0] }
    for bytes in cuts + [[], Self.text, [0], one + wrong, wrong + one, one + [1], one + [0, 1], one + [0] + one] {
      #expect(throws: GzipMember.Fault.damaged) { try GzipMember.unpacked(bytes, limit: 1 << 20) }
      #expect(throws: GzipMember.Fault.damaged) { try Self.unpacked(bytes, piece: 5) }
    }
    #expect(throws: GzipMember.Fault.tooLarge) { try GzipMember.unpacked(one + one, limit: 2 * Self.text.count - 1) }
  }
}
