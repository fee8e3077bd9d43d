import Synchronization

/// Finds secrets in foreign bytes, in each spelling that services and frameworks use, and replaces them by asterisks.
///
/// Found are the secret itself and its forms in base64 and base64url (at each of the three alignments) and hexadecimal,
/// regardless of the case of letters, each of them also within up to three nested escapes: percent encoding, a plus
/// sign for a blank, escapes of JSON and JavaScript (`\u0026`, `\/`, `\x26`, `%u0026`), character references of HTML
/// (`&amp;`, `&#38;`, `&#x26;`) and the zero bytes of UTF-16. A part of a secret is found too; see `Scope`.
///
/// The time is linear in the number of bytes, and the memory does not depend on it.
package struct SecretMask: Sendable, Equatable {
  /// The text that replaces a secret.
  package static let replacement = "***"

  /// The fewest bytes of a secret. A shorter text occurs in too many other words.
  package static let shortestSecret = 6

  /// Which occurrences count. A text that is read by people loses nothing if a word too many is hidden. In data, a part
  /// of a secret can be a coincidence.
  package enum Scope: CaseIterable, Sendable {
    /// Messages, headers and answers that are errors: secrets, and parts of them. A part has at least 8 bytes, with
    /// letters of both cases or digits and letters, or at least 16 bytes.
    case message
    /// Recorded bodies and addresses: whole secrets, or 16 bytes of them.
    case recording
    /// Documents of the mirror: the same, but only of secrets that no word of a document can equal by chance.
    case document
  }

  /// The secrets that are certainly secrets.
  package let secrets: [String]
  /// Texts that may be secrets. They are left in documents, which can repeat identifiers rightly.
  package let suspects: [String]
  /// Secrets that arrive after the mask was made.
  package let learned: LearnedSecrets?
  private let table: Table?

  /// Texts of fewer than `shortestSecret` bytes are ignored.
  package init(_ secrets: [String] = [], suspects: [String] = [], learned: LearnedSecrets? = nil) {
    self.secrets = secrets.filter { $0.utf8.count >= Self.shortestSecret }
    self.suspects = suspects.filter { $0.utf8.count >= Self.shortestSecret }
    self.learned = learned
    table = self.secrets.isEmpty && self.suspects.isEmpty ? nil : Table(self.secrets, suspects: self.suspects)
  }

  /// Compares the secrets. Learned secrets are equal only if both masks share the object.
  package static func == (one: SecretMask, other: SecretMask) -> Bool {
    one.secrets == other.secrets && one.suspects == other.suspects && one.learned === other.learned
  }

  /// Whether the mask has no secret, so that it changes no text.
  package var isEmpty: Bool { table == nil && learned?.table == nil }

  /// Returns the text without secrets.
  package func masking(_ text: String, _ scope: Scope = .message) -> String {
    guard let masked = masking(Array(text.utf8), scope) else { return text }
    return String(decoding: masked, as: UTF8.self)
  }

  /// Returns the bytes without secrets, or `nil` if they have none. In data, digits are replaced by nines, so that JSON
  /// stays JSON.
  package func masking(_ bytes: [UInt8], _ scope: Scope) -> [UInt8]? {
    let masked = table?.masking(bytes, scope)
    return learned?.table?.masking(masked ?? bytes, scope) ?? masked
  }

  /// Whether the text has a secret.
  package func finds(in text: String, _ scope: Scope = .message) -> Bool {
    masking(Array(text.utf8), scope) != nil
  }
}

/// Secrets that become known during a run, such as access tokens. All masks that share this object find them.
package final class LearnedSecrets: Sendable {
  private struct State {
    var secrets: [String] = []
    var table: Table?
  }

  private let state = Mutex(State())

  package init() {}

  fileprivate var table: Table? { state.withLock { $0.table } }

  /// Adds secrets, and forgets the oldest ones beyond `Limits.learnedSecrets`, which have expired by then.
  ///
  /// The first part of a JSON Web Token only names its algorithm, and other tokens begin with the same part. A cursor
  /// of the service can be such a token, so the first part is not hidden.
  package func learn(_ secrets: [String]) {
    let hidden = secrets.map { secret in
      let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count >= 3 && secret.hasPrefix("eyJ") ? parts.dropFirst().joined(separator: ".") : secret
    }
    state.withLock { state in
      let all = (state.secrets.filter { !hidden.contains($0) } + hidden).suffix(Limits.learnedSecrets)
      let usable = all.filter { $0.utf8.count >= SecretMask.shortestSecret }
      guard usable != state.secrets else { return }
      state.secrets = usable
      state.table = usable.isEmpty ? nil : Table(usable, suspects: [])
    }
  }
}

