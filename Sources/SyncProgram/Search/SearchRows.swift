import SyncCore
package import SyncPostgres

/// The answer of a query that searches titles.
///
/// Each row has the columns `kind`, `id`, `title`, `subtitle` with `subtitle_language`, `match`, `detail`, `picture`,
/// `rank` (the raw value of `SearchRank`) and `group_total` (the number of matching items of the kind). The rows of a
/// kind are in the order of their matches. All columns except `kind`, `id`, `title` and `rank` can be absent or null.
package struct SearchRows {
  private let rows: [NamedRow]

  package init(_ rows: RowSet) { self.rows = rows.namedRows }

  /// Returns one group for each kind, in the order of the rows.
  /// - Parameters:
  ///   - style: The class of the groups' pictures, as in `SearchGroup.style`.
  ///   - heading: Returns the title of a kind's group.
  ///   - command: Returns the arguments of the command that shows the item, without `syncctl`.
  package func groups(
    style: String = "", heading: (_ kind: String) -> String, command: (_ kind: String, _ id: Int64, NamedRow) -> String
  ) -> [SearchGroup] {
    rows.gathered { $0["kind"] ?? "" }.compactMap { rows in
      let hits = rows.compactMap { row -> SearchHit? in
        guard let kind = row["kind"] else { return nil }
        return Self.hit(row, kind: kind) { command(kind, $0, row) }
      }
      guard let first = hits.first else { return nil }
      var group = SearchGroup(heading(first.kind), hits, total: max(hits.count, rows[0].int("group_total") ?? 0))
      group.style = style
      return group
    }
  }

  /// Returns the item of a row; `nil` without an id.
  static func hit(_ row: NamedRow, kind: String, command: (_ id: Int64) -> String) -> SearchHit? {
    guard let id = row["id"].flatMap({ Int64($0) }) else { return nil }
    let rank = row.int("rank").flatMap(SearchRank.init(rawValue:)) ?? .part
    var hit = SearchHit(rank, kind: kind, id: id, title: row["title"] ?? "\(id)", command: command(id))
    hit.subtitle = row["subtitle"].map { ($0, row["subtitle_language"] ?? "ja") }
    hit.match = row["match"]
    hit.detail = row["detail"]
    hit.picture = row["picture"]
    return hit
  }
}
