package import LibPQ
import SyncCore

/// A time that a user gives, either absolute or as an age.
package enum Moment: Sendable, Equatable {
  /// A time in PostgreSQL's input format. If the time has no zone, it is in UTC. A time without a fraction means the
  /// end of its second.
  case at(String)
  case ago(Duration)

  package static let hint =
    "write it as 2026-11-21, 2026-11-21T04:00:00Z (UTC without a zone), or as an age such as 24h, 7d or 2w"

  /// Parses a time (`2026-11-21`, `2026-11-21T04:00:00.5+01:00`) or an age (`24h`, `7d`, `2w`, `7d ago`). Returns `nil`
  /// for any other text, a day that does not exist, and an age above `Limits.longestHistory`.
  package init?(_ text: String) {
    if let duration = Self.duration(text), duration <= Limits.longestHistory {
      self = .ago(duration)
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
      }
    guard let moment = try result.text(row: 0, column: 0) else {
      throw SyncError(.database, "the database returned no time", hint: "run again")
    }
    return moment
  }

  private static func duration(_ text: String) -> Duration? {
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
