#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// An incremental SHA-256 (FIPS 180-4). The digest depends only on the concatenated bytes, not on their division into
/// updates.
///
/// The implementation is libcrypto's, or CryptoKit's on Apple systems (docs/decisions/project.md).
package struct SHA256 {
  #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()
  #else
    // The C functions cannot fail: they only work on this structure and always return 1.
    private var state = SHA256_CTX()
  #endif

  /// Creates the state of an empty message.
  package init() {
    #if !canImport(CryptoKit)
      SHA256_Init(&state)
    #endif
  }

  /// Returns the 32-byte digest of the bytes.
  package static func hash(data: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: data)
    return hash.finalize()
  }

  /// Appends bytes to the message.
  package mutating func update(data: [UInt8]) {
    data.withUnsafeBytes { update(bufferPointer: $0) }
  }

  /// Appends the buffer's bytes to the message. The buffer is not kept.
  package mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
      state.update(bufferPointer: bufferPointer)
    #else
      SHA256_Update(&state, bufferPointer.baseAddress, bufferPointer.count)
    #endif
  }

  /// Returns the 32-byte digest. The state does not change, so more bytes can follow.
  package func finalize() -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(state.finalize())
    #else
      var state = state
      return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
        count = Int(SHA256_DIGEST_LENGTH)
        SHA256_Final(digest.baseAddress, &state)
      }
    #endif
  }
}
