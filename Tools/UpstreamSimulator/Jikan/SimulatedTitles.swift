struct SimulatedTitles {
  let main: JSONFragment
  let english: JSONFragment?
  let japanese: JSONFragment?
  let synonyms: [JSONFragment]
  let french: JSONFragment?
  let slug: JSONFragment

  init(_ row: JikanRow) {
    let words = JikanVocabulary.words
    let first = row.pick(.titleFirst, from: words)
    let second = row.pick(.titleSecond, from: words)
    let joint = row.pick(.titlePattern, from: JikanVocabulary.joints)
    let drawnSuffix = row.draw(.titleSuffix, below: 15)
    let suffix = drawnSuffix < JikanVocabulary.suffixes.count ? JikanVocabulary.suffixes[drawnSuffix] : nil
    var main = first.romaji + joint.romaji + second.romaji
    if let suffix { main = main + suffix.romaji }
    if row.edition % 2 == 1 { main = main + JSONFragment(": Edition \(row.edition)") }
    if row.isRetitled { main = main + JSONFragment(": Retitled") }
    slug = JSONFragment(escaped: main.escaped.map { Self.isPlain($0) ? $0 : 0x5F })
    let english = first.english + joint.english + second.english
    let japanese = first.japanese + joint.japanese + second.japanese
    if row.chance(.ornament, perMille: 20) {
      main = main + row.pick(.ornament, plus: 1, from: JikanVocabulary.ornaments)
    }
    self.main = main
    let none = JSONFragment(escaped: [])
    self.english = row.chance(.englishTitle, perMille: 550) ? english + (suffix?.english ?? none) : nil
    self.japanese = row.chance(.japaneseTitle, perMille: 980) ? japanese + (suffix?.japanese ?? none) : nil
    french = row.chance(.otherTitle, perMille: 120) ? english + JSONFragment(" \u{E0} l'\u{E9}toile") : nil
    synonyms = (0..<row.draw(.synonyms, below: 4)).map { number in
      let word = words[row.draw(.synonyms, plus: 1 + number, below: words.count)]
      return number == 0 ? english : word.english + joint.english + first.english
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
    default: false
    }
  }
}
