import Foundation
import SyncCore
import SyncHTTP

enum GzipFile {
  static func isGzip(_ bytes: Data) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// - Throws: `SyncError` `.usage` if the bytes are damaged, or unpack to more than `limit` bytes.
  static func unpacked(_ bytes: Data, limit: Int) throws(SyncError) -> Data {
    do throws(GzipMember.Fault) {
      return Data(try GzipMember.unpacked(Array(bytes), limit: limit))
    } catch .tooLarge {
      throw SyncError(
        .usage, "the file is longer than \(HumanFormat.bytes(Int64(limit))) when decompressed",
        hint: "import it in parts")
    } catch {
      throw SyncError(.usage, "the gzip file is damaged or incomplete", hint: "download it again")
    }
  }
}
