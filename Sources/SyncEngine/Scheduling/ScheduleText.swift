import SyncCore

/// The text of a schedule, of at most `Limits.scheduleScalars` Unicode scalars.
struct ScheduleText {
  let characters: [Character]

  init(_ text: String) throws(ScheduleFault) {
    guard text.unicodeScalars.prefix(Limits.scheduleScalars + 1).count <= Limits.scheduleScalars else {
      let start = Excerpt.of(text, scalars: 60)
      throw ScheduleFault(
        message: "a schedule has at most \(Limits.scheduleScalars) characters", hint: nil, text: start,
        columns: 0..<start.count)
    }
    characters = Array(text)
  }

  /// Replaces each unsafe character with one space, so that columns stay aligned.
  var harmless: String {
    let shown = String(characters.map { Excerpt.of(String($0)) == String($0) ? $0 : " " })
    guard shown.count != characters.count else { return shown }
    return String(
      characters.map { character in
        character.asciiValue.map { (0x20..<0x7F).contains($0) } == true ? character : " "
      })
  }

  var words: [ScheduleWord] {
    ScheduleWord(characters: characters[...]).split { $0 == " " || $0 == "\t" || $0.isNewline }
      .filter { !$0.characters.isEmpty }
  }

  /// Throws an error if the text has a time zone, which is a setting of the job.
  func refuseTimeZone() throws(ScheduleFault) {
    for word in words {
      let parts = word.text.split(separator: "=", maxSplits: 1)
      guard let name = parts.first?.uppercased(), ["CRON_TZ", "TZ"].contains(name) else { continue }
      let zone = parts.count == 2 ? Excerpt.of(String(parts[1]), scalars: 40) : "Europe/Berlin"
      throw fault(
        "\(word.quoted) does not belong in a schedule", hint: "use time_zone of the job, e.g. time_zone: \(zone)",
        at: word.columns)
    }
  }

  /// Returns an error that shows the whole text with the faulty columns.
  func fault(_ message: String, hint: String? = nil, at columns: Range<Int>) -> ScheduleFault {
    ScheduleFault(message: message, hint: hint, text: harmless, columns: columns)
  }
}

/// A part of the text that knows its columns, counted in characters from 0.
struct ScheduleWord {
  let characters: ArraySlice<Character>

  var columns: Range<Int> { characters.indices }
  var text: String { String(characters) }
  var quoted: String { "'\(Excerpt.of(text, scalars: 40))'" }

  /// Returns the pieces between separators. Pieces can be empty.
  func split(by isSeparator: (Character) -> Bool) -> [ScheduleWord] {
    var pieces: [ScheduleWord] = []
    var start = characters.startIndex
    for index in characters.indices where isSeparator(characters[index]) {
      pieces.append(ScheduleWord(characters: characters[start..<index]))
      start = index + 1
    }
    pieces.append(ScheduleWord(characters: characters[start...]))
    return pieces
  }

  func split(by separator: Character) -> [ScheduleWord] { split { $0 == separator } }
}

extension Character {
  var isDigit: Bool { isASCII && isWholeNumber }
}
