/// The titles of one row, escaped and without quotes.
struct JikanTitles {
  let main: [UInt8]
  let english: [UInt8]?
  let japanese: [UInt8]?
  let synonyms: [[UInt8]]
  /// A title in one more language, shown only in the list of titles.
  let french: [UInt8]?
  /// The main title as part of an address.
  let slug: [UInt8]

  init(_ row: JikanRow) {
    let words = JikanVocabulary.words
    let first = row.pick(.titleFirst, from: words)
    let second = row.pick(.titleSecond, from: words)
    let joint = row.pick(.titlePattern, from: JikanVocabulary.joints)
    let drawnSuffix = row.draw(.titleSuffix, below: 15)
    let suffix = drawnSuffix < JikanVocabulary.suffixes.count ? JikanVocabulary.suffixes[drawnSuffix] : nil
    var main = first.romaji.escaped + joint.romaji.escaped + second.romaji.escaped
    if let suffix { main += suffix.romaji.escaped }
    // Every second edition renames the work; the others leave the title and touch the synopsis only.
    if row.edition % 2 == 1 { main += JSONFragment(": Edition \(row.edition)").escaped }
    if row.isRetitled { main += JSONFragment(": Retitled").escaped }
    slug = main.map { Self.isPlain($0) ? $0 : 0x5F }
    let english = first.english.escaped + joint.english.escaped + second.english.escaped
    let japanese = first.japanese.escaped + joint.japanese.escaped + second.japanese.escaped
    if row.chance(.ornament, perMille: 20) {
      main += row.pick(.ornament, plus: 1, from: JikanVocabulary.ornaments).escaped
    }
    self.main = main
    self.english = row.chance(.englishTitle, perMille: 550) ? english + (suffix?.english.escaped ?? []) : nil
    self.japanese = row.chance(.japaneseTitle, perMille: 980) ? japanese + (suffix?.japanese.escaped ?? []) : nil
    french = row.chance(.otherTitle, perMille: 120) ? english + JSONFragment(" \u{E0} l'\u{E9}toile").escaped : nil
    synonyms = (0..<row.draw(.synonyms, below: 4)).map { number in
      let word = words[row.draw(.synonyms, plus: 1 + number, below: words.count)]
      return number == 0 ? english : word.english.escaped + joint.english.escaped + first.english.escaped
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
    default: false
    }
  }
}
