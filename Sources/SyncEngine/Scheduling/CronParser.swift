import SyncCore

/// Parses a cron expression of five fields, or a nickname such as `@daily`.
struct CronParser {
  let text: ScheduleText

  private static let nicknames = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
  ]
  static let sortedNicknames = nicknames.keys.sorted()

  /// Returns the local times that the expression matches.
  /// - Throws: `ScheduleFault` with the faulty columns.
  func times() throws(ScheduleFault) -> CronTimes {
    let words = text.words
    guard let first = words.first else {
      throw text.fault("the schedule is empty", hint: "write e.g. '0 3 * * *' or 'every 6h'", at: 0..<0)
    }
    try refuseForeignCharacters()
    if first.text.hasPrefix("@") { return try nickname(first, rest: words.dropFirst()) }
    try checkCount(words)
    return try times(words)
  }

  private func nickname(_ word: ScheduleWord, rest: ArraySlice<ScheduleWord>) throws(ScheduleFault) -> CronTimes {
    guard let fields = Self.nicknames[word.text] else {
      throw text.fault("\(word.quoted) is not known", hint: hint(forNickname: word.text), at: word.columns)
    }
    if let extra = rest.first, let last = rest.last {
      throw text.fault(
        "\(word.text) takes no further fields", hint: "omit what follows it",
        at: extra.columns.lowerBound..<last.columns.upperBound)
    }
    return try CronParser(text: ScheduleText(fields)).times()
  }

  private func times(_ words: [ScheduleWord]) throws(ScheduleFault) -> CronTimes {
    var sets: [UInt64] = []
    for (field, word) in zip(CronField.all, words) {
      sets.append(try CronFieldParser(field: field, text: text).set(word))
    }
    let startsWithStar = words.map { $0.characters.first == "*" }
    let times = CronTimes(
      minutes: sets[0], hours: sets[1], days: sets[2], months: sets[3],
      weekdays: (sets[4] | sets[4] >> 7) & 0x7F,
      needsBothDays: startsWithStar[2] || startsWithStar[4],
      isWild: startsWithStar[0] || startsWithStar[1])
    guard times.hasDay else {
      throw text.fault(
        "the schedule would never fire: none of its months has such a day",
        hint: "for the last day of a month, take the first of the next: 0 0 1 * *",
        at: words[2].columns.lowerBound..<words[3].columns.upperBound)
    }
    return times
  }
}

extension CronTimes {
  /// Within 400 years, every date falls on every weekday, so the weekdays need no check.
  fileprivate var hasDay: Bool {
    guard needsBothDays else { return true }
    return (1...12).contains { month in
      months >> UInt64(month) & 1 == 1 && days & ((1 << UInt64(CivilMonth.longestLength(of: month) + 1)) - 2) != 0
    }
  }
}

extension CronParser {
  private func hint(forNickname word: String) -> String? {
    if word.lowercased() == "@reboot" {
      return "a schedule cannot refer to a machine's start; give a time"
    }
    if word.lowercased() == "@every" { return "write it without '@', e.g. 'every 6h'" }
    let list = Self.sortedNicknames.joined(separator: " ")
    return Suggestion.nearest(to: word.lowercased(), among: Self.sortedNicknames).map { "did you mean '\($0)'?" }
      ?? "known are \(list)"
  }

  /// Rejects characters outside ASCII, because Swift accepts digits of other scripts, and different dashes look alike.
  private func refuseForeignCharacters() throws(ScheduleFault) {
    for (column, character) in text.characters.enumerated() where !character.isASCII && !character.isNewline {
      let word = ScheduleWord(characters: text.characters[column..<column + 1])
      throw text.fault("\(word.quoted) is not understood", hint: hint(for: character), at: column..<column + 1)
    }
  }

  private func hint(for character: Character) -> String {
    if let digit = character.wholeNumberValue, (0...9).contains(digit) { return "write '\(digit)'" }
    if character.isWhitespace { return "write a plain space" }
    switch character {
    case "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}": return "write '-'"
    case "\u{2217}", "\u{FF0A}", "\u{00D7}": return "write '*'"
    case "\u{FF0C}", "\u{3001}": return "write ','"
    default: return "a schedule consists of letters, digits and * , - / @"
    }
  }

  private func checkCount(_ words: [ScheduleWord]) throws(ScheduleFault) {
    guard words.count != 5, let first = words.first, let last = words.last else { return }
    let advice =
      switch words.count {
      case ..<5: hint(forFew: words, first: first)
      case ...7: "seconds and years are not supported: omit them"
      default: "quote only the schedule; a command does not belong here"
      }
    throw text.fault(
      "a schedule has five fields, not \(words.count)", hint: advice,
      at: words[words.count > 5 ? 5 : 0].columns.lowerBound..<last.columns.upperBound)
  }

  private func hint(forFew words: [ScheduleWord], first: ScheduleWord) -> String {
    if words.count == 1 {
      if Duration(configured: first.text) != nil { return "write 'every \(first.text)'" }
      if let nickname = Suggestion.nearest(to: "@" + first.text.lowercased(), among: Self.sortedNicknames) {
        return "did you mean '\(nickname)'?"
      }
    }
    return "the fields are minute, hour, day of month, month, day of week; '*' means any"
  }
}