/// The windows of 8 bytes of all forms of the secrets. A text has a form if enough consecutive windows of the text are
/// windows of the form.
private final class Table: Sendable {
  private static let windowBytes = 8
  private static let never = UInt8.max

  /// The number of bytes that must be found for each scope; `never` if the window does not count.
  private struct Demand {
    private var message = never
    private var recording = never
    private var document = never

    subscript(scope: SecretMask.Scope) -> UInt8 {
      get {
        switch scope {
        case .message: message
        case .recording: recording
        case .document: document
        }
      }
      set {
        switch scope {
        case .message: message = newValue
        case .recording: recording = newValue
        case .document: document = newValue
        }
      }
    }
  }

  private let windows: [UInt64: Demand]
  /// Forms of fewer than 8 bytes, by their number of bytes. They count only as whole words.
  private let words: [Int: Set<UInt64>]
  /// A bit for each hash of a window or word.
  private let filter: [UInt64]
  private let shift: UInt64

  init(_ secrets: [String], suspects: [String]) {
    var windows: [UInt64: Demand] = [:]
    var words: [Int: Set<UInt64>] = [:]
    let forms =
      secrets.flatMap { Form.all(of: Array($0.utf8), isSuspect: false) }
      + suspects.flatMap { Form.all(of: Array($0.utf8), isSuspect: true) }
    for form in Set(forms) {
      let folded = form.bytes.map { Self.folded[Int($0)] }
      guard folded.count >= Self.windowBytes else {
        words[folded.count, default: []].insert(Self.packed(folded[...]))
        continue
      }
      for start in 0...folded.count - Self.windowBytes {
        let window = Self.packed(folded[start..<start + Self.windowBytes])
        var demand = windows[window] ?? Demand()
        let part = form.bytes[start..<start + Self.windowBytes]
        for scope in SecretMask.Scope.allCases {
          demand[scope] = min(demand[scope], form.demand(of: part, scope))
        }
        windows[window] = demand
      }
    }
    let count = windows.count + words.values.reduce(0) { $0 + $1.count }
    var bits: UInt64 = 16
    while 1 << bits < 16 * count { bits += 1 }
    shift = 64 - bits
    var filter = [UInt64](repeating: 0, count: (1 << Int(bits)) / 64)
    for word in Array(windows.keys) + words.values.flatMap(\.self) {
      let hash = Self.hash(word, shift: shift)
      filter[hash / 64] |= 1 << UInt64(hash % 64)
    }
    self.filter = filter
    self.windows = windows
    self.words = words
  }

