import CZlib

/// Gzip (RFC 1952) of whole texts in memory. `GzipReader` reads longer texts piece by piece.
package enum GzipMember {
  /// The reason why bytes cannot be packed or unpacked.
  package enum Fault: Error, Equatable {
    /// The data is not gzip, or its end is missing.
    case damaged
    /// The decompressed text is larger than the limit.
    case tooLarge
  }

  /// The largest window of zlib. The added 16 selects gzip instead of zlib's own format.
  static let window = MAX_WBITS + 16

  /// Returns the bytes as one gzip member. The input must have less than 4 GiB, which zlib counts in 32 bits. Throws
  /// `.damaged` for a larger input, or if zlib has no memory.
  package static func packed(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
    var stream = z_stream()
    let started = deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { throw .damaged }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
    var input = bytes
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = CUnsignedInt(clamping: input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = CUnsignedInt(clamping: output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { throw .damaged }
    output.removeLast(Int(stream.avail_out))
    return output
  }

  /// Returns the decompressed bytes of one or several members.
  ///
  /// Throws `.tooLarge` as soon as the result has more than `limit` bytes, and `.damaged` for incomplete or other data.
  package static func unpacked(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    let reader = try GzipReader()
    var (rest, output) = (bytes[...], [UInt8]())
    while output.count <= limit {
      let piece = try reader.unpack(&rest)
      guard !piece.isEmpty else { break }
      output += piece
    }
    guard output.count <= limit else { throw .tooLarge }
    guard reader.isComplete else { throw .damaged }
    return output
  }

  /// Returns the CRC-32 of the bytes, as gzip uses it.
  static func checksum(of bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, CUnsignedInt(clamping: bytes.count)))
  }
}
