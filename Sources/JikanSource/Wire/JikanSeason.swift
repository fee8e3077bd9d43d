import SyncCore
import SyncProgram

/// A season of anime, by its year and quarter or relative to the service's calendar.
enum JikanSeason: Sendable, Hashable {
  case now
  case upcoming
  case of(year: Int, Quarter)

  /// The quarters of a year, in order. Winter begins in January.
  enum Quarter: String, Sendable, CaseIterable {
    case winter, spring, summer, fall
  }

  /// - Parameter month: A month from 1 to 12.
  init(year: Int, month: Int) {
    self = .of(year: year, Quarter.allCases[(month - 1) / 3])
  }

  /// MyAnimeList's first film is from 1917. The upper bound only catches typing errors.
  static let years = 1917...2099

  /// Returns the seasons of the parts of a name behind `seasons:`. Empty for an invalid name.
  static func named(_ parts: [String]) -> [JikanSeason] {
    if parts.count == 1, let years = years(parts[0]) {
      return years.flatMap { year in Quarter.allCases.map { .of(year: year, $0) } }
    }
    return JikanSeason(parts: parts).map { [$0] } ?? []
  }

  /// Reads a year such as `2024`, or years such as `2019..2021`, the earlier year first.
  static func years(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false).map { year(String($0)) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else { return nil }
    return first...last
  }

  private init?(parts: [String]) {
    switch parts {
    case ["now"]: self = .now
    case ["upcoming"]: self = .upcoming
    default:
      guard parts.count == 2, let year = Self.year(parts[0]), let quarter = Quarter(rawValue: parts[1]) else {
        return nil
      }
      self = .of(year: year, quarter)
    }
  }

  /// Accepts only four ASCII digits, because `Int` alone would accept `+2024`.
  static func year(_ text: String) -> Int? {
    guard text.utf8.count == 4, text.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int(text).flatMap { years.contains($0) ? $0 : nil }
  }

  /// The year and quarter as the mirror stores them. `nil` for a relative season.
  var span: String? {
    if case .of(let year, let quarter) = self { "\(year) \(quarter.rawValue)" } else { nil }
  }

  func text(separator: String) -> String {
    switch self {
    case .now: "now"
    case .upcoming: "upcoming"
    case .of(let year, let quarter): "\(year)\(separator)\(quarter.rawValue)"
    }
  }
}
