/// The invalid items, by a seed and the item's number: an item is equally bad in every answer.
package struct BadItems: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case type, missing, date, nul, surrogate, utf8, duplicate, deep, number, bigNumber = "big-number"
    case id, noID = "no-id", syntax, long
  }

  private static let stream: UInt64 = 1 << 35

  /// Adjacent shares of all items, together at most 1.
  private let rates: [Rate]
  private let chosen: [Int: Kind]
  private let draws: Draws

  private struct Rate: Sendable, Equatable {
    var kind: Kind
    var share: Range<Double>
  }

  package init(_ rates: [(kind: Kind, rate: Double)], seed: UInt64 = 1) {
    var total = 0.0
    self.rates = rates.map { kind, rate in
      defer { total += rate }
      return Rate(kind: kind, share: total..<(total + max(rate, 0)))
    }
    chosen = [:]
    draws = Draws(seed: seed, stream: Self.stream)
  }

  /// Divides a share of all items among all kinds except `long`.
  package init(share: Double, seed: UInt64 = 1) {
    let kinds = Kind.allCases.filter { $0 != .long }
    self.init(kinds.map { ($0, share / Double(kinds.count)) }, seed: seed)
  }

  package init(items: [Int: Kind], seed: UInt64 = 1) {
    rates = []
    chosen = items
    draws = Draws(seed: seed, stream: Self.stream)
  }

  package func kind(ofItem id: Int) -> Kind? {
    if let kind = chosen[id] { return kind }
    let drawn = draws.of(id).fraction(0)
    return rates.first { $0.share.contains(drawn) }?.kind
  }

  func spoil(_ item: inout JSONTree) {
    guard case .verbatim(let text) = item["mal_id"], let id = Int(String(decoding: text, as: UTF8.self)),
      let kind = kind(ofItem: id)
    else { return }
    spoil(&item, kind, draws.of(id))
  }

  private func spoil(_ item: inout JSONTree, _ kind: Kind, _ draws: Draws) {
    func pick<T>(_ choices: [T]) -> T { choices[draws.draw(1, below: choices.count)] }
    let isDeep = draws.draw(2, below: 2) == 1
    switch kind {
    case .type:
      let member = pick(Self.typed.filter { item[$0.name] != nil })
      item[member.name] = .verbatim(member.wrong[draws.draw(3, below: member.wrong.count)])
    case .missing: item["title"] = nil
    case .date:
      let day = pick(["2023-02-30T00:00:00+00:00", "0000-00-00", "yesterday", "2024-13-01T00:00:00+00:00", ""])
      for range in ["aired", "published"] { item[range]?["from"] = .verbatim("\"\(day)\"") }
    case .nul: Self.replaceText(of: &item, by: #"a\u0000b\u0000"#, isDeep: isDeep)
    case .surrogate:
      let text = pick([#"a\ud83cb"#, #"\udc00"#, #"a\ud83c\ud83cb"#, #"\udf38\ud83c"#])
      Self.replaceText(of: &item, by: text, isDeep: isDeep)
    case .utf8:
      let bytes: [UInt8] = pick([[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE3, 0x81]])
      item["title"] = .verbatim(([0x22, 0x61] + bytes + [0x22])[...])
    case .duplicate: Self.repeatTitle(of: &item)
    case .deep:
      let levels = 150
      item["nested"] = .verbatim(String(repeating: "[", count: levels) + String(repeating: "]", count: levels))
    case .number:
      item[pick(["members", "favorites", "popularity"])] = .verbatim(
        ["1e400", "9223372036854775808", "1.5", "-1e30"][draws.draw(3, below: 4)])
    case .bigNumber: item["weight"] = .verbatim(pick(["1e400", "-12345678901234567890123.5", "1e-400"]))
    case .id: item["mal_id"] = .verbatim(pick(["9223372036854775808", "1.5", "1e2", "0", "-5", "{}", "true"]))
    case .noID: item["mal_id"] = nil
    case .syntax: item["title"] = .verbatim(pick(["nope", "01", "+1", ".5", "NaN", "'a'", "\"a\u{1}b\"", #""\x41""#]))
    case .long: item["synopsis"] = .verbatim("\"" + String(repeating: "long ", count: 17 << 20 / 5) + "\"")
    }
  }

  /// Members with an expected type, and values of other types.
  private static let typed: [(name: String, wrong: [String])] = [
    ("title", ["{}", "[]", "true"]), ("type", ["{}", "[\"TV\"]", "false"]), ("status", ["{}", "[]", "true"]),
    ("synopsis", ["{}", "[]", "true"]), ("url", ["{}", "[]", "true"]), ("score", [#""high""#, "{}", "[]", "true"]),
    ("members", [#""many""#, "{}", "[]", "true"]), ("rank", [#""first""#, "{}", "[]", "true"]),
    ("airing", [#""yes""#, "{}", "[]"]), ("publishing", [#""yes""#, "{}", "[]"]), ("aired", [#""2020""#, "[]", "7"]),
    ("published", [#""2020""#, "[]", "7"]), ("images", [#""none""#, "[]", "7"]),
  ]

  private static func replaceText(of item: inout JSONTree, by text: String, isDeep: Bool) {
    guard isDeep, case .array(var titles) = item["titles"], !titles.isEmpty else {
      item["title"] = .verbatim("\"\(text)\"")
      return
    }
    titles[0]["title"] = .verbatim("\"\(text)\"")
    item["titles"] = .array(titles)
  }

  private static func repeatTitle(of item: inout JSONTree) {
    guard case .object(let members) = item else { return }
    item = .object([JSONTree.Member(Array("title".utf8)[...], .verbatim(#""not this one""#))] + members)
  }
}
