import LibPQ
import SyncCore

enum MissingItems {
  /// Throws `.guarded` if too many items are missing.
  static func find(
    in walk: OpenWalk, stream: StreamDescription, unstored: UnstoredReadings = UnstoredReadings(),
    _ connection: borrowing PGConnection
  ) throws -> [Int64] {
    guard case .questionsItem(let rule) = stream.absence else { throw stream.provesNoItemGone }
    let refusal = try Publication.refusalOfQuarantined(in: walk, stream: stream, unstored: unstored, connection)
    if let refusal { throw refusal }
    let items = try connection.query(
      SourceSQL.text("missing", stream.sql),
      [.int(walk.walkID), .texts(stream.sql.scope), .ints(unstored.keys), .int(Int64(unstored.added))]
    ).map { row in (key: try row.int(0) ?? 0, live: Int(try row.int(1) ?? 0)) }
    if let live = items.first?.live, !walk.isConfirmed, rule.refuses(removing: items.count, of: live) {
      throw SyncError(
        .guarded,
        "\(stream.id): \(items.count.grouped) of \(live.grouped) items of the mirror were not in the catalogue; "
          + "none of them was marked as removed upstream",
        hint: Confirmation.hint(for: walk, stream: stream.id))
    }
    return items.map(\.key)
  }
}
