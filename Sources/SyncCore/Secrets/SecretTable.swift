/// The windows of 8 bytes of all forms of the secrets. A text has a form if enough consecutive windows of the text are
/// windows of the form.
final class SecretTable: Sendable {
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
  /// The hash of a window has the upper `64 - shift` bits of a product.
  private let shift: UInt64

  init(_ secrets: [String], suspects: [String]) {
    let forms =
      secrets.flatMap { SecretForm.all(of: Array($0.utf8), isSuspect: false) }
      + suspects.flatMap { SecretForm.all(of: Array($0.utf8), isSuspect: true) }
    var windows: [UInt64: Demand] = [:]
    var words: [Int: Set<UInt64>] = [:]
    for form in Set(forms) {
      if form.bytes.count < Self.windowBytes {
        words[form.bytes.count, default: []].insert(Self.packed(Self.folding(form.bytes)[...]))
      } else {
        Self.add(form, to: &windows)
      }
    }
    self.windows = windows
    self.words = words

    let hashed = Array(windows.keys) + words.values.flatMap(\.self)
    var bits: UInt64 = 16
    while 1 << bits < 16 * hashed.count { bits += 1 }
    shift = 64 - bits
    filter = Self.filter(of: hashed, bits: bits)
  }

  /// Adds the windows of a form. A window of several forms has the smallest demand.
  private static func add(_ form: SecretForm, to windows: inout [UInt64: Demand]) {
    let folded = folding(form.bytes)
    for start in 0...folded.count - windowBytes {
      let part = start..<start + windowBytes
      let window = packed(folded[part])
      var demand = windows[window] ?? Demand()
      for scope in SecretMask.Scope.allCases {
        demand[scope] = min(demand[scope], form.demand(of: form.bytes[part], scope))
      }
      windows[window] = demand
    }
  }

  /// - Parameter bits: The number of bits of a hash.
  private static func filter(of hashed: [UInt64], bits: UInt64) -> [UInt64] {
    var filter = [UInt64](repeating: 0, count: (1 << Int(bits)) / 64)
    for word in hashed {
      let hash = hash(word, shift: 64 - bits)
      filter[hash / 64] |= 1 << UInt64(hash % 64)
    }
    return filter
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

  private static func folding(_ bytes: [UInt8]) -> [UInt8] { bytes.map { folded[Int($0)] } }

  // MARK: Masking

  // A text is read in pieces, so that the memory does not depend on its size. Pieces overlap by more than the escapes
  // of 16 bytes.
  private static let pieceBytes = 64 << 10
  private static let overlap = 4 << 10

  /// Returns the text without secrets, or `nil` if it has none.
  func masking(_ text: [UInt8], _ scope: SecretMask.Scope) -> [UInt8]? {
    var found: [Range<Int>] = []
    text.withUnsafeBufferPointer { text in
      var start = 0
      while true {
        let end = min(text.count, start + Self.pieceBytes + Self.overlap)
        search(UnsafeBufferPointer(rebasing: text[start..<end]), from: start, scope: scope, found: &found)
        guard end < text.count else { break }
        start += Self.pieceBytes
      }
    }
    return found.isEmpty ? nil : Self.replacing(Self.merging(found), in: text, scope: scope)
  }

  /// Returns the ranges in ascending order. Ranges that touch or overlap become one range.
  private static func merging(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  /// - Parameter ranges: In ascending order, without overlaps.
  private static func replacing(_ ranges: [Range<Int>], in text: [UInt8], scope: SecretMask.Scope) -> [UInt8] {
    var masked: [UInt8] = []
    var end = 0
    for range in ranges {
      masked += text[end..<range.lowerBound]
      let isNumber = scope != .message && text[range].allSatisfy(\.isDigit)
      masked += isNumber ? Array("999".utf8) : Array(SecretMask.replacement.utf8)
      end = range.upperBound
    }
    return masked + text[end...]
  }

  // MARK: Searching

  /// Adds the ranges of secrets, as they are and within escapes.
  /// - Parameter origin: The place of the piece in the text.
  private func search(
    _ piece: UnsafeBufferPointer<UInt8>, from origin: Int, scope: SecretMask.Scope, found: inout [Range<Int>]
  ) {
    var escapes: [Int] = []
    match(piece, scope: scope, escapes: &escapes) { found.append(origin + $0.lowerBound..<origin + $0.upperBound) }

    // Only the surroundings of escapes are decoded. A form that has no escape has been found already.
    for range in Self.surroundings(of: escapes, in: piece) {
      var text = DecodedText(piece, range)
      for _ in 0..<DecodedText.depth {
        guard text.decode() else { break }
        var nestedEscapes: [Int] = []
        text.bytes.withUnsafeBufferPointer { bytes in
          match(bytes, scope: scope, escapes: &nestedEscapes) { range in
            let start = Int(text.starts[range.lowerBound])
            let end = Int(text.ends[range.upperBound - 1])
            found.append(origin + start..<origin + end)
          }
        }
        if nestedEscapes.isEmpty { break }
      }
    }
  }

  /// Returns the ranges around escapes. Escapes that are near each other share a range.
  /// - Parameter escapes: The places of the escapes, in ascending order.
  private static func surroundings(of escapes: [Int], in piece: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    let margin = 32
    var ranges: [Range<Int>] = []
    var index = 0
    while index < escapes.count {
      let first = escapes[index]
      var last = first
      while index + 1 < escapes.count, escapes[index + 1] - last <= 2 * margin {
        index += 1
        last = escapes[index]
      }
      index += 1
      ranges.append(max(0, first - margin)..<min(piece.count, last + margin))
    }
    return ranges
  }

  /// Calls `found` with the ranges of the text that belong to a secret, in ascending order.
  /// - Parameter escapes: Receives the places of bytes that can begin an escape.
  private func match(
    _ text: UnsafeBufferPointer<UInt8>, scope: SecretMask.Scope, escapes: inout [Int],
    found: (Range<Int>) -> Void
  ) {
    // The end of the last window that was found, the beginning of its run, and the fewest bytes that the run demands.
    var end = -1
    var start = 0
    var demand = Self.never
    func finish() {
      if end >= 0, end - start >= Int(demand) { found(start..<end) }
      end = -1
      demand = Self.never
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
          if hasWords, scope != .document {
            word(endingAt: place + 1, window: window, in: text, filter: filter, found: found)
          }
        }
      }
    }
    finish()
  }

  /// Calls `found` with the range of a short secret that ends at this place as a whole word.
  /// - Parameter window: The last 8 bytes before `end`.
  private func word(
    endingAt end: Int, window: UInt64, in text: UnsafeBufferPointer<UInt8>, filter: UnsafeBufferPointer<UInt64>,
    found: (Range<Int>) -> Void
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
  /// Whether the byte belongs to a word. Each byte of a character beyond ASCII does.
  fileprivate var isWordByte: Bool { isLetter || isDigit || self >= 0x80 }
}
