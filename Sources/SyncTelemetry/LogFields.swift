import Logging
import SyncCore

/// The metadata of one record under the names that it is written with, in their order.
struct LogFields {
  let entries: [(name: String, value: Logger.MetadataValue)]
  /// Whether there were more than a record takes.
  let isCut: Bool

  /// - Parameter reserved: the names that the record itself uses; metadata with one of them gets the suffix `_`.
  init(_ metadata: Logger.Metadata, reserved: Set<String>) {
    var taken = reserved
    var entries: [(name: String, value: Logger.MetadataValue)] = []
    let keys = metadata.keys.sorted().prefix(Limits.logEntries)
    for key in keys {
      guard let value = metadata[key] else { continue }
      var name = Self.snakeCase(key)
      // Two names that differ in their spelling only: neither value is lost.
      while !taken.insert(name).inserted { name += "_" }
      entries.append((name, value))
    }
    self.entries = entries
    isCut = metadata.count > keys.count
  }

  /// The name in ASCII letters, digits and `_`: `runID` becomes `run_id`, `http.status` becomes `http_status`.
  static func snakeCase(_ key: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(key.utf8.prefix(Limits.logKeyBytes))
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0x41...0x5A:
        let previous = index > 0 ? bytes[index - 1] : 0
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        let beginsWord = isLowerOrDigit(previous) || (isUpper(previous) && isLower(next))
        if beginsWord { result.append(0x5F) }
        result.append(byte + 0x20)
      case 0x61...0x7A, 0x30...0x39: result.append(byte)
      default: result.append(0x5F)
      }
    }
    return result.isEmpty ? "_" : String(decoding: result, as: UTF8.self)
  }

  private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
  private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  private static func isLowerOrDigit(_ byte: UInt8) -> Bool { isLower(byte) || (0x30...0x39).contains(byte) }
}

extension String {
  /// The text with at most that many bytes of UTF-8, including the `…` that marks a cut. No scalar is cut in two.
  func bounded(toBytes limit: Int) -> String {
    // Most texts are short, and checking the whole of a long one would cost what the bound saves.
    if utf8.prefix(limit + 1).count <= limit { return self }
    let room = max(0, limit - Self.ellipsis.utf8.count)
    var kept = String.UnicodeScalarView()
    var bytes = 0
    for scalar in unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > room { break }
      kept.append(scalar)
    }
    return String(kept) + Self.ellipsis
  }

  static var ellipsis: String { "…" }
}
