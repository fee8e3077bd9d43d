import Hashing
import Testing

/// The examples are from FIPS 180-2 and from NIST.
@Suite("SHA-256")
struct SHA256Tests {
  private static let examples: [(text: String, digest: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]
  private static let ofMillion = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

  private func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  @Test("the examples of the standard, as a whole and byte by byte", arguments: examples)
  func standard(text: String, digest: String) {
    #expect(hex(SHA256.hash(data: Array(text.utf8))) == digest)
    var hash = SHA256()
    for byte in text.utf8 { hash.update(data: [byte]) }
    #expect(hex(hash.finalize()) == digest)
  }

  @Test(
    "a million times the letter a, in pieces shorter than, as long as and longer than a block",
    arguments: [1_000_000, 1000, 65, 64, 63])
  func million(size: Int) {
    var hash = SHA256()
    var left = 1_000_000
    while left > 0 {
      let piece = [UInt8](repeating: UInt8(ascii: "a"), count: min(size, left))
      piece.withUnsafeBytes { hash.update(bufferPointer: $0) }
      left -= piece.count
    }
    #expect(hex(hash.finalize()) == Self.ofMillion)
  }

  @Test("a copy and a digest in between leave the rest as it is")
  func copies() {
    var hash = SHA256()
    hash.update(data: Array("ab".utf8))
    var other = hash
    other.update(data: Array("d".utf8))
    #expect(hash.finalize() == SHA256.hash(data: Array("ab".utf8)))
    hash.update(data: Array("c".utf8))
    #expect(hex(hash.finalize()) == Self.examples[1].digest)
    #expect(other.finalize() == SHA256.hash(data: Array("abd".utf8)))
  }

  @Test("an empty buffer without an address adds nothing")
  func emptyBuffer() {
    var hash = SHA256()
    hash.update(bufferPointer: UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(hex(hash.finalize()) == Self.examples[0].digest)
  }
}
