import Logging
import SyncCore

/// The metadata of a record as unique names and texts, sorted by key. `isCut` is true if more than `Limits.logEntries`
/// entries were given.
struct LogFields {
  let entries: [(name: String, value: String)]
  let isCut: Bool

  init(_ metadata: Logger.Metadata, reserved: Set<String>) {
    var usedNames = reserved
    var entries: [(name: String, value: String)] = []
    let keys = metadata.keys.sorted().prefix(Limits.logEntries)
    for key in keys {
      guard let value = metadata[key] else { continue }
      var name = Self.plain(key)
      while !usedNames.insert(name).inserted { name += "_" }
      entries.append((name, Self.text(value)))
    }
    self.entries = entries
    isCut = metadata.count > keys.count
  }

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

  private static func plain(_ key: String) -> String {
    let bytes = key.utf8.prefix(Limits.logKeyBytes).map { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) ? byte : 0x5F
    }
    return bytes.isEmpty ? "_" : String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// Returns at most `limit` bytes, including the `…` of a shortened text.
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
