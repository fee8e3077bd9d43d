import SyncCore

/// One of the five fields of a cron expression, with its valid values.
struct CronField: Equatable {
  let name: String
  let values: ClosedRange<Int>
  /// The names of the first values, in lowercase. Empty if the field has only numbers.
  let names: [String]

  /// The number of different values. It is 7 for the day of week, because both 0 and 7 are Sunday.
  let count: Int

  static let minute = CronField(name: "minute", values: 0...59)
  static let hour = CronField(name: "hour", values: 0...23)
  static let dayOfMonth = CronField(name: "day of month", values: 1...31)
  static let month = CronField(
    name: "month", values: 1...12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])
  static let dayOfWeek = CronField(
    name: "day of week", values: 0...7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"], count: 7)
  static let all = [minute, hour, dayOfMonth, month, dayOfWeek]

  private init(name: String, values: ClosedRange<Int>, names: [String] = [], count: Int? = nil) {
    self.name = name
    self.values = values
    self.names = names
    self.count = count ?? values.count
  }

  /// Returns the value of a name such as `mon`, without regard to case.
  func value(named name: String) -> Int? {
    names.firstIndex(of: name.lowercased()).map { $0 + values.lowerBound }
  }

  /// Returns the value as a text, by its name if `named` is true and the value has one.
  func spelled(_ value: Int, named: Bool) -> String {
    let index = value - values.lowerBound
    return named && names.indices.contains(index) ? names[index] : String(value)
  }

  /// The largest value that differs from all others. It is 6 for the day of week.
  var last: Int { values.lowerBound + count - 1 }

  var range: String { "\(values.lowerBound)-\(values.upperBound)" }
}

extension CronField {
  /// Returns a hint for a word that is not a value of the field, for example for the syntax of another program.
  func hint(for word: String) -> String {
    if let foreign = foreignMeaning(of: word) { return foreign }
    let numbers = "write a number, \(range)"
    let lower = word.lowercased()
    guard lower.unicodeScalars.allSatisfy({ ("a"..."z").contains($0) }) else { return numbers }
    if let owner = Self.all.first(where: { $0 != self && $0.names.contains(lower) }) {
      return "a \(owner.name) belongs in field \((Self.all.firstIndex(of: owner) ?? 0) + 1) of five"
    }
    if let name = names.first(where: { lower.hasPrefix($0) }) { return "write '\(name)'" }
    if let name = Suggestion.nearest(to: lower, among: names) { return "did you mean '\(name)'?" }
    return names.isEmpty ? numbers : "\(numbers), or one of \(names.joined(separator: " "))"
  }

  private func foreignMeaning(of word: String) -> String? {
    let upper = word.uppercased()
    let isNumberAnd = { (letter: Character) in
      upper.last == letter && upper.dropLast().allSatisfy { $0.isDigit }
    }
    if word.contains("?") { return "write '*'; '?' is Quartz syntax" }
    if word.contains("#") { return "a weekday of a certain week ('#') cannot be expressed in cron's five fields" }
    if word.contains("~") { return "a random value ('~') is not supported; choose one, \(range)" }
    if upper == "H" || upper.hasPrefix("H(") {
      return "'H' is Jenkins syntax; choose a value, \(range)"
    }
    if isNumberAnd("L") || upper == "LW" || upper == "WL" {
      return "a last day ('L') cannot be expressed in cron's five fields; the first of a month can: 0 0 1 * *"
    }
    if isNumberAnd("W") {
      return
        "the nearest working day ('W') cannot be expressed in cron's five fields; working days can: 0 0 * * mon-fri"
    }
    return nil
  }
}
