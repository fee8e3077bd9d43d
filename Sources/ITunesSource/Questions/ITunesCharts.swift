import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

enum ITunesCharts {
  struct Chart: Sendable, Hashable, CustomStringConvertible {
    let country: String
    let media: String
    let feed: String
    let type: String

    var description: String { "\(country)/\(media)/\(feed)/\(type)" }

    fileprivate var listing: String { "chart \(self)" }
    fileprivate var key: [PGParameter] { [.text(country), .text(media), .text(feed), .text(type)] }
  }

  struct Snapshot: PagedAnswer {
    let page: ListPage
    let publishedAt: String
    let startsLater: Bool
    let isLatest: Bool
    let doubts: [ListDoubt]

    fileprivate init(_ page: ListPage, _ published: Published, _ doubts: [ListDoubt]) {
      self.page = page
      self.doubts = doubts
      publishedAt = TimeText.second(published.at)
      startsLater = published.startsLater
      isLatest = published.isLatest
    }
  }

  static func charts(in database: Database) async throws -> [Chart] {
    try await database.read { connection in
      try connection.query(QuerySQL.text("chart_keys", of: "itunes")).map { row in
        Chart(
          country: try row.text(0) ?? "", media: try row.text(1) ?? "", feed: try row.text(2) ?? "",
          type: try row.text(3) ?? "")
      }
    }
  }

  /// Returns the last publication at or before `moment`; `nil` means now. If all publications are later, returns the
  /// first publication. Later pages show the same publication as the first page.
  static func rows(
    _ chart: Chart, limit: Int?, after: PageStart? = nil, asOf moment: Moment? = nil, in database: Database
  ) async throws -> Snapshot {
    try await database.read { connection in
      let published: Published
      var start = PGParameter.int(0)
      switch after {
      case .cursor(let cursor):
        let values = try cursor.parameters(of: chart.listing, [.time, .bigint])
        published = try publication(chart, cursor.values[0] ?? "infinity", connection)
        guard published.at == cursor.values[0] else {
          throw SyncError(
            .missing, "the cursor's publication of the chart \(chart) is no longer kept",
            hint: "omit --after")
        }
        start = values[1]
      case .id(let id):
        published = try publication(chart, moment, connection)
        let found = try RowSet(
          QuerySQL.text("chart", of: "itunes"),
          chart.key + [.text(published.at), start, .limit(1), .int(id), .int(0)], connection)
        guard let position = found.namedRows.first?.int("cursor_position") else {
          throw SyncError(.missing, "\(id) is not in the chart \(chart)", hint: "give an id that the chart has")
        }
        start = .int(Int64(position))
      case nil, .offset: published = try publication(chart, moment, connection)
      }
      let rows = try RowSet(
        QuerySQL.text("chart", of: "itunes"),
        chart.key + [.text(published.at), start, .pageLimit(limit), .null, .offset(after)], connection)
      return Snapshot(
        ListPage(rows, limit: limit, listing: chart.listing), published, try doubts(chart, [published.at], connection))
    }
  }

  /// Returns the entries that moved, the largest move first. If an entry entered or left, its missing position counts
  /// as the end of the chart.
  static func movers(
    _ chart: Chart, since moment: Moment, limit: Int?, in database: Database
  ) async throws -> Snapshot {
    try await database.read { connection in
      let before = try publication(chart, moment, connection)
      let rows = try RowSet(
        QuerySQL.text("chart_movers", of: "itunes"), chart.key + [.text(before.at), .limit(limit)], connection)
      let doubts = try doubts(chart, [before.at, before.latest], connection)
      return Snapshot(ListPage(all: rows), before, doubts)
    }
  }

  /// Returns the charts of these types that an entry is or was in, with its position now. Charts that it is in come
  /// first.
  static func charts(
    with id: Int64, types: [String], in database: Database
  ) async throws -> [(chart: Chart, position: String?)] {
    let rows = try await database.rows(QuerySQL.text("charted", of: "itunes"), [.int(id), .texts(types)])
    return rows.namedRows.map { row in
      let chart = Chart(
        country: row["country"] ?? "", media: row["media"] ?? "", feed: row["feed"] ?? "", type: row["type"] ?? "")
      return (chart, row["position"])
    }
  }

  /// Returns an entry as the charts of these types describe it, with a row for each storefront and type.
  static func items(
    _ id: Int64, class itemClass: String, types: [String], in database: Database
  ) async throws -> RowSet {
    try await database.rows(QuerySQL.text("chart_item", of: "itunes"), [.int(id), .texts(types), .text(itemClass)])
  }

  static func entry(_ id: Int64, in chart: Chart, _ database: Database) async throws -> RowSet {
    let rows = try await database.rows(QuerySQL.text("chart_history", of: "itunes"), chart.key + [.int(id)])
    guard !rows.rows.isEmpty else {
      throw SyncError(
        .missing, "\(id) has never been in the chart \(chart)",
        hint: "check the id; a chart's history begins with its first complete run")
    }
    return rows
  }

  private static func doubts(
    _ chart: Chart, _ times: [String], _ connection: borrowing PGConnection
  ) throws -> [ListDoubt] {
    try connection.query(QuerySQL.text("chart_doubts", of: "itunes"), chart.key + [.texts(times)]).map { row in
      ListDoubt(
        isConsistent: try row.bool(1), certificate: try row.text(2), publishedAt: try row.text(0) ?? "")
    }.compactMap(\.self)
  }

  fileprivate struct Published {
    let at: String
    /// The time of the chart's last publication.
    let latest: String
    var isLatest: Bool { at == latest }
    var startsLater = false
  }

  private static func publication(
    _ chart: Chart, _ moment: Moment?, _ connection: borrowing PGConnection
  ) throws -> Published {
    try publication(chart, try moment?.resolved(connection) ?? "infinity", connection)
  }

  private static func publication(
    _ chart: Chart, _ time: String, _ connection: borrowing PGConnection
  ) throws -> Published {
    let times = try connection.query(QuerySQL.text("chart_published", of: "itunes"), chart.key + [.text(time)])
    if let latest = try times.text(row: 0, column: 2) {
      if let last = try times.text(row: 0, column: 0) { return Published(at: last, latest: latest) }
      if let first = try times.text(row: 0, column: 1) {
        return Published(at: first, latest: latest, startsLater: true)
      }
    }
    throw SyncError(
      .missing, "the chart \(chart) has not been published yet", hint: "syncctl run --source itunes fetches the charts")
  }
}
