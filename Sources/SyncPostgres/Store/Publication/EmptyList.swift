import LibPQ
import SyncCore

/// An empty list can be a fault of the service, so the published entries stay for `Limits.emptyListConfirmation`.
enum EmptyList {
  static func isEmpty(
    _ walk: OpenWalk, unstored: UnstoredReadings, _ connection: borrowing PGConnection
  ) throws -> Bool {
    guard unstored.keys.isEmpty, !unstored.hasUnreadable else { return false }
    return try connection.isTrue(
      """
      SELECT NOT EXISTS (SELECT FROM sync.published_page WHERE walk_id = $1 AND cardinality(keys) > 0)
         AND NOT EXISTS (SELECT FROM sync.walk_page WHERE walk_id = $1 AND unreadable > 0)
      """, [.int(walk.walkID)])
  }

  /// Whether the published list is empty already, for example because a user confirmed that a weekday has no anime.
  static func isPublished(_ stream: StreamID, _ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      "SELECT EXISTS (SELECT FROM sync.publication WHERE source = $1 AND list = $2 AND entries = 0)", stream.key)
  }

  static func isConfirmed(_ stream: StreamID, _ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      """
      SELECT coalesce(empty_since <= clock_timestamp() - make_interval(secs => $3), false)
      FROM sync.stream_state WHERE source = $1 AND stream = $2
      """, stream.key + [.double(Limits.emptyListConfirmation / .seconds(1))])
  }

  /// Notes since when the list of a stream with a witness has been empty.
  /// - Parameters:
  ///   - isKeptBack: Whether the list was empty, and the published entries stay for now.
  ///   - isPublished: Whether the list was published.
  static func note(
    _ walk: OpenWalk, stream: StreamDescription, isKeptBack: Bool, isPublished: Bool,
    _ connection: borrowing PGConnection
  ) throws {
    guard stream.witness != nil else { return }
    _ = try connection.query(
      """
      UPDATE sync.stream_state SET empty_since = CASE WHEN $3 THEN clock_timestamp() END
      WHERE source = $1 AND stream = $2 AND (empty_since IS NULL) = $3 AND ($3 OR $4 OR EXISTS (
        SELECT FROM sync.walk_page WHERE walk_id = $5 AND (cardinality(keys) > 0 OR unreadable > 0)))
      """, stream.id.key + [.bool(isKeptBack), .bool(isPublished), .int(walk.walkID)])
  }
}
