/// The list of a season: `seasons:now`, `seasons:upcoming`, or a given one such as `seasons:2024:spring`.
package enum JikanSeason: Sendable, Hashable {
  case now
  case upcoming
  case of(year: Int, Quarter)

  package enum Quarter: String, Sendable, CaseIterable {
    case winter, spring, summer, fall
  }

  /// The season of a day by the calendar: January to March are winter, and so on.
  package init(year: Int, month: Int) {
    self = .of(year: year, Quarter.allCases[(month - 1) / 3])
  }

  /// The first animated film on MyAnimeList is of 1917. The end only excludes typing errors, without reading a clock.
  static let years = 1917...2099

  /// Reads the part after `seasons:` in a stream's name; nil if there is no such season.
  init?(parts: [String]) {
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

  /// Four ASCII digits: `Int` alone would accept `+2024`.
  static func year(_ text: String) -> Int? {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(text).flatMap { years.contains($0) ? $0 : nil }
  }

  /// As `span.sql` names it.
  var span: String? {
    if case .of(let year, let quarter) = self { "\(year) \(quarter.rawValue)" } else { nil }
  }

  /// The season's words, joined by the separator of names, paths or the mirror's labels.
  func text(separator: String) -> String {
    switch self {
    case .now: "now"
    case .upcoming: "upcoming"
    case .of(let year, let quarter): "\(year)\(separator)\(quarter.rawValue)"
    }
  }
}
