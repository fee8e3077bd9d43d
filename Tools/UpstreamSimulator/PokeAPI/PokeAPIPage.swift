/// The requested part of a list, computed as in the service, including its oddities.
struct PokeAPIPage: Equatable {
  private static let largest = 1 << 53

  var offset: Int
  var limit: Int

  func next(of count: Int) -> PokeAPIPage? {
    let begin = offset + limit
    let end = min(offset + limit * 2, count)
    return end > begin ? PokeAPIPage(offset: begin, limit: end - begin) : nil
  }

  /// The limit is at most this page's limit, so a short last page has a short previous page, as in the service.
  var previous: PokeAPIPage? {
    let begin = max(offset - limit, 0)
    return begin < offset ? PokeAPIPage(offset: begin, limit: offset - begin) : nil
  }

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
  init(_ parameters: QueryParameters) {
    func number(_ name: String, else standard: Int) -> Int {
      guard let value = parameters[name].flatMap(Self.leadingInteger), value != 0 else { return standard }
      return value
    }
    self.init(offset: number("offset", else: 0), limit: number("limit", else: 20))
  }
}
