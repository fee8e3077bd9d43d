import CZlib

/// Decompresses gzip (RFC 1952) piece by piece. Accepts several members, and zero bytes after the last member.
///
/// After an error, the reader cannot be used again.
package final class GzipReader {
  private enum Position {
    case inMember, betweenMembers, inPadding
  }

  private static let pieceBytes = 64 << 10

  /// The stream is on the heap, because zlib requires a constant address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var position = Position.inMember
  private var piece = [UInt8](repeating: 0, count: pieceBytes)

  /// Creates a reader for the first member. Throws `.damaged` if zlib cannot start.
  package init() throws(GzipMember.Fault) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit2_(stream, GzipMember.window, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .damaged
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Whether the input so far ends after a member or in the padding. If it is false at the end of the input, data is
  /// missing.
  package var isComplete: Bool { position != .inMember }

  /// Decompresses the next piece, of at most 64 KiB, and removes the bytes that it used from `input`. The piece is
  /// empty if `input` is consumed.
  ///
  /// The caller repeats the call until a piece is empty, and then continues with more input. Throws `.damaged` if the
  /// data is not gzip.
  package func unpack(_ input: inout ArraySlice<UInt8>) throws(GzipMember.Fault) -> ArraySlice<UInt8> {
    while true {
      guard position == .inMember else {
        guard let next = input.first else { return [] }
        if position == .inPadding || next == 0 {
          guard input.allSatisfy({ $0 == 0 }) else { throw .damaged }
          position = .inPadding
          input = []
          return []
        }
        guard inflateReset(stream) == Z_OK else { throw .damaged }
        position = .inMember
        continue
      }
      let (count, status) = inflate(&input)
      switch status {
      case Z_STREAM_END: position = .betweenMembers
      case Z_OK where count > 0 || !input.isEmpty: break
      case Z_OK, Z_BUF_ERROR: return []
      default: throw .damaged
      }
      if count > 0 { return piece[..<count] }
    }
  }

  private func inflate(_ input: inout ArraySlice<UInt8>) -> (count: Int, status: CInt) {
    let (consumed, count, status) = input.withUnsafeBufferPointer { input in
      piece.withUnsafeMutableBufferPointer { piece in
        let offered = CUnsignedInt(clamping: input.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = offered
        stream.pointee.next_out = piece.baseAddress
        stream.pointee.avail_out = CUnsignedInt(clamping: piece.count)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        return (Int(offered - stream.pointee.avail_in), piece.count - Int(stream.pointee.avail_out), status)
      }
    }
    input = input.dropFirst(consumed)
    return (count, status)
  }
}
