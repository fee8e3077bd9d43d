package import LibPQ
import SyncCore

/// A time that a user gives, either absolute or as an age.
package enum Moment: Sendable, Equatable {
  /// A time in PostgreSQL's input format. If the time has no zone, it is in UTC. A time without a fraction means the
  /// end of its second.
  case at(String)
  case ago(Duration)
  /// The beginning of a day in UTC.
  case day(Day)

  /// A day that is counted from the present day, in UTC.
  package enum Day: Sendable, Equatable {
    /// The number of days before today.
    case before(Int)
    /// The last day before today with this number: 1 for Monday to 7 for Sunday.
    case lastWeekday(Int)
  }

  package static let hint =
    "write it as 2026-11-21, 2026-11-21T04:00:00Z (UTC without a zone), as an age such as 24h, 7d or 3 days ago, or as "
    + "yesterday or last monday"

  /// Parses a time (`2026-11-21`, `2026-11-21T04:00:00.5+01:00`, `21.11.2026`, `Nov 21 2026`), an age (`24h`, `7d`,
  /// `2w`, `3 days ago`) or a day (`yesterday`, `last monday`). Returns `nil` for any other text, a day that does not
  /// exist, and an age above `Limits.longestHistory`.
  ///
  /// A date such as 11/12/2026 is refused, because countries read it differently.
  package init?(_ text: String) {
    if let day = MomentWords.day(text) {
      self = .day(day)
    } else if let duration = Self.duration(text), duration <= Limits.longestHistory {
      // Before dates, whose regular expressions take long: every command reads the ages in the headers of reports.
      self = .ago(duration)
    } else if let date = MomentWords.date(text) {
      guard Self.isTime(date) else { return nil }
      self = .at(date)
    } else if Self.isTime(text) {
      self = .at(text)
    } else {
      return nil
    }
  }

  /// Returns the time in PostgreSQL's format. An age is subtracted from the database's clock, in whole seconds.
  package func resolved(_ connection: borrowing PGConnection) throws -> String {
    let result =
      switch self {
      case .at(let text):
        try connection.query(
          "SELECT ($1::timestamptz + make_interval(secs => $2))::text",
          [.text(text), .double(text.contains(".") ? 0 : 0.999999)])
      case .ago(let duration):
        try connection.query(
          "SELECT (clock_timestamp() - make_interval(secs => $1))::text",
          [.double(Double(duration.components.seconds))])
      case .day(.before(let days)):
        try connection.query(QuerySQL.text("day_before"), [.int(Int64(days))])
      case .day(.lastWeekday(let number)):
        try connection.query(QuerySQL.text("last_weekday"), [.int(Int64(number))])
      }
    guard let moment = try result.text(row: 0, column: 0) else {
      throw SyncError(.database, "the database returned no time", hint: "run again")
    }
    return moment
  }

  private static func duration(_ text: String) -> Duration? {
    if let words = MomentWords.age(text) { return words }
    let text = text.hasSuffix(" ago") ? text.dropLast(4) : text[...]
    if text.last == "w" { return Duration(configured: text.dropLast() + "d").map { $0 * 7 } }
    return Duration(configured: text)
  }

  private static func isTime(_ text: String) -> Bool {
    let pattern =
      #/
      (?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})
      ([T\ ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?(Z|[+\-](0[0-9]|1[0-4])(:?[0-5][0-9])?)?)?
      /#
    guard let match = text.wholeMatch(of: pattern), let year = Int64(match.year), let month = Int64(match.month),
      let day = Int64(match.day), year > 0, (1...12).contains(month)
    else { return false }
    return (1...CivilMonth(year: year, month: month).length).contains(day)
  }
}
