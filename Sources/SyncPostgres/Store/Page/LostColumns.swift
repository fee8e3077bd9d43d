import LibPQ
import SyncCore

/// The guard against items that lose a column, probably because the upstream renamed a member.
///
/// The guard acts if more than half of a page's items would lose the same column, unless the user has confirmed that.
/// Pages with fewer than `Limits.guardedItems` stored items, or with mostly new items, are not judged.
package enum LostColumns {
  struct Loss {
    let column: String
    let lost: Int
    let items: Int

    var text: String { "\(lost.grouped) of \(items.grouped) items lack \(column) \(LostColumns.symptom)" }
  }

  /// A part of the guard's error text, by which stored errors are recognized.
  package static let symptom = "or have it in an unknown form"

  /// Whether the error of a run says that the run would lose a column.
  package static func areReported(in error: String) -> Bool { error.contains(symptom) }
}

extension PageWriter {
  /// Returns an error if more than half of the items would lose a column. Then the upstream has probably renamed a
  /// member.
  func refusalOfLostColumns(
    _ differences: [Int64: Difference], of items: [PageItem], in walk: OpenWalk, _ connection: borrowing PGConnection
  ) throws -> SyncError? {
    guard !stream.isQuestion, let loss = try lossOfColumn(differences, of: items, in: walk, connection) else {
      return nil
    }
    return SyncError(
      .guarded, "\(stream.id): \(loss.text); none of them was written",
      hint: "the upstream has probably renamed the member: look at its answer, and for a newer syncctl; to store the "
        + "items without it: \(Confirmation.command(for: walk))")
  }

  /// Returns a warning if the answer to a question would lose a column in more than half of its items.
  func warningOfLostColumns(
    _ differences: [Int64: Difference], of items: [PageItem], in walk: OpenWalk, _ connection: borrowing PGConnection
  ) throws -> String? {
    guard stream.isQuestion, let loss = try lossOfColumn(differences, of: items, in: walk, connection) else {
      return nil
    }
    return "\(loss.text); they are stored as the service sent them"
  }

  private func lossOfColumn(
    _ differences: [Int64: Difference], of items: [PageItem], in walk: OpenWalk, _ connection: borrowing PGConnection
  ) throws -> LostColumns.Loss? {
    let stored = items.filter { differences[$0.key]?.isNew == false }
    guard !walk.isConfirmed, stored.count >= Limits.guardedItems, stored.count * 2 > items.count,
      SourceSQL.has("lost_columns", stream.sql)
    else { return nil }
    let lost: [String: Int]
    do {
      lost = try connection.savepoint { connection in try columnsLost(by: stored, differences, connection) }
    } catch let error as PostgresError where error.isAboutTheData {
      // PostgreSQL refuses a value. The write then stores the items one by one and omits the refused items.
      return nil
    }
    guard let worst = lost.min(by: { ($1.value, $0.key) < ($0.value, $1.key) }), worst.value * 2 > items.count else {
      return nil
    }
    return LostColumns.Loss(column: worst.key, lost: worst.value, items: items.count)
  }

  private func columnsLost(
    by items: [PageItem], _ differences: [Int64: Difference], _ connection: borrowing PGConnection
  ) throws -> [String: Int] {
    var lost: [String: Int] = [:]
    for areCounters in [false, true] {
      let items = items.filter { (differences[$0.key]?.needsDocument == false) == areCounters }
      guard !items.isEmpty else { continue }
      let columns = try connection.query(
        SourceSQL.text("lost_columns", stream.sql),
        [
          .ints(items.map(\.key)), .jsons(items.map { areCounters ? $0.counters : $0.document }),
          .texts(stream.sql.scope), .bool(areCounters),
        ]
      ).map { row in (name: try row.text(0) ?? "", count: Int(try row.int(1) ?? 0)) }
      for column in columns { lost[column.name, default: 0] += column.count }
    }
    return lost
  }
}
