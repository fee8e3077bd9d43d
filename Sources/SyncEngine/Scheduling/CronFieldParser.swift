import SyncCore

/// Parses one field of a cron expression. `text` is the whole expression, which errors show.
struct CronFieldParser {
  let field: CronField
  let text: ScheduleText

  /// Returns the values of a field as a set of bits. Bit 0 is the value 0.
  func set(_ word: ScheduleWord) throws(ScheduleFault) -> UInt64 {
    var set: UInt64 = 0
    for piece in word.split(by: ",") { set |= try element(piece, of: word) }
    return set
  }

  private func element(_ element: ScheduleWord, of word: ScheduleWord) throws(ScheduleFault) -> UInt64 {
    guard !element.characters.isEmpty else {
      let column = element.columns.lowerBound
      let comma = column < word.columns.upperBound ? column : column - 1
      throw text.fault(
        "a value is missing in the list of the \(field.name)", hint: "omit the comma", at: comma..<comma + 1)
    }
    let parts = element.split(by: "/")
    guard parts.count <= 2 else {
      throw fault("\(element.quoted) has more than one step", hint: "write one '/'", at: element)
    }
    let every = parts.count == 2 ? try step(parts[1], of: element) : nil
    let values = try range(parts[0], step: every, of: element)
    var set: UInt64 = 0
    for value in stride(from: values.lowerBound, through: values.upperBound, by: every ?? 1) {
      set |= 1 << UInt64(value)
    }
    return set
  }

  private func range(
    _ word: ScheduleWord, step: Int?, of element: ScheduleWord
  ) throws(ScheduleFault) -> ClosedRange<Int> {
    if word.text == "*" { return field.values }

    let ends = word.split(by: "-")
    let first = try value(ends[0], of: element)
    guard ends.count > 1 else {
      guard let step else { return first...first }
      throw fault("a step needs a range", hint: "write '\(word.text)-\(field.values.upperBound)/\(step)'", at: element)
    }

    guard ends.count == 2 else {
      throw fault("\(element.quoted) has more than two ends", hint: "write a range as 1-5", at: element)
    }

    var last = try value(ends[1], of: element)
    // As in cronie, a range can end with 0 (Sunday), which then counts as 7.
    if field == .dayOfWeek, last == 0, first > 0 { last = 7 }

    guard first <= last else {
      let isNamed = field.value(named: ends[0].text) != nil
      throw fault(
        "the range \(word.quoted) runs backwards",
        hint: step == nil ? hint(forReversed: first, last, named: isNamed) : "write it as two ranges", at: word)
    }
    return first...last
  }

  private func value(_ word: ScheduleWord, of element: ScheduleWord) throws(ScheduleFault) -> Int {
    guard !word.characters.isEmpty else {
      throw fault("a value is missing in \(element.quoted)", hint: "write a number, \(field.range)", at: element)
    }
    if let named = field.value(named: word.text) { return named }
    guard let number = digits(word) else {
      throw fault("\(word.quoted) is not a valid \(field.name)", hint: field.hint(for: word.text), at: word)
    }
    guard let value = Int(number), field.values.contains(value) else {
      throw fault("the \(field.name) \(word.quoted) is out of range", hint: "it is \(field.range)", at: word)
    }
    return value
  }

  private func step(_ word: ScheduleWord, of element: ScheduleWord) throws(ScheduleFault) -> Int {
    guard let number = digits(word) else {
      let faultyWord = word.characters.isEmpty ? element : word
      throw fault("\(element.quoted) has no number for its step", hint: "write e.g. '*/2'", at: faultyWord)
    }
    guard let step = Int(number), step <= field.count else {
      throw fault(
        "the step \(word.quoted) is larger than the number of values of the \(field.name)", hint: hint(forStep: number),
        at: word)
    }
    guard step > 0 else { throw fault("the step is 0", hint: "write 1 or more", at: word) }
    return step
  }

  private func digits(_ word: ScheduleWord) -> String? {
    guard !word.characters.isEmpty, word.characters.allSatisfy({ $0.isDigit }) else { return nil }
    return word.text
  }

  private func fault(_ message: String, hint: String?, at word: ScheduleWord) -> ScheduleFault {
    text.fault(message, hint: hint, at: word.columns)
  }

  private func hint(forReversed first: Int, _ last: Int, named: Bool) -> String {
    let part = { (low: Int, high: Int) in
      let ends = low == high ? [low] : [low, high]
      return ends.map { field.spelled($0, named: named) }.joined(separator: "-")
    }
    return "write '\(part(first, max(first, field.last))),\(part(field.values.lowerBound, last))'"
  }

  private func hint(forStep digits: String) -> String {
    let unit = field == .minute ? "m" : field == .hour ? "h" : field == .dayOfMonth ? "d" : nil
    if let unit, Duration(configured: digits + unit) != nil { return "for a period write 'every \(digits)\(unit)'" }
    return "at most \(field.count)"
  }
}
