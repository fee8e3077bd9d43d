import LibPQ
import SyncCore

struct PreviewReader {
  let writer: PageWriter
  private var stream: StreamDescription { writer.stream }

  struct Item: Sendable {
    let title: String?
    let isNew: Bool
    var columns: [PlannedChange.Column]
  }

  /// An item whose mark as removed would be set or deleted.
  struct MarkedItem: Sendable {
    let key: Int64
    let title: String?
    /// The time of the present mark, as PostgreSQL's text. `nil` without a mark.
    let vanishedAt: String?
  }

  struct Findings: Sendable {
    var differences: [Int64: PageWriter.Difference] = [:]
    var items: [Int64: Item] = [:]
    var refused: [RejectedItem] = []
    var returned: [MarkedItem] = []
    var vanishing: [MarkedItem] = []
  }

  func read(
    _ commit: PageCommit, of walk: OpenWalk, rows: [PageItem], besides keys: Set<Int64>,
    _ connection: borrowing PGConnection
  ) throws -> Findings {
    var findings = Findings()
    let previewed = Set(rows.map(\.key))
    let items = PageBatch([commit], of: walk).items.filter { previewed.contains($0.key) }
    findings.differences = try PageWriter.compare(items, stream.sql, connection)

    let changed = items.items.filter { findings.differences[$0.key] != nil || keys.contains($0.key) }
    (findings.items, findings.refused) = try preview(changed, connection)

    let present = (commit.rejected + findings.refused).compactMap(\.key) + commit.confirmed
    let time = walk.requestTime(commit.requestedAt)
    if writer.returned != nil {
      findings.returned = try marked(present, requestTime: time, by: "preview_returned", connection)
    }

    if case .questionsItem = stream.absence {
      findings.vanishing = try marked(commit.gone, requestTime: time, by: "preview_vanish", connection)
    }
    return findings
  }

  private func preview(
    _ items: [PageItem], _ connection: borrowing PGConnection
  ) throws -> (items: [Int64: Item], refused: [RejectedItem]) {
    guard !items.isEmpty else { return ([:], []) }
    do {
      return try connection.savepoint { connection in try evaluate(items, connection) }
    } catch let error as PostgresError where error.isAboutTheData {
      guard items.count > 1 else { return ([:], [RejectedItem(items[0], error)]) }
      return try items.reduce(into: ([:], [])) { all, item in
        let one = try preview([item], connection)
        all.items.merge(one.items) { $1 }
        all.refused += one.refused
      }
    }
  }

  private func evaluate(
    _ items: [PageItem], _ connection: borrowing PGConnection
  ) throws -> (items: [Int64: Item], refused: [RejectedItem]) {
    let rows = try connection.query(
      SourceSQL.text("preview", stream.sql),
      [.ints(items.map(\.key)), .jsons(items.map(\.document)), .texts(stream.sql.scope)])

    var found: [Int64: Item] = [:]
    var refusals: [Int64: String] = [:]
    _ = try rows.map { row in
      let key = try row.int(0) ?? 0
      if let refusal = try row.text(3) { refusals[key] = refusal }
      let empty = Item(title: try row.text(1), isNew: try row.bool(2) ?? false, columns: [])
      guard let name = try row.text(4) else { return found[key] = empty }
      found[key, default: empty].columns.append(
        PlannedChange.Column(name: name, from: try row.text(5) ?? "null", to: try row.text(6) ?? "null"))
    }

    let refused = items.compactMap { item in
      refusals[item.key].map { reason in
        RejectedItem(key: item.key, reason: "refused", detail: reason, excerpt: Excerpt.of(item.document))
      }
    }
    return (found.filter { refusals[$0.key] == nil }, refused)
  }

  private func marked(
    _ keys: [Int64], requestTime: Int64, by statement: String, _ connection: borrowing PGConnection
  ) throws -> [MarkedItem] {
    guard !keys.isEmpty else { return [] }
    return try connection.query(
      SourceSQL.text(statement, stream.sql), [.ints(keys), .texts(stream.sql.scope), .int(requestTime)]
    ).map { row in
      MarkedItem(key: try row.int(0) ?? 0, title: try row.text(1), vanishedAt: try row.text(2))
    }
  }
}
