/// A quarter of a year, as anime are counted by.
struct SimulatedSeason: Hashable, Sendable {
  static let names = ["winter", "spring", "summer", "fall"]

  /// The present season of the generated world; later works have not started.
  static let now = SimulatedSeason(year: 2025, quarter: 3)

  let year: Int
  /// From 0, the winter.
  let quarter: Int

  init(year: Int, quarter: Int) {
    self.year = year
    self.quarter = quarter
  }

  /// Reads the two segments of an address; nil for an invalid season.
  init?(year: String, name: String) {
    guard year.utf8.count == 4, let number = Int(year), number >= 1000, let quarter = Self.names.firstIndex(of: name)
    else { return nil }
    self.init(year: number, quarter: quarter)
  }

  func contains(_ day: JikanDates.Day) -> Bool { day.year == year && (day.month - 1) / 3 == quarter }
}

/// The week's television by the day it is shown.
enum JikanSchedule {
  /// The generated world has nothing under `other`: an empty list.
  static let filters = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "unknown", "other",
  ]

  /// Under which of the filters a row falls.
  static func filter(_ row: JikanRow, from: JikanDates.Day?) -> String {
    row.broadcastDay(from: from).map { filters[$0] } ?? "unknown"
  }
}

extension JikanRow {
  /// The day of the week it is shown, from 0, a Monday; only television has one, and not all of it.
  func broadcastDay(from: JikanDates.Day?) -> Int? {
    guard type?.parameter == "tv", from != nil, chance(.broadcast, perMille: 850) else { return nil }
    return draw(.broadcast, plus: 500, below: JikanVocabulary.weekdays.count)
  }
}
