import CZlib

package enum GzipMember {
  package enum Fault: Error, Equatable {
    case damaged
    case tooLarge
  }

  static let window = MAX_WBITS + 16

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

  static func checksum(of bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, CUnsignedInt(clamping: bytes.count)))
  }
}
