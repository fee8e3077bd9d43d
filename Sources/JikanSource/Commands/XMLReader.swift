import SyncCore

/// Reads elements, texts, CDATA and XML's five entities. Declarations (`<!…`) are errors, because they can name files.
struct XMLReader {
  enum Event: Equatable {
    case start(String)
    case text(String)
    case end(String)
  }

  private static let deepest = 8
  private static let longestName = 100

  private let bytes: [UInt8]
  private var place = 0
  private var open: [String] = []
  private var hasRoot = false
  /// Whether the last element was empty (`<a/>`) and its end must still be returned.
  private var isEmptyElement = false

  /// XML requires that CR LF and CR become LF.
  init(_ text: String) {
    var last: UInt8 = 0
    bytes = text.utf8.compactMap { byte -> UInt8? in
      defer { last = byte }
      if byte == UInt8(ascii: "\n"), last == UInt8(ascii: "\r") { return nil }
      return byte == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : byte
    }
  }

  mutating func next() throws(SyncError) -> Event? {
    if isEmptyElement {
      isEmptyElement = false
      return .end(open.removeLast())
    }
    while place < bytes.count {
      if bytes[place] != UInt8(ascii: "<") {
        if let text = try text() { return .text(text) }
      } else if skip("<!--") {
        _ = try upTo("-->", of: "a comment")
      } else if skip("<?") {
        _ = try upTo("?>", of: "an instruction")
      } else if skip("<![CDATA[") {
        guard !open.isEmpty else { throw fault("it has text outside the root element") }
        return .text(String(decoding: try upTo("]]>", of: "a CDATA section"), as: UTF8.self))
      } else if has("<!") {
        throw fault("it has a declaration (<!…), which is not accepted")
      } else if skip("</") {
        return try end()
      } else {
        return try start()
      }
    }
    guard hasRoot else { throw fault("it has no root element") }
    if let name = open.last { throw fault("it ends inside <\(Excerpt.of(name, scalars: 40))>") }
    return nil
  }

  mutating func skipElement() throws(SyncError) -> ArraySlice<UInt8> {
    let name = open.removeLast()
    let begin = place
    guard !isEmptyElement else {
      isEmptyElement = false
      return []
    }
    let tag = Array("</\(name)".utf8)
    let outer = Array("</\(open.last ?? "")".utf8)
    while let next = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
      place = next
      if skip("<![CDATA[") {
        skipSection()
      } else if skip(tag: tag) {
        return bytes[begin..<next]
      } else if skip(tag: outer) {
        break
      } else {
        place += 1
      }
    }
    place = begin
    throw fault("<\(Excerpt.of(name, scalars: 40))> does not end")
  }

  private mutating func skipSection() {
    let begin = place
    while let next = bytes[place...].firstIndex(where: { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "<") }) {
      place = next
      if skip("]]>") { return }
      if has("<![CDATA[") { break }
      place += 1
    }
    place = begin
  }

  private mutating func start() throws(SyncError) -> Event {
    place += 1
    let name = try name()
    guard open.count < Self.deepest else { throw fault("its elements are nested too deeply") }
    guard !open.isEmpty || !hasRoot else { throw fault("it continues after the root element") }
    while true {
      let hasSpace = skipSpace()
      if skip(">") { break }
      if skip("/>") {
        isEmptyElement = true
        break
      }
      guard hasSpace else { throw fault("a tag is not complete") }
      try skipAttribute()
    }
    hasRoot = true
    open.append(name)
    return .start(name)
  }

  private mutating func end() throws(SyncError) -> Event {
    let name = try name()
    _ = skipSpace()
    guard skip(">") else { throw fault("a tag is not complete") }
    guard open.last == name else {
      throw fault("</\(Excerpt.of(name, scalars: 40))> closes an element that is not open")
    }
    return .end(open.removeLast())
  }

  private mutating func name() throws(SyncError) -> String {
    let name = bytes[place...].prefix(while: Self.isOfName)
    guard let first = name.first, name.count <= Self.longestName, !(0x2D...0x39).contains(first) else {
      throw fault("it has a < that does not begin a tag")
    }
    place = name.endIndex
    return String(decoding: name, as: UTF8.self)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x3A, 0x80...: true
    default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
  }

  private mutating func skipAttribute() throws(SyncError) {
    _ = try name()
    _ = skipSpace()
    guard skip("=") else { throw fault("an attribute has no value") }
    _ = skipSpace()
    guard place < bytes.count, skip("\"") || skip("'") else { throw fault("an attribute's value has no quotes") }
    let quote = bytes[place - 1]
    guard let last = bytes[place...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "<") }), bytes[last] == quote
    else { throw fault("an attribute's value does not end") }
    place = last + 1
  }

  private mutating func text() throws(SyncError) -> String? {
    let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    var text: [UInt8] = []
    while place < end {
      if bytes[place] == UInt8(ascii: "&") {
        text += try entity(before: end)
      } else {
        text.append(bytes[place])
        place += 1
      }
    }
    guard open.isEmpty else { return String(decoding: text, as: UTF8.self) }
    guard text.allSatisfy(Self.isSpace) else { throw fault("it has text outside the root element") }
    return nil
  }

  private mutating func entity(before end: Int) throws(SyncError) -> [UInt8] {
    let word = bytes[(place + 1)..<min(end, place + 12)].prefix { $0 != UInt8(ascii: ";") }
    let name = String(decoding: word, as: UTF8.self)
    guard word.endIndex < end, bytes[word.endIndex] == UInt8(ascii: ";"), let scalar = Self.scalar(of: name) else {
      throw fault("&\(Excerpt.of(name, scalars: 20)) is not an XML entity")
    }
    place = word.endIndex + 1
    return Array(String(Character(scalar)).utf8)
  }

  private static func scalar(of name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard name.hasPrefix("#"), digits.first?.isHexDigit == true,
        let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init),
        scalar.value >= 0x20 || ["\t", "\n", "\r"].contains(scalar)
      else { return nil }
      return scalar
    }
  }

  private func has(_ word: StaticString) -> Bool { word.withUTF8Buffer { bytes[place...].starts(with: $0) } }

  private mutating func skip(_ word: StaticString) -> Bool {
    guard has(word) else { return false }
    place += word.utf8CodeUnitCount
    return true
  }

  private mutating func skip(tag: [UInt8]) -> Bool {
    guard bytes[place...].starts(with: tag) else { return false }
    let begin = place
    place += tag.count
    _ = skipSpace()
    if skip(">") { return true }
    place = begin
    return false
  }

  private mutating func skipSpace() -> Bool {
    let begin = place
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    return place > begin
  }

  private mutating func upTo(_ word: StaticString, of what: String) throws(SyncError) -> ArraySlice<UInt8> {
    let begin = place
    while place < bytes.count {
      if skip(word) { return bytes[begin..<(place - word.utf8CodeUnitCount)] }
      place += 1
    }
    throw fault("\(what) does not end")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D }

  private func fault(_ what: String) -> SyncError {
    let line = bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
    return SyncError(
      .usage, "the XML cannot be read: line \(line): \(what)",
      hint: "correct that line (& is written &amp; and < is written &lt;), or export the list again")
  }
}
