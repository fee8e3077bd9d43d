import LibPQ
import SyncCore

/// Computes the keys of a declared table again after the rule changed, and moves everything that refers to them.
struct DeclaredIdentity {
  /// The version of the rule that this program has, as in `sync.declared_resource.identity`.
  static let current = 2

  /// A table whose key is hashed.
  let table: DeclaredTable

  /// Gives each row the key of its values: documents, counters, positions, favorites and the pages of the published
  /// walk. The caller holds a lock on the table, and forgets the unfinished walk.
  /// - Parameter mergesKeys: Whether the older of two rows with the same values is deleted.
  /// - Throws: `SyncError` `.configuration` if two rows have the same values and must not be merged.
  func migrate(mergesKeys: Bool, _ connection: borrowing PGConnection) throws {
    try connection.script(SQL(trusted: find))
    defer { try? connection.script("DROP TABLE IF EXISTS syncctl_moved") }
    let twice = try connection.query("SELECT count(*) FROM syncctl_moved WHERE NOT is_kept").int(row: 0, column: 0) ?? 0
    guard twice == 0 || mergesKeys else {
      throw SyncError(
        .configuration,
        "\(table.name): \(twice) items are stored twice, because the service once spelled their keys in another way",
        hint: "syncctl migrate --merge-keys keeps the newer row of each of them and deletes the older one",
        disposition: .stopRun)
    }
    guard try connection.isTrue("SELECT EXISTS (SELECT FROM syncctl_moved)") else { return }
    try connection.script(SQL(trusted: move))
  }

  /// The rows whose key changes, and the rows with the same values. A row without a readable key stays as it is. Of two
  /// rows with the same values, the row with the newest document is kept.
  private var find: String {
    """
    DROP TABLE IF EXISTS syncctl_moved;
    CREATE TEMPORARY TABLE syncctl_moved ON COMMIT DROP AS
    SELECT old, new, first_value(old) OVER best = old AS is_kept, min(first_seen_at) OVER (PARTITION BY new) AS seen
    FROM (
      SELECT syncctl_key AS old, coalesce(\(table.keyHash("raw")), syncctl_key) AS new, first_seen_at, vanished_at,
             coalesce(requested_at, changed_at) AS newest
      FROM \(table.name)
    ) keys
    WINDOW best AS (PARTITION BY new ORDER BY vanished_at IS NOT NULL, newest DESC, old);
    DELETE FROM syncctl_moved m
    WHERE old = new AND NOT EXISTS (SELECT FROM syncctl_moved o WHERE o.new = m.new AND o.old <> m.old);
    ALTER TABLE syncctl_moved ADD PRIMARY KEY (old);
    ANALYZE syncctl_moved;
    """
  }

  private var move: String {
    let counters = """
      UPDATE \(table.countersName) c SET syncctl_key = new FROM syncctl_moved
      WHERE syncctl_key = old AND is_kept AND old <> new;
      """
    let list = """
      DELETE FROM \(table.listName) WHERE syncctl_key IN (SELECT old FROM syncctl_moved WHERE NOT is_kept);
      UPDATE \(table.listName) SET syncctl_key = new FROM syncctl_moved WHERE syncctl_key = old AND old <> new;
      """
    func ifExists(_ name: String, _ script: String) -> String {
      "DO $move$ BEGIN IF to_regclass('\(name)') IS NOT NULL THEN\n\(script)\nEND IF; END $move$;\n"
    }
    return """
      DELETE FROM \(table.name) WHERE syncctl_key IN (SELECT old FROM syncctl_moved WHERE NOT is_kept);
      INSERT INTO \(table.name)
        (syncctl_key, raw, content_hash, first_seen_at, requested_at, changed_at, vanished_at)
      SELECT new, raw, content_hash, seen, requested_at, changed_at, vanished_at
      FROM \(table.name) JOIN syncctl_moved ON old = syncctl_key WHERE is_kept AND old <> new ORDER BY new;
      UPDATE \(table.name) SET first_seen_at = seen FROM syncctl_moved
      WHERE syncctl_key = new AND is_kept AND old = new AND first_seen_at <> seen;
      \(ifExists(table.countersName, counters))\(ifExists(table.listName, list))
      DELETE FROM \(table.name) WHERE syncctl_key IN (SELECT old FROM syncctl_moved WHERE is_kept AND old <> new);
      DELETE FROM app.favorite f USING syncctl_moved m
      WHERE f.source = '\(table.source)' AND f.kind = '\(table.resource)' AND f.id = m.old AND EXISTS (
        SELECT FROM app.favorite o JOIN syncctl_moved t ON t.old = o.id
        WHERE o.source = f.source AND o.kind = f.kind AND o.collection = f.collection AND t.new = m.new
          AND (t.is_kept, o.added_at, o.id) > (m.is_kept, f.added_at, f.id));
      UPDATE app.favorite f SET id = new FROM syncctl_moved
      WHERE f.source = '\(table.source)' AND f.kind = '\(table.resource)' AND f.id = old AND old <> new;
      UPDATE sync.walk_page p
      SET keys = ARRAY(
        SELECT coalesce(m.new, k.key) FROM unnest(p.keys) WITH ORDINALITY AS k (key, place)
        LEFT JOIN syncctl_moved m ON m.old = k.key ORDER BY k.place)
      FROM sync.publication l JOIN sync.run r ON r.id = l.run_id
      WHERE l.source = '\(table.source)' AND l.list = '\(table.resource)' AND p.walk_id = r.walk_id
        AND p.keys IS NOT NULL;
      -- The next walk publishes the list again, because the keys of its digest have changed.
      UPDATE sync.published_list SET digest = NULL, writes = writes + 1
      WHERE source = '\(table.source)' AND list = '\(table.resource)';
      """
  }
}
