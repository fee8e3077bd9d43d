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
    let found = try all(in: walk.walkID, stream: stream, unstored: unstored, connection)
    let count = found.count(where: \.isGuarded)
    if let live = found.first?.live, !walk.isConfirmed, rule.refuses(removing: count, of: live) {
      throw SyncError(
        .guarded,
        "\(stream.id): \(count.grouped) of \(live.grouped) items of the mirror were not in the catalogue; "
          + "none of them was marked as removed upstream", hint: Confirmation.hint(for: walk))
    }
    return found.filter(\.isReadable).map(\.item)
  }

  struct Found {
    let item: MissingItem
    /// Whether the stored document has all members of the key, so that the item can be looked up.
    let isReadable: Bool
    /// The number of all items that the guard compares with the missing items.
    let live: Int

    var isGuarded: Bool { item.isListed && !item.isControl }
  }

  static func all(
    in walkID: Int64, stream: StreamDescription, unstored: UnstoredReadings = UnstoredReadings(),
    _ connection: borrowing PGConnection
  ) throws -> [Found] {
    let result = try connection.query(
      SourceSQL.text("missing", stream.sql),
      [.int(walkID), .texts(stream.sql.scope), .ints(unstored.keys), .int(Int64(unstored.added))]
        + unstored.listParameter(\.incomplete, of: stream))
    let isDeclared = result.columnCount > 2
    return try result.map { row in
      let members = isDeclared ? try? JSONDecoder().decode([String].self, from: Data(row.bytes(2) ?? [])) : []
      let isControl = isDeclared ? try row.bool(4) ?? false : false
      let isListed = isDeclared ? try row.bool(3) ?? true : true
      return Found(
        item: MissingItem(key: try row.int(0) ?? 0, members: members ?? [], isControl: isControl, isListed: isListed),
        isReadable: members != nil, live: Int(try row.int(1) ?? 0))
    }
  }
}