  private static func packed(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  @inline(__always)
  private static func hash(_ window: UInt64, shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (window &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  /// Bytes that are compared as equal: letters of both cases, and the plus sign that stands for a blank.
  private static let folded: [UInt8] = (0...255).map { (byte: Int) -> UInt8 in
    switch UInt8(byte) {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(byte) | 0x20
    case UInt8(ascii: "+"): UInt8(ascii: " ")
    default: UInt8(byte)
    }
  }

  // A text is read in pieces, so that the memory does not depend on its size. Pieces overlap by more than the escapes
  // of 16 bytes.
  private static let pieceBytes = 64 << 10
  private static let overlap = 4 << 10

  func masking(_ text: [UInt8], _ scope: SecretMask.Scope) -> [UInt8]? {
    var found: [Range<Int>] = []
    text.withUnsafeBufferPointer { text in
      var start = 0
      while true {
        let end = min(text.count, start + Self.pieceBytes + Self.overlap)
        search(UnsafeBufferPointer(rebasing: text[start..<end]), from: start, scope, &found)
        guard end < text.count else { break }
        start += Self.pieceBytes
      }
    }
    return found.isEmpty ? nil : Self.replacing(found, in: text, scope)
  }

  private static func replacing(_ found: [Range<Int>], in text: [UInt8], _ scope: SecretMask.Scope) -> [UInt8] {
    var masked: [UInt8] = []
    var place = 0
    func replace(_ range: Range<Int>) {
      masked += text[place..<range.lowerBound]
      let isNumber = scope != .message && text[range].allSatisfy(\.isDigit)
      masked += isNumber ? Array("999".utf8) : Array(SecretMask.replacement.utf8)
      place = range.upperBound
    }
    var last: Range<Int>?
    for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let known = last else {
        last = range
        continue
      }
      if range.lowerBound <= known.upperBound {
        last = known.lowerBound..<max(known.upperBound, range.upperBound)
      } else {
        replace(known)
        last = range
      }
    }
    if let last { replace(last) }
    return masked + text[place...]
  }

  private func search(
    _ piece: UnsafeBufferPointer<UInt8>, from origin: Int, _ scope: SecretMask.Scope, _ found: inout [Range<Int>]
  ) {
    var escapes: [Int] = []
    match(piece, scope, escapes: &escapes) { found.append(origin + $0.lowerBound..<origin + $0.upperBound) }
    // Only the surroundings of escapes are decoded. A form that has no escape has been found already.
    let margin = 32
    var index = 0
    while index < escapes.count {
      let first = escapes[index]
      var last = first
      while index + 1 < escapes.count, escapes[index + 1] - last <= 2 * margin {
        index += 1
        last = escapes[index]
      }
      index += 1
      let lower = max(0, first - margin)
      let upper = min(piece.count, last + margin)
      var text = DecodedText(piece, lower..<upper)
      for _ in 0..<DecodedText.depth {
        guard text.decode() else { break }
        var others: [Int] = []
        text.bytes.withUnsafeBufferPointer { bytes in
          match(bytes, scope, escapes: &others) { range in
            let start = Int(text.starts[range.lowerBound])
            let end = Int(text.ends[range.upperBound - 1])
            found.append(origin + start..<origin + end)
          }
        }
        if others.isEmpty { break }
      }
    }
  }

  /// Calls `found` with the ranges of the text that belong to a secret, in ascending order.
  private func match(
    _ text: UnsafeBufferPointer<UInt8>, _ scope: SecretMask.Scope, escapes: inout [Int], _ found: (Range<Int>) -> Void
  ) {
    // The end of the last window that was found, the beginning of its run, and the fewest bytes that the run demands.
    var end = -1
    var start = 0
    var demand = Table.never
    func finish() {
      if end >= 0, end - start >= Int(demand) { found(start..<end) }
      end = -1
      demand = Table.never
    }
    let hasWords = !words.isEmpty
    filter.withUnsafeBufferPointer { filter in
      Self.folded.withUnsafeBufferPointer { folded in
        var window: UInt64 = 0
        for place in 0..<text.count {
          let byte = text[place]
          if DecodedText.canEscape(byte) { escapes.append(place) }
          window = window << 8 | UInt64(folded[Int(byte)])
          let hash = Self.hash(window, shift: shift)
          if filter[hash / 64] & 1 << UInt64(hash % 64) != 0, place + 1 >= Self.windowBytes,
            let needed = windows[window]?[scope], needed != Self.never
          {
            if end != place {
              finish()
              start = place + 1 - Self.windowBytes
            }
            end = place + 1
            demand = min(demand, needed)
          }
          if hasWords, scope != .document { word(endingAt: place + 1, window, text, filter, found) }
        }
      }
    }
    finish()
  }

  private func word(
    endingAt end: Int, _ window: UInt64, _ text: UnsafeBufferPointer<UInt8>, _ filter: UnsafeBufferPointer<UInt64>,
    _ found: (Range<Int>) -> Void
  ) {
    for count in SecretMask.shortestSecret..<Self.windowBytes where end >= count {
      let word = window & (1 << UInt64(8 * count) - 1)
      let hash = Self.hash(word, shift: shift)
      guard filter[hash / 64] & 1 << UInt64(hash % 64) != 0, words[count]?.contains(word) == true else { continue }
      let start = end - count
      let isWhole = (start == 0 || !text[start - 1].isWordByte) && (end == text.count || !text[end].isWordByte)
      if isWhole { found(start..<end) }
    }
  }
}

extension UInt8 {
  fileprivate var isWordByte: Bool { isLetter || isDigit || self >= 0x80 }
}

/// A spelling of a secret.
private struct Form: Hashable {
  let bytes: [UInt8]
  /// Whether 16 bytes of the secret cannot occur elsewhere by chance.
  let isStrong: Bool
  /// Whether the spelling is hexadecimal, whose digits also occur in digests and identifiers.
  var isHexadecimal = false

  static func all(of secret: [UInt8], isSuspect: Bool) -> [Form] {
    let kinds = classes(of: secret[...]).count
    let isVaried = kinds >= 2 || secret.count >= 32 && Set(secret).count >= 8
    let isStrong = !isSuspect && secret.count >= 16 && isVaried
    var forms: [Form] = []
    for spelling in spellings(of: secret) {
      forms.append(Form(bytes: spelling, isStrong: isStrong))
      forms += base64(of: spelling).map { Form(bytes: $0, isStrong: isStrong) }
      forms.append(Form(bytes: Array(spelling.hexadecimal.utf8), isStrong: isStrong, isHexadecimal: true))
    }
    return forms.filter { $0.bytes.count >= SecretMask.shortestSecret }
  }

  /// The secret, and what remains of it if it is decoded, because a text is compared after it was decoded.
  private static func spellings(of secret: [UInt8]) -> [[UInt8]] {
    var spellings = [secret]
    secret.withUnsafeBufferPointer { bytes in
      var text = DecodedText(bytes, bytes.indices)
      for _ in 0..<DecodedText.depth where text.decode() { spellings.append(text.bytes) }
    }
    return spellings
  }

  /// The characters of base64 that depend only on the secret, if 0, 1 or 2 other bytes are before it.
  private static func base64(of secret: [UInt8]) -> [[UInt8]] {
    let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    return (0..<3).flatMap { alignment -> [[UInt8]] in
      let bytes = [UInt8](repeating: 0, count: alignment) + secret
      var characters: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = (0..<3).reduce(0) { $0 << 8 | (start + $1 < bytes.count ? Int(bytes[start + $1]) : 0) }
        characters += (0..<4).map { standard[group >> (18 - 6 * $0) & 63] }
      }
      // 8 bits of each byte before the secret, rounded up to whole characters, and the bits after it are unknown.
      let known = characters[(alignment * 8 + 5) / 6..<bytes.count * 8 / 6]
      let address = known.map { character -> UInt8 in
        switch character {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: character
        }
      }
      return [Array(known), address]
    }
  }

  private enum Kind { case lowercase, uppercase, digit }

  private static func classes(of bytes: ArraySlice<UInt8>) -> Set<Kind> {
    Set(
      bytes.compactMap { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lowercase
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .uppercase
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        default: nil
        }
      })
  }

