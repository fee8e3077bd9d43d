import CZlib
import Foundation
import SyncCore

/// A file that gzip packed.
enum GzipFile {
  /// Whether the bytes begin as those of gzip do.
  static func isGzip(_ bytes: Data) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// - Throws: `SyncError` `.usage` for bytes that are damaged, or that are longer than `limit` once unpacked.
  static func unpacked(_ bytes: Data, limit: Int) throws(SyncError) -> Data {
    var stream = z_stream()
    // 16: with gzip's header and checksum.
    guard inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw SyncError(.usage, "the file cannot be unpacked", hint: "unpack it with gzip -d")
    }
    defer { inflateEnd(&stream) }
    var input = Array(bytes)
    var output = Data()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var status = Z_OK
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = CUnsignedInt(clamping: input.count)
      while status == Z_OK, output.count <= limit {
        let count = chunk.withUnsafeMutableBufferPointer { chunk in
          stream.next_out = chunk.baseAddress
          stream.avail_out = CUnsignedInt(clamping: chunk.count)
          status = inflate(&stream, Z_NO_FLUSH)
          return chunk.count - Int(stream.avail_out)
        }
        output += chunk[..<count]
      }
    }
    guard output.count <= limit else {
      throw SyncError(
        .usage, "the file is longer than \(HumanFormat.bytes(Int64(limit))) when it is unpacked",
        hint: "import it in parts")
    }
    guard status == Z_STREAM_END, stream.avail_in == 0 else {
      throw SyncError(.usage, "the gzip file is damaged or incomplete", hint: "download it again")
    }
    return output
  }
}
