import Foundation
import SyncCore
import SyncHTTP

enum UserFile {
  /// - Throws: `SyncError` `.usage` if the file cannot be read, is too long, or is not UTF-8.
  static func text(
    _ file: String, atMost limit: Int, hint: String, unpack: (Data) throws -> Data = { $0 }
  ) throws -> String {
    let name = file == "-" ? "standard input" : Excerpt.of(file)
    let handle: FileHandle
    do {
      handle = file == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
    } catch {
      throw SyncError(.usage, "\(name) cannot be opened", hint: hint)
    }
    var bytes = Data()
    do {
      while let chunk = try handle.read(upToCount: 65_536), !chunk.isEmpty {
        bytes += chunk
        guard bytes.count <= limit else {
          throw SyncError(.usage, "\(name) is longer than \(HumanFormat.bytes(Int64(limit)))", hint: hint)
        }
      }
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(.usage, "\(name) cannot be read", hint: hint)
    }
    guard let text = String(validating: try unpack(bytes), as: UTF8.self) else {
      throw SyncError(.usage, "\(name) is not UTF-8", hint: hint)
    }
    return text
  }
}

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