  /// The number of bytes that must be found around a part of the form.
  func demand(of part: ArraySlice<UInt8>, _ scope: SecretMask.Scope) -> UInt8 {
    let whole = UInt8(min(bytes.count, 16))
    switch scope {
    case .message: return !isHexadecimal && Self.classes(of: part).count >= 2 ? 8 : whole
    case .recording: return whole
    case .document: return isStrong ? whole : .max
    }
  }
}

/// A text whose escapes are decoded, one level at a time. Each byte knows its place in the original text.
private struct DecodedText {
  /// The number of nested escapes that are decoded.
  static let depth = 3

  private(set) var bytes: [UInt8]
  private(set) var starts: [Int32]
  private(set) var ends: [Int32]

  init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    bytes = Array(text[range])
    starts = range.map { Int32($0) }
    ends = range.map { Int32($0 + 1) }
  }

  @inline(__always)
  static func canEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&") || byte == 0
  }

  /// Decodes one level of escapes. Returns false if the text has none.
  mutating func decode() -> Bool {
    var decoded: [UInt8] = []
    var (newStarts, newEnds): ([Int32], [Int32]) = ([], [])
    decoded.reserveCapacity(bytes.count)
    newStarts.reserveCapacity(bytes.count)
    newEnds.reserveCapacity(bytes.count)
    var place = 0
    var hasEscape = false
    bytes.withUnsafeBufferPointer { bytes in
      while place < bytes.count {
        let escape = Self.canEscape(bytes[place]) ? Escape(at: place, in: bytes) : nil
        let length = escape?.length ?? 1
        hasEscape = hasEscape || escape != nil
        let (start, end) = (starts[place], ends[place + length - 1])
        func add(_ byte: UInt8) {
          decoded.append(byte)
          newStarts.append(start)
          newEnds.append(end)
        }
        switch escape?.value {
        case nil: add(bytes[place])
        case .byte(let byte)?: add(byte)
        case .scalar(let scalar)?: UTF8.encode(scalar).map { $0.forEach(add) }
        case .nothing?: break
        }
        place += length
      }
    }
    guard hasEscape else { return false }
    bytes = decoded
    starts = newStarts
    ends = newEnds
    return true
  }
}

/// An escape at a place of a text.
private struct Escape {
  enum Value {
    case byte(UInt8)
    case scalar(Unicode.Scalar)
    case nothing
  }

  private(set) var length: Int
  private(set) var value: Value

