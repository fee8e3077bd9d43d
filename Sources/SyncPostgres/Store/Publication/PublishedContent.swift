import Hashing
import LibPQ
import SyncCore

/// If the digest of a list equals the stored digest, the list is not written again. Triggers clear the stored digest if
/// anything except a publication writes to the list.
struct PublishedContent {
  let entries: Int64
  let isUnchanged: Bool

  private let source: String
  private let name: String
  private let writes: Int64?
  private let publish: SQL

  static func comparing(
    _ walk: OpenWalk, stream: StreamDescription, isConsistent: Bool, _ connection: borrowing PGConnection
  ) throws -> PublishedContent? {
    guard stream.absence.publishesList, let digest = SourceSQL.optional("digest", stream.sql) else { return nil }
    let publish = try SourceSQL.text("publish", stream.sql)
    let source = stream.id.source.rawValue
    let found = try connection.query(
      digest, Publication.parameters(of: walk, stream: stream, isConsistent: isConsistent)
    ).first { row in (list: try row.text(0) ?? "", entries: try row.int(1) ?? 0, digest: try row.bytea(2) ?? []) }
    guard let found else { return nil }
    let stored = try connection.query(
      "SELECT writes, coalesce(digest = $3, false) FROM sync.published_list WHERE source = $1 AND list = $2",
      [.text(source), .text(found.list), .bytes(whole(found.digest, publish))]
    ).first { row in (writes: try row.int(0) ?? 0, isSame: try row.bool(1) ?? false) }
    return PublishedContent(
      entries: found.entries, isUnchanged: stored?.isSame ?? false, source: source, name: found.list,
      writes: stored?.writes, publish: publish)
  }

  /// Stores the digest of the published list, unless another session has written to the list since the comparison.
  func keep(_ published: borrowing PGResult, _ connection: borrowing PGConnection) throws {
    let digest = try published.columnNames.firstIndex(of: "digest")
      .flatMap { column in try published.first { try $0.bytea(column) } ?? nil }
    try connection.writeRow(
      to: "sync.published_list",
      """
      INSERT INTO sync.published_list AS l (source, list, digest) VALUES ($1, $2, $3)
      ON CONFLICT (source, list) DO UPDATE
      SET digest = CASE WHEN l.writes = $4 THEN excluded.digest END, writes = l.writes + 1
      """, [.text(source), .text(name), digest.map { .bytes(Self.whole($0, publish)) } ?? .null, .int(writes)])
  }

  private static func whole(_ digest: [UInt8], _ publish: SQL) -> [UInt8] {
    SHA256.hash(data: digest + Array(publish.text.utf8))
  }
}
