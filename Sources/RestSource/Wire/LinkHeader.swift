import SyncCore

/// The links of a header `Link` (RFC 8288, section 3).
///
/// The parser reads each byte once or twice, because a service can send any bytes: a regular expression needed minutes
/// for 30 KB. Names of parameters and relations are compared without case. A value can have double quotes, single
/// quotes, which some services send, or none.
struct LinkHeader {
  /// A link with its address, which can be relative, and its relations.
  private struct Link {
    let target: String
    /// In lowercase.
    let relations: [String]
  }

  /// The links that have a relation.
  private var links: [Link] = []
  /// Whether all of the header was understood. If not, a link that was not found can be in the rest.
  private(set) var isWhole = true

  static func target(of relation: String, in header: String) -> String? { LinkHeader(header).target(of: relation) }

  /// Returns the address of the first link with the relation, or `nil`.
  func target(of relation: String) -> String? {
    let relation = relation.lowercased()
    return links.first { $0.relations.contains(relation) }?.target
  }

  init(_ header: String) {
    let bytes = Array(header.utf8)
    bytes.withUnsafeBufferPointer { read($0) }
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private mutating func read(_ bytes: Bytes) {
    var position = 0
    while true {
      while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 || bytes[position] == 0x2C {
        position += 1
      }
      guard position < bytes.count else { return }
      let start = position + 1
      if bytes[position] == UInt8(ascii: "<") {
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
      }
      guard position < bytes.count, position >= start else {
        // No further link can begin reliably in a text that is not a link.
        isWhole = false
        return
      }
      let target = start..<position
      position += 1
      guard let relations = readParameters(bytes, &position) else { continue }
      links.append(Link(target: Self.text(bytes, target), relations: relations))
    }
  }

  /// Reads `; name=value` until the comma that ends the link, and returns the relations. Only the first parameter `rel`
  /// counts (RFC 8288, section 3.3).
  private mutating func readParameters(_ bytes: Bytes, _ position: inout Int) -> [String]? {
    var relations: [String]?
    while position < bytes.count, bytes[position] != UInt8(ascii: ",") {
      guard bytes[position] == UInt8(ascii: ";") else {
        // Anything else before the next semicolon or comma belongs to no parameter.
        if bytes[position] != 0x20, bytes[position] != 0x09 { isWhole = false }
        position += 1
        continue
      }
      position += 1
      let nameStart = position
      while position < bytes.count, bytes[position] != 0x3D, bytes[position] != 0x3B, bytes[position] != 0x2C {
        position += 1
      }
      guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
      let isRelation = relations == nil && Self.isRelation(bytes, nameStart..<position)
      position += 1
      let value = readValue(bytes, &position)
      guard isRelation else { continue }
      relations = Self.text(bytes, value).lowercased().split { $0.isWhitespace }.map(String.init)
    }
    return relations
  }

  /// Returns the range of the value, without its quotes. Relations have no escaped characters, so escapes stay.
  private mutating func readValue(_ bytes: Bytes, _ position: inout Int) -> Range<Int> {
    while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
    let start = position
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
      while position < bytes.count, bytes[position] != 0x3B, bytes[position] != 0x2C { position += 1 }
      return start..<position
    }
    let quote = bytes[position]
    position += 1
    while position < bytes.count, bytes[position] != quote {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < bytes.count else {
      isWhole = false
      position = bytes.count
      return start..<start
    }
    position += 1
    return (start + 1)..<(position - 1)
  }

  /// Whether the name is `rel`, in any case and with blanks around it.
  private static func isRelation(_ bytes: Bytes, _ range: Range<Int>) -> Bool {
    // No name that is much longer can be `rel`, and most names are.
    guard range.count >= 3, range.count <= 64 else { return false }
    return text(bytes, range).trimmingBlanks.lowercased() == "rel"
  }

  private static func text(_ bytes: Bytes, _ range: Range<Int>) -> String {
    String(decoding: Bytes(rebasing: bytes[range]), as: UTF8.self)
  }
}
