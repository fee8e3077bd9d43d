/// The requested window of a list, by the arithmetic of the service, its oddities included.
struct PokeAPIPage: Equatable {
  /// Far from what a sum of two of them cannot hold.
  private static let largest = 1 << 53

  var offset: Int
  var limit: Int

  init(offset: Int, limit: Int) {
    self.offset = offset
    self.limit = limit
  }

  /// Zero, and what is no number, counts as not given.
  init(_ parameters: QueryParameters) {
    func number(_ name: String, else standard: Int) -> Int {
      guard let value = parameters[name].flatMap(Self.leadingInteger), value != 0 else { return standard }
      return value
    }
    self.init(offset: number("offset", else: 0), limit: number("limit", else: 20))
  }

  /// The page after this one, cut to the rest of the list.
  func next(of count: Int) -> PokeAPIPage? {
    let begin = offset + limit
    let end = min(offset + limit * 2, count)
    return end > begin ? PokeAPIPage(offset: begin, limit: end - begin) : nil
  }

  /// The page before this one; the last page's is not the one that led to it, for its limit has shrunk.
  var previous: PokeAPIPage? {
    let begin = max(offset - limit, 0)
    return begin < offset ? PokeAPIPage(offset: begin, limit: offset - begin) : nil
  }

  /// The rows of a list of this length; negative numbers count from its end.
  func rows(of count: Int) -> Range<Int> {
    func position(_ index: Int) -> Int { index < 0 ? max(count + index, 0) : min(index, count) }
    let start = position(offset)
    return start..<max(start, position(offset + limit))
  }

  var query: String { "?offset=\(offset)&limit=\(limit)" }

  /// The whole number a text begins with, blanks before it aside.
  static func leadingInteger(_ text: String) -> Int? {
    let text = text.drop(while: \.isWhitespace)
    let sign = text.prefix(1).filter { $0 == "-" || $0 == "+" }
    let digits = text.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return nil }
    let value = min(Int(digits) ?? largest, largest)
    return sign == "-" ? -value : value
  }
}
