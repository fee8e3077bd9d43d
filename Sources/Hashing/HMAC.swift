/// HMAC-SHA256 (RFC 2104, with SHA-256 as the hash function).
package enum HMACSHA256 {
  private static let blockBytes = 64

  /// Returns the 32-byte code of a message. The key can have any length.
  package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    let short = key.count > blockBytes ? SHA256.hash(data: key) : key
    let padded = short + [UInt8](repeating: 0, count: blockBytes - short.count)
    let inner = SHA256.hash(data: padded.map { $0 ^ 0x36 } + message)
    return SHA256.hash(data: padded.map { $0 ^ 0x5C } + inner)
  }
}
