import LibPQ
import SyncCore

/// Apple's charts, as they are and as they were. Only what a run published is ever shown.
package enum ITunesCharts {
  package struct Chart: Sendable, Hashable, CustomStringConvertible {
    package let country: String
    package let media: String
    package let feed: String
    package let type: String

    package init(country: String, media: String, feed: String, type: String) {
      self.country = country
      self.media = media
      self.feed = feed
      self.type = type
    }

    package var description: String { "\(country)/\(media)/\(feed)/\(type)" }

    fileprivate var key: [PGParameter] { [.text(country), .text(media), .text(feed), .text(type)] }
  }

  /// A chart as it was published at a time.
  package struct Snapshot: Sendable {
    package let rows: RowSet
    /// Since when it has stood like this; ISO 8601, UTC.
    package let publishedAt: String
    /// The history begins with it, after the moment in question.
    package let startsLater: Bool
  }

  /// The charts that have been published, with when they last changed.
  package static func list(in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("charts", of: "itunes"))
  }

  /// The published charts of a type, e.g. `songs`; nil is anything.
  package static func charts(
    country: String? = nil, media: String? = nil, feed: String? = nil, type: String? = nil, in database: Database
  ) async throws -> [Chart] {
    try await database.read { connection in
      try connection.query(
        QuerySQL.text("chart_keys", of: "itunes"), [country, media, feed, type].map { $0.map { .text($0) } ?? .null }
      ).map { row in
        Chart(
          country: try row.text(0) ?? "", media: try row.text(1) ?? "", feed: try row.text(2) ?? "",
          type: try row.text(3) ?? "")
      }
    }
  }

  /// A chart as the last publication left it, or the last one at or before `moment`, else the first one.
  ///
  /// - Parameter after: continue after the entry with this id.
  /// - Throws: `SyncError` `.missing` if nothing has been published, or if `after` is not in the chart.
  package static func rows(
    _ chart: Chart, limit: Int?, after: Int64? = nil, asOf moment: Moment? = nil, in database: Database
  ) async throws -> Snapshot {
    try await database.read { connection in
      let (publishedAt, startsLater) = try published(chart, moment, connection)
      let key = chart.key + [.text(publishedAt)]
      var place: Int64 = 0
      if let after {
        let found = try connection.query(
          "SELECT position FROM itunes.chart_as_of($1, $2, $3, $4, $5::timestamptz) WHERE id = $6", key + [.int(after)]
        ).first { try $0.int(0) }
        guard let position = found ?? nil else {
          throw SyncError(.missing, "\(after) is not in the chart \(chart)", hint: "give an id from it")
        }
        place = position
      }
      let rows = try connection.query(
        QuerySQL.text("chart", of: "itunes"), key + [.int(place), .limit(limit)])
      return Snapshot(rows: try RowSet(rows), publishedAt: RowSet.isoTime(publishedAt), startsLater: startsLater)
    }
  }

  /// Who moved since `moment`: the chart as last published against what it was then. The longest way first; who came in
  /// or left has come from or gone to the end.
  ///
  /// - Returns: the movers, and when the earlier chart was published.
  /// - Throws: `SyncError` `.missing` if nothing has been published.
  package static func movers(
    _ chart: Chart, since moment: Moment, limit: Int?, in database: Database
  ) async throws -> Snapshot {
    try await database.read { connection in
      let (before, startsLater) = try published(chart, moment, connection)
      let rows = try connection.query(
        QuerySQL.text("chart_movers", of: "itunes"), chart.key + [.text(before), .limit(limit)])
      return Snapshot(rows: try RowSet(rows), publishedAt: RowSet.isoTime(before), startsLater: startsLater)
    }
  }

  /// Every row of one entry in one chart, the latest last.
  ///
  /// - Throws: `SyncError` `.missing` if there is none.
  package static func entry(_ id: Int64, in chart: Chart, _ database: Database) async throws -> RowSet {
    let rows = try await database.rows(
      QuerySQL.text("chart_history", of: "itunes"), chart.key + [.int(id)])
    guard !rows.rows.isEmpty else {
      throw SyncError(
        .missing, "\(id) has never stood in the chart \(chart)",
        hint: "check the id; a chart has a history from its first whole run on")
    }
    return rows
  }

  /// When the chart was last published at or before a time, else when first; as PostgreSQL writes it.
  private static func published(
    _ chart: Chart, _ moment: Moment?, _ connection: borrowing PGConnection
  ) throws -> (at: String, startsLater: Bool) {
    let time = try moment?.resolved(connection) ?? "infinity"
    let times = try connection.query(
      QuerySQL.text("chart_published", of: "itunes"), chart.key + [.text(time)])
    if let last = try times.text(row: 0, column: 0) { return (last, false) }
    if let first = try times.text(row: 0, column: 1) { return (first, true) }
    throw SyncError(
      .missing, "the chart \(chart) has not been published yet", hint: "syncctl run --source itunes walks the charts")
  }
}
