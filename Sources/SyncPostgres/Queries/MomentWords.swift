import SyncCore

/// The words and forms in which users write times, beside those of ISO 8601.
enum MomentWords {
  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// Returns the day of `today`, `yesterday`, `monday` or `last monday`; `nil` for any other text.
  static func day(_ text: String) -> Moment.Day? {
    let words = words(text)
    switch words {
    case ["today"]: return .before(0)
    case ["yesterday"]: return .before(1)
    default: break
    }
    guard let last = words.last, words.count == 1 || words == ["last", last] else { return nil }
    return index(of: last, in: weekdays).map { .lastWeekday($0 + 1) }
  }

  /// Returns a date as in `2026-11-30`: the text is `30.11.2026`, `2026/11/30`, `Nov 30 2026`, `30 November 2026` or
  /// `2026-11`, which means the first day of the month. `nil` for any other text.
  static func date(_ text: String) -> String? {
    if let match = text.wholeMatch(of: /([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})/) {
      return date(match.output.3, match.output.2, match.output.1)
    }
    if let match = text.wholeMatch(of: /([0-9]{4})\/([0-9]{1,2})\/([0-9]{1,2})/) {
      return date(match.output.1, match.output.2, match.output.3)
    }
    if let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{1,2})/) { return date(match.output.1, match.output.2, "1") }

    let words = words(text.replacing(",", with: " "))
    guard words.count == 3, words[2].wholeMatch(of: /[0-9]{4}/) != nil else { return nil }
    for (month, day) in [(words[0], words[1]), (words[1], words[0])] {
      let digits = day.prefix { $0.isNumber }
      guard (1...2).contains(digits.count), ["", "st", "nd", "rd", "th"].contains(day.dropFirst(digits.count)),
        let number = index(of: month, in: months)
      else { continue }
      return date(words[2][...], "\(number + 1)"[...], digits)
    }
    return nil
  }

  /// Returns the time of an age in words: `3 days ago`, `an hour ago` or `last week`; `nil` for any other text.
  static func age(_ text: String) -> Duration? {
    var words = words(text)
    if words.first == "last", words.count == 2 {
      words = ["1", words[1]]
    } else {
      guard words.last == "ago", words.count == 3 else { return nil }
    }
    let count = ["a", "an", "one"].contains(words[0]) ? 1 : Int(words[0])
    guard let count, (0...1_000_000).contains(count), let seconds = units[words[1]] ?? units["\(words[1])s"] else {
      return nil
    }
    return .seconds(count * seconds)
  }

  private static let units = [
    "seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400, "weeks": 7 * 86_400, "months": 30 * 86_400,
    "years": 365 * 86_400,
  ]

  private static func words(_ text: String) -> [String] { text.lowercased().split(separator: " ").map(String.init) }

  /// Returns the place of a name that the word is, or abbreviates with three letters or more.
  private static func index(of word: String, in names: [String]) -> Int? {
    let word = word.hasSuffix(".") ? String(word.dropLast()) : word
    return word.count >= 3 ? names.firstIndex { $0.hasPrefix(word) } : nil
  }

  private static func date(_ year: Substring, _ month: Substring, _ day: Substring) -> String {
    func padded(_ number: Substring) -> String { number.count == 1 ? "0\(number)" : "\(number)" }
    return "\(year)-\(padded(month))-\(padded(day))"
  }
}
