import CZlib

/// Bytes in gzip's format, with its header and checksum.
package enum GzipMember {
  package enum Fault: Error, Equatable {
    case damaged
    /// More bytes than the limit once unpacked.
    case tooLarge
  }

  /// The window size of zlib that selects gzip's format.
  private static let window = MAX_WBITS + 16

  /// - Throws: `Fault` if zlib has no memory for it.
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
        (stream.next_in, stream.avail_in) = (input.baseAddress, CUnsignedInt(clamping: input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, CUnsignedInt(clamping: output.count))
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { throw .damaged }
    output.removeLast(Int(stream.avail_out))
    return output
  }

  /// Unpacks one whole member.
  ///
  /// - Throws: `Fault`.
  package static func unpacked(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, window, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .damaged
    }
    defer { inflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var status = Z_OK
    input.withUnsafeMutableBufferPointer { input in
      (stream.next_in, stream.avail_in) = (input.baseAddress, CUnsignedInt(clamping: input.count))
      while status == Z_OK, output.count <= limit {
        let count = chunk.withUnsafeMutableBufferPointer { chunk in
          (stream.next_out, stream.avail_out) = (chunk.baseAddress, CUnsignedInt(clamping: chunk.count))
          status = inflate(&stream, Z_NO_FLUSH)
          return chunk.count - Int(stream.avail_out)
        }
        output += chunk[..<count]
      }
    }
    guard output.count <= limit else { throw .tooLarge }
    guard status == Z_STREAM_END, stream.avail_in == 0 else { throw .damaged }
    return output
  }

  /// The checksum that gzip has too.
  static func checksum(of bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, CUnsignedInt(clamping: bytes.count)))
  }
}