  /// Reads the escape in a constant number of steps; `nil` if there is none.
  init?(at place: Int, in text: UnsafeBufferPointer<UInt8>) {
    func byte(_ offset: Int) -> UInt8 { place + offset < text.count ? text[place + offset] : 0 }

    /// - Parameter range: The possible numbers of digits.
    func number(_ offset: Int, digits range: ClosedRange<Int>, radix: UInt32) -> (value: UInt32, digits: Int)? {
      var (value, count): (UInt32, Int) = (0, 0)
      while count < range.upperBound, let digit = byte(offset + count).hexValue, digit < radix {
        value = value &* radix &+ UInt32(digit)
        count += 1
      }
      return range.contains(count) ? (value, count) : nil
    }

    /// The unit of UTF-16 after `\u` or `%u`, with the second unit of a pair.
    func unit() -> (Unicode.Scalar, length: Int)? {
      guard let first = number(2, digits: 4...4, radix: 16)?.value else { return nil }
      if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
      guard (0xD800...0xDBFF).contains(first), byte(6) == byte(0), byte(7) == byte(1),
        let second = number(8, digits: 4...4, radix: 16)?.value, (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
      else { return nil }
      return (scalar, 12)
    }

    length = 1
    value = .nothing
    switch byte(0) {
    case 0: break
    case UInt8(ascii: "%"):
      if let (code, _) = number(1, digits: 2...2, radix: 16) {
        length = 3
        value = .byte(UInt8(truncatingIfNeeded: code))
      } else if byte(1) | 0x20 == UInt8(ascii: "u"), let (scalar, length) = unit() {
        self.length = length
        value = .scalar(scalar)
      } else {
        return nil
      }
    case UInt8(ascii: "\\"):
      switch byte(1) {
      case UInt8(ascii: "u"):
        if let (scalar, length) = unit() {
          self.length = length
          value = .scalar(scalar)
        } else if byte(2) == UInt8(ascii: "{"), let (code, digits) = number(3, digits: 1...6, radix: 16),
          byte(3 + digits) == UInt8(ascii: "}"), let scalar = Unicode.Scalar(code)
        {
          length = 4 + digits
          value = .scalar(scalar)
        } else {
          return nil
        }
      case UInt8(ascii: "x"):
        guard let (code, _) = number(2, digits: 2...2, radix: 16) else { return nil }
        length = 4
        value = .byte(UInt8(truncatingIfNeeded: code))
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E:
        length = 2
        value = .byte(byte(1))
      default: return nil
      }
    case UInt8(ascii: "&"):
      if byte(1) == UInt8(ascii: "#") {
        let isHexadecimal = byte(2) | 0x20 == UInt8(ascii: "x")
        let start = isHexadecimal ? 3 : 2
        guard let (code, digits) = number(start, digits: 1...8, radix: isHexadecimal ? 16 : 10),
          let scalar = Unicode.Scalar(code)
        else { return nil }
        length = start + digits + (byte(start + digits) == UInt8(ascii: ";") ? 1 : 0)
        value = .scalar(scalar)
      } else {
        var name: [UInt8] = []
        while name.count < Self.longestName, byte(1 + name.count).isLetter { name.append(byte(1 + name.count)) }
        let hasEnd = byte(1 + name.count) == UInt8(ascii: ";")
        guard let code = Self.names[String(decoding: name, as: UTF8.self)],
          hasEnd || Self.oldNames.contains(code)
        else { return nil }
        length = 1 + name.count + (hasEnd ? 1 : 0)
        value = .byte(code)
      }
    default: return nil
    }
  }

  private static let longestName = 8
  /// The characters whose references also count without a semicolon (HTML, 13.5).
  private static let oldNames = Set("&<>\"".utf8)
  /// The character references of ASCII (HTML, 13.5).
  private static let names: [String: UInt8] = Dictionary(
    uniqueKeysWithValues: [
      ("amp", "&"), ("AMP", "&"), ("lt", "<"), ("LT", "<"), ("gt", ">"), ("GT", ">"), ("quot", "\""), ("QUOT", "\""),
      ("apos", "'"), ("excl", "!"), ("num", "#"), ("dollar", "$"), ("percnt", "%"), ("lpar", "("), ("rpar", ")"),
      ("ast", "*"), ("midast", "*"), ("plus", "+"), ("comma", ","), ("period", "."), ("sol", "/"), ("colon", ":"),
      ("semi", ";"), ("equals", "="), ("quest", "?"), ("commat", "@"), ("lsqb", "["), ("lbrack", "["), ("bsol", "\\"),
      ("rsqb", "]"), ("rbrack", "]"), ("Hat", "^"), ("lowbar", "_"), ("UnderBar", "_"), ("grave", "`"), ("lcub", "{"),
      ("lbrace", "{"), ("verbar", "|"), ("vert", "|"), ("VerticalLine", "|"), ("rcub", "}"), ("rbrace", "}"),
      ("nbsp", " "), ("Tab", "\t"), ("NewLine", "\n"),
    ].map { ($0.0, $0.1.utf8.first ?? 0) })
}
