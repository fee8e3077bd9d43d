import SyncCore

/// Finds the elements of a flat XML export: a root, entries in it, and members in the entries. Everything else is
/// skipped. A declaration (`<!…`) is an error, because it can name files. Each byte is read a bounded number of times.
struct XMLScanner {
  struct Element {
    let name: String
    /// Whether the element is a single tag (`<a/>`), without content and end tag.
    let isEmpty: Bool
  }

  private static let longestName = 100

  private let bytes: [UInt8]
  private var place = 0

  /// XML requires that CR LF and CR become LF.
  init(_ text: String) {
    var last: UInt8 = 0
    bytes = text.utf8.compactMap { byte -> UInt8? in
      defer { last = byte }
      if byte == UInt8(ascii: "\n"), last == UInt8(ascii: "\r") { return nil }
      return byte == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : byte
    }
  }

  /// Returns the next element inside `parent`, and `nil` after the end tag of `parent`. The place is then behind the
  /// element's start tag, so the caller reads the content or the elements in it. `parent` is `nil` for the file.
  mutating func next(in parent: String?) throws(SyncError) -> Element? {
    while place < bytes.count {
      if bytes[place] != UInt8(ascii: "<") {
        guard parent != nil || Self.isSpace(bytes[place]) else { throw fault("it has text outside the root element") }
        place += 1
      } else if skip("<!--") {
        try skip(behind: "-->", of: "a comment")
      } else if skip("<?") {
        try skip(behind: "?>", of: "an instruction")
      } else if parent != nil, skip("<![CDATA[") {
        try skip(behind: "]]>", of: "a CDATA section")
      } else if has("<!") {
        throw fault("it has a declaration (<!…), which is not accepted")
      } else if has("</") {
        guard let parent, skipEnd(of: parent) else { throw fault("it has an end tag of an element that is not open") }
        return nil
      } else {
        return try start()
      }
    }
    if let parent { throw fault("it ends inside <\(parent)>") }
    return nil
  }

  /// Returns the raw content of an element inside `parent`, and moves behind the end tag. The content can be anything
  /// but the end tag, which counts as text inside a CDATA section.
  mutating func content(of element: Element, in parent: String) throws(SyncError) -> ArraySlice<UInt8> {
    guard !element.isEmpty else { return [] }
    let begin = place
    while let next = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
      place = next
      if skip("<![CDATA[") {
        skipSection()
      } else if skipEnd(of: element.name) {
        return bytes[begin..<next]
      } else if skipEnd(of: parent) {
        break
      } else {
        place += 1
      }
    }
    place = begin
    throw fault("<\(Excerpt.of(element.name, scalars: 40))> does not end")
  }

  /// Returns the text of a content: characters, CDATA sections, numeric references and XML's five entities.
  mutating func text(of content: ArraySlice<UInt8>) throws(SyncError) -> String {
    var text: [UInt8] = []
    let end = place
    place = content.startIndex
    while place < content.endIndex {
      if skip("<![CDATA[") {
        let begin = place
        try skip(behind: "]]>", of: "a CDATA section")
        guard place <= content.endIndex else { throw fault("a CDATA section does not end") }
        text += bytes[begin..<(place - 3)]
      } else if bytes[place] == UInt8(ascii: "<") {
        throw fault("it has a < inside a value")
      } else if bytes[place] == UInt8(ascii: "&") {
        text += try entity(before: content.endIndex)
      } else {
        text.append(bytes[place])
        place += 1
      }
    }
    place = end
    return String(decoding: text, as: UTF8.self)
  }

  /// A CDATA section that does not end is text, so the search stops before the next section.
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

  private mutating func start() throws(SyncError) -> Element {
    let begin = place
    place += 1
    let name = bytes[place...].prefix(while: Self.isOfName)
    guard let first = name.first, name.count <= Self.longestName, !(0x2D...0x39).contains(first) else {
      throw fault("it has a < that does not begin a tag")
    }
    let end = bytes[name.endIndex...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
    guard let end, bytes[end] == UInt8(ascii: ">") else {
      place = begin
      throw fault("a tag is not complete")
    }
    place = end + 1
    return Element(name: String(decoding: name, as: UTF8.self), isEmpty: bytes[end - 1] == UInt8(ascii: "/"))
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x3A, 0x80...: true
    default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
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

  private mutating func skip(behind word: StaticString, of what: String) throws(SyncError) {
    while place < bytes.count {
      if skip(word) { return }
      place += 1
    }
    throw fault("\(what) does not end")
  }

  /// Moves behind `</name>`, which can have white space before `>`. Returns false at anything else.
  private mutating func skipEnd(of name: String) -> Bool {
    guard bytes[place...].starts(with: "</\(name)".utf8) else { return false }
    var end = place + 2 + name.utf8.count
    while end < bytes.count, Self.isSpace(bytes[end]) { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: ">") else { return false }
    place = end + 1
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D }

  /// Returns an error that names the line at the current place.
  func fault(_ what: String) -> SyncError {
    let line = bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
    return SyncError(
      .usage, "the XML cannot be read: line \(line): \(what)",
      hint: "correct that line (& is written &amp; and < is written &lt;), or export the list again")
  }
}
