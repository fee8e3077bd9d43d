/// When a work ran.
///
/// As in real answers a date known only to the month or the year stands for its first day; the precision survives in
/// the text alone.
struct JikanDates {
  struct Day {
    var year: Int
    var month: Int
    var day: Int
  }

  enum Precision { case day, month, year }

  let from: Day?
  let to: Day?
  let precision: Precision
  /// Works of one day have no end at all, which the text shows by omitting it.
  let isSingle: Bool

  init(_ row: JikanRow) {
    let drawn = row.draw(.precision, below: 100)
    let precision: Precision = drawn < 80 ? .day : drawn < 90 ? .month : .year
    self.precision = precision
    isSingle = row.kind == .anime && ["movie", "music", "pv", "cm", "special"].contains(row.type?.parameter)
    guard row.status != .upcoming || row.chance(.span, perMille: 500) else {
      (from, to) = (nil, nil)
      return
    }
    let start = Self.start(row, precision)
    from = start
    guard !isSingle, row.status == .finished || row.status == .discontinued else {
      to = nil
      return
    }
    let months = start.month - 1 + 2 + row.draw(.span, plus: 1, below: row.kind == .anime ? 13 : 130)
    to = Day(
      year: min(start.year + months / 12, Self.lastFinishedYear), month: precision == .year ? 1 : months % 12 + 1,
      day: precision == .day ? 1 + row.draw(.day, plus: 1, below: 28) : 1)
  }

  /// No work ends later: the present of the generated world is the end of this year plus one.
  private static let lastFinishedYear = 2025

  private static func start(_ row: JikanRow, _ precision: Precision) -> Day {
    let year: Int =
      switch row.status {
      case .upcoming: 2026 + row.draw(.year, below: 2)
      case .current: 2024 + row.draw(.year, below: 2)
      default: finishedYear(row)
      }
    return Day(
      year: year, month: precision == .year ? 1 : 1 + row.draw(.month, below: 12),
      day: precision == .day ? 1 + row.draw(.day, below: 28) : 1)
  }

  /// Most works are recent; a few manga are older than any anime.
  private static func finishedYear(_ row: JikanRow) -> Int {
    let isAncient = row.kind == .manga && row.chance(.yearNoise, perMille: 4)
    guard !isAncient else { return 1865 + row.draw(.year, below: 90) }
    return 2023 - row.draw(.year, below: 60) * row.draw(.yearNoise, plus: 1, below: 60) / 60
  }

  /// Appends the range as one JSON object.
  func write(to json: inout JSONText) {
    json.raw(#"{"from":"#)
    Self.write(from, to: &json)
    json.raw(#","to":"#)
    Self.write(to, to: &json)
    json.raw(#","prop":{"from":"#)
    Self.writeParts(from, to: &json)
    json.raw(#","to":"#)
    Self.writeParts(to, to: &json)
    json.raw(#"},"string":""#)
    if let from {
      writeText(from, to: &json)
      if let to {
        json.raw(" to ")
        writeText(to, to: &json)
      } else if !isSingle {
        json.raw(" to ?")
      }
    } else {
      json.raw("Not available")
    }
    json.raw(#""}"#)
  }

  private static func write(_ day: Day?, to json: inout JSONText) {
    guard let day else { return json.raw("null") }
    json.raw(#"""#)
    json.int(day.year)
    json.raw("-")
    json.twoDigits(day.month)
    json.raw("-")
    json.twoDigits(day.day)
    json.raw(#"T00:00:00+00:00""#)
  }

  private static func writeParts(_ day: Day?, to json: inout JSONText) {
    json.raw(#"{"day":"#)
    json.int(day?.day)
    json.raw(#","month":"#)
    json.int(day?.month)
    json.raw(#","year":"#)
    json.int(day?.year)
    json.raw("}")
  }

  private func writeText(_ day: Day, to json: inout JSONText) {
    if precision != .year {
      json.text(JikanVocabulary.months[day.month - 1])
      json.raw(" ")
    }
    if precision == .day {
      json.int(day.day)
      json.raw(", ")
    }
    json.int(day.year)
  }
}
