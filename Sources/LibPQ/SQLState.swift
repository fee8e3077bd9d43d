/// The five characters by which PostgreSQL names a condition, in any language of its messages.
package struct SQLState: Hashable, Sendable, CustomStringConvertible {
  /// The five ASCII bytes, first character in the highest place.
  private let packed: UInt64

  /// Reads five characters out of `0…9 A…Z`; anything else is no SQLSTATE.
  package init?(_ code: some StringProtocol) {
    var packed: UInt64 = 0
    guard code.utf8.count == 5 else { return nil }
    for byte in code.utf8 {
      guard (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) else { return nil }
      packed = packed << 8 | UInt64(byte)
    }
    self.packed = packed
  }

  /// For the generated names only.
  init(literal code: StaticString) {
    precondition(code.utf8CodeUnitCount == 5)
    var packed: UInt64 = 0
    code.withUTF8Buffer { for byte in $0 { packed = packed << 8 | UInt64(byte) } }
    self.packed = packed
  }

  package var description: String {
    String(decoding: (0..<5).map { UInt8(truncatingIfNeeded: packed >> UInt64(8 * (4 - $0))) }, as: UTF8.self)
  }

  /// The first two characters: `08` connection, `23` integrity, `40` rollback, `53` resources, …
  package var classCode: String { String(description.prefix(2)) }
}
