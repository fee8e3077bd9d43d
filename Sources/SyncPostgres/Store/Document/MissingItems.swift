import Foundation
import LibPQ
import SyncCore

enum MissingItems {
  /// Throws `.guarded` if too many items are missing.
  static func find(
    in walk: OpenWalk, stream: StreamDescription, unstored: UnstoredReadings = UnstoredReadings(),
    _ connection: borrowing PGConnection
  ) throws -> [MissingItem] {
    guard case .questionsItem(let rule, _) = stream.absence else { throw stream.provesNoItemGone }
    let refusal = try Publication.refusalOfQuarantined(in: walk, stream: stream, unstored: unstored, connection)
    if let refusal { throw refusal }
    let result = try connection.query(
      SourceSQL.text("missing", stream.sql),
      [.int(walk.walkID), .texts(stream.sql.scope), .ints(unstored.keys), .int(Int64(unstored.added))])
    let hasMembers = result.columnCount > 2
    let items = try result.map { row in
      let members = hasMembers ? try row.bytes(2).map { try JSONDecoder().decode([String].self, from: Data($0)) } : nil
      return (item: MissingItem(key: try row.int(0) ?? 0, members: members ?? []), live: Int(try row.int(1) ?? 0))
    }
    if let live = items.first?.live, !walk.isConfirmed, rule.refuses(removing: items.count, of: live) {
      throw SyncError(
        .guarded,
        "\(stream.id): \(items.count.grouped) of \(live.grouped) items of the mirror were not in the catalogue; "
          + "none of them was marked as removed upstream", hint: Confirmation.hint(for: walk, stream: stream.id))
    }
    return items.map(\.item)
  }
}
