import Foundation
import LibPQ
import SyncCore

enum MissingItems {
  /// The guard counts only items that the list had last time, because others can stay unlisted for years. An item whose
  /// damaged document lacks a member of the key cannot be looked up, so the item is not returned.
  /// - Throws: `SyncError` `.guarded` if too many items are missing.
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
    let isDeclared = result.columnCount > 2
    let found = try result.map { row in
      let members = isDeclared ? try? JSONDecoder().decode([String].self, from: Data(row.bytes(2) ?? [])) : []
      let isControl = isDeclared ? try row.bool(4) ?? false : false
      let isListed = isDeclared ? try row.bool(3) ?? true : true
      return (
        key: try row.int(0) ?? 0, members: members, isControl: isControl, isListed: isListed,
        live: Int(try row.int(1) ?? 0)
      )
    }
    let count = found.count { $0.isListed && !$0.isControl }
    if let live = found.first?.live, !walk.isConfirmed, rule.refuses(removing: count, of: live) {
      throw SyncError(
        .guarded,
        "\(stream.id): \(count.grouped) of \(live.grouped) items of the mirror were not in the catalogue; "
          + "none of them was marked as removed upstream", hint: Confirmation.hint(for: walk, stream: stream.id))
    }
    return found.compactMap { item in
      item.members.map { members in
        MissingItem(key: item.key, members: members, isControl: item.isControl, isListed: item.isListed)
      }
    }
  }
}
