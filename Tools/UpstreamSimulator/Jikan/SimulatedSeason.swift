struct SimulatedSeason: Hashable, Sendable {
  static let names = ["winter", "spring", "summer", "fall"]

  static let now = SimulatedSeason(year: 2025, quarter: 3)

  let year: Int
  let quarter: Int

  init(year: Int, quarter: Int) {
    self.year = year
    self.quarter = quarter
  }

  init?(year: String, name: String) {
    guard year.utf8.count == 4, let number = Int(year), number >= 1000, let quarter = Self.names.firstIndex(of: name)
    else { return nil }
    self.init(year: number, quarter: quarter)
  }

  func contains(_ day: JikanDates.Day) -> Bool { day.year == year && (day.month - 1) / 3 == quarter }
}

enum JikanSchedule {
  static let filters = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "unknown", "other",
  ]

  static func filter(_ row: JikanRow, from: JikanDates.Day?) -> String {
    row.broadcastDay(from: from).map { filters[$0] } ?? "unknown"
  }
}

extension JikanRow {
  func broadcastDay(from: JikanDates.Day?) -> Int? {
    guard type?.parameter == "tv", from != nil, chance(.broadcast, perMille: 850) else { return nil }
    return draw(.broadcast, plus: 500, below: JikanVocabulary.weekdays.count)
  }
}
