/// The requested window of a list, with the service's own arithmetic and its oddities.
struct PokeAPIPage: Equatable {
  /// Small enough for sums without overflow.
  private static let largest = 1 << 53

  var offset: Int
  var limit: Int

  func next(of count: Int) -> PokeAPIPage? {
    let begin = offset + limit
    let end = min(offset + limit * 2, count)
    return end > begin ? PokeAPIPage(offset: begin, limit: end - begin) : nil
  }

  /// The previous page. For the last page it differs from the page that led there, because the limit has shrunk.
  var previous: PokeAPIPage? {
    let begin = max(offset - limit, 0)
    return begin < offset ? PokeAPIPage(offset: begin, limit: offset - begin) : nil
  }

  /// Negative numbers count from the end of the list.
  func rows(of count: Int) -> Range<Int> {
    func position(_ index: Int) -> Int { index < 0 ? max(count + index, 0) : min(index, count) }
    let start = position(offset)
    return start..<max(start, position(offset + limit))
  }

  var query: String { "?offset=\(offset)&limit=\(limit)" }

  static func leadingInteger(_ text: String) -> Int? {
    let text = text.drop(while: \.isWhitespace)
    let sign = text.prefix(1).filter { $0 == "-" || $0 == "+" }
    let digits = text.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return nil }
    let value = min(Int(digits) ?? largest, largest)
    return sign == "-" ? -value : value
  }
}

extension PokeAPIPage {
  /// Zero and invalid numbers count as missing.
  init(_ parameters: QueryParameters) {
    func number(_ name: String, else standard: Int) -> Int {
      guard let value = parameters[name].flatMap(Self.leadingInteger), value != 0 else { return standard }
      return value
    }
    self.init(offset: number("offset", else: 0), limit: number("limit", else: 20))
  }
}
