struct JikanDates {
  struct Day { var year, month, day: Int }

  enum Precision { case day, month, year }

  let from: Day?
  let to: Day?
  let precision: Precision
  let isSingle: Bool

  init(_ row: JikanRow) {
    let drawn = row.draw(.precision, below: 100)
    let precision: Precision = drawn < 80 ? .day : drawn < 90 ? .month : .year
    self.precision = precision
    isSingle = row.kind == .anime && ["movie", "music", "pv", "cm", "special"].contains(row.type?.parameter)
    guard row.status != .upcoming || row.chance(.span, perMille: 500) else {
      from = nil
      to = nil
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

  private static func finishedYear(_ row: JikanRow) -> Int {
    let isAncient = row.kind == .manga && row.chance(.yearNoise, perMille: 4)
    guard !isAncient else { return 1865 + row.draw(.year, below: 90) }
    return 2023 - row.draw(.year, below: 60) * row.draw(.yearNoise, plus: 1, below: 60) / 60
  }

  var json: SimulatedJSON {
    #"""
    {"from":\#(Self.time(from)),"to":\#(Self.time(to)),"prop":{"from":\#(Self.parts(from)),"to":\#(Self.parts(to))},\#
    "string":\#(text)}
    """#
  }

  private static func time(_ day: Day?) -> String? {
    day.map { "\($0.year)-\(twoDigits($0.month))-\(twoDigits($0.day))T00:00:00+00:00" }
  }

  private static func parts(_ day: Day?) -> SimulatedJSON {
    #"{"day":\#(day?.day),"month":\#(day?.month),"year":\#(day?.year)}"#
  }

  static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private var text: String {
    guard let from else { return "Not available" }
    return text(from) + (to.map { " to \(text($0))" } ?? (isSingle ? "" : " to ?"))
  }

  private func text(_ day: Day) -> String {
    let month = JikanVocabulary.months[day.month - 1]
    return precision == .year
      ? "\(day.year)" : precision == .month ? "\(month) \(day.year)" : "\(month) \(day.day), \(day.year)"
  }
}
