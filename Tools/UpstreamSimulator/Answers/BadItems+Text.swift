extension BadItems {
  /// Reads a share of all items (`0.01`), or shares by kind (`nul=0.01,type=0.02`).
  package init(_ text: String, seed: UInt64 = 1) throws(ChaosError) {
    if let share = Double(text[...].trimmed) {
      guard (0...1).contains(share) else { throw ChaosError("`\(text)` is no share; write a number from 0 to 1") }
      self.init(share: share, seed: seed)
      return
    }
    var rates: [(kind: Kind, rate: Double)] = []
    for word in SettingWord.list(text) {
      guard let kind = Kind(rawValue: word.name) else {
        let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw word.problem("write a share of all items (0.01), or KIND=RATE with one of \(kinds)")
      }
      rates.append((kind, try word.rate()))
    }
    guard !rates.isEmpty else { throw ChaosError("write a share of all items, as in 0.01") }
    guard rates.map(\.rate).reduce(0, +) <= 1 + 1e-9 else { throw ChaosError("the rates add up to more than 1") }
    self.init(rates, seed: seed)
  }

  package static let help = """
    A share of all items (0.01) with all kinds except the last, or shares by kind (nul=0.01,type=0.02):

      type         a member of a wrong type
      missing      no title
      date         a date that does not exist
      nul          \\u0000 in a string, sometimes deep inside
      surrogate    half of a surrogate pair in a string, sometimes deep inside
      utf8         a string whose bytes are not UTF-8
      duplicate    two titles; the second one is correct
      deep         a member nested 150 levels deep
      number       a counter that is not a 64-bit integer
      big-number   a number that fits no machine number, in an unexpected place
      id           an invalid id
      no-id        no id
      syntax       something that is not JSON
      long         a string of 17 MiB
    """
}
