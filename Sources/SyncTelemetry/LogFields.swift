import Logging
import SyncCore

struct LogFields {
  let entries: [(name: String, value: String)]
  let isCut: Bool

  /// - Parameter reserved: The record's own field names; metadata with such a name gets the suffix `_`.
  init(_ metadata: Logger.Metadata, reserved: Set<String>) {
    var taken = reserved
    var entries: [(name: String, value: String)] = []
    let keys = metadata.keys.sorted().prefix(Limits.logEntries)
    for key in keys {
      guard let value = metadata[key] else { continue }
      var name = Self.snakeCase(key)
      // Different keys may have the same snake-case name; keep both values.
      while !taken.insert(name).inserted { name += "_" }
      entries.append((name, Self.text(value)))
    }
    self.entries = entries
    isCut = metadata.count > keys.count
  }

  /// Nested lists are omitted.
  private static func text(_ value: Logger.MetadataValue, isNested: Bool = false) -> String {
    switch value {
    case .string(let text): text
    case .stringConvertible(let described): described.description
    case .array(let elements) where !isNested:
      joined(elements.lazy.map { text($0, isNested: true) })
    case .dictionary(let members) where !isNested:
      joined(members.sorted { $0.key < $1.key }.lazy.map { "\($0.key)=\(text($0.value, isNested: true))" })
    default: String.ellipsis
    }
  }

  private static func joined(_ texts: some Collection<String>) -> String {
    let isCut = texts.count > Limits.logEntries
    return (Array(texts.prefix(Limits.logEntries)) + (isCut ? [String.ellipsis] : [])).joined(separator: ", ")
  }

  /// Converts `runID` to `run_id` and `http.status` to `http_status`.
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
  /// At most `limit` bytes, including the `…` of a cut. Never splits a scalar.
  func bounded(toBytes limit: Int, width: (Unicode.Scalar) -> Int = { UTF8.width($0) }) -> String {
    var bytes = 0
    var end = unicodeScalars.startIndex
    for index in unicodeScalars.indices {
      if bytes + Self.ellipsis.utf8.count <= limit { end = index }
      bytes += width(unicodeScalars[index])
      if bytes > limit { return String(unicodeScalars[..<end]) + Self.ellipsis }
    }
    return self
  }

  static var ellipsis: String { "…" }
}
