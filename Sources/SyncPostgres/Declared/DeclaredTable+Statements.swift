import EmbeddedSQL
import SyncCore

/// The statements of the table, which templates and these values compose.
extension DeclaredTable {
  /// Adds the table's statements to the program.
  package func embed() {
    let folder = sql().folder
    func path(_ name: String) -> String { SQLComposition.path(name, of: folder) }

    var statements = ["ready", "write", "preview", "missing"]
    if !counters.isEmpty { statements += ["counters", "counters_dropped"] }
    if hasList { statements += ["listed", "publish", "preview_publish"] }
    if cursor != nil { statements.append("finished") }

    var files = [path("table"): values, path("columns"): derivation]
    for statement in statements {
      files[path(statement)] = EmbeddedSQL.text("templates/declared/\(statement).sql")
    }
    if lists != nil {
      for statement in ["listed", "publish", "preview_publish", "missing", "leaving", "list_keys"] {
        files[path(statement)] = EmbeddedSQL.text("templates/declared/lists/\(statement).sql")
      }
    }

    // `doctor` looks for a worker's rights in the files with this name.
    files["sources/\(folder)/functions/roles.sql"] = grants
    EmbeddedSQL.add(files)
  }

  /// The file `columns.sql` of the table's folder.
  private var derivation: String {
    let columns = (columns + counters).map { "\($0.expression) AS \($0.name.quoted)" }
    return "SELECT item.*, \(columns.joined(separator: ",\n       "))\nFROM item"
  }

  /// The file `table.sql` of the table's folder. Each value replaces the placeholder of its name in the templates.
  private var values: String {
    var values = commonValues
    if !counters.isEmpty { values.merge(counterValues) { $1 } }
    if hasList { values.merge(listValues) { $1 } }
    if let lists { values.merge(valuesOfLists(lists)) { $1 } }
    values["cursor"] = cursor.map { Column.value("d.raw", $0) }
    return values.sorted { $0.key < $1.key }.map { "/* \($0): */ \($1)" }.joined(separator: "\n")
  }

  private var commonValues: [String: String] {
    [
      "table": name,
      "in scope": "/* scope */ IS NOT NULL",
      "space": "array_to_string(/* scope */, '/')",
      "key": "d.syncctl_key",
      "has key": "d.syncctl_key = wanted.key",
      "among keys": "d.syncctl_key = ANY ($1::bigint[])",
      "title": title.map { "d.\($0.name.quoted)" } ?? "d.syncctl_key::text",
      "derived title": title.map { "r.\($0.name.quoted)" } ?? "r.syncctl_key::text",
      "document": "d.raw",
      "counters": "",
      "counters of derived": "",
      "vanished": "d.vanished_at IS NOT NULL",
      "changed at": "d.changed_at",
      "requested at": "d.requested_at",
      "counters differ": "false",
      "differing": name.literal,
      "identity": "syncctl_key",
      "document key": "jsonb_build_object('syncctl_key', key)",
      "document noted": "substr(d.content_hash, 1, 32) = decode(repeat('00', 32), 'hex')",
      "same key": sameKey("excluded.raw"),
      "same derived key": sameKey("r.raw"),
      "key texts": "jsonb_build_array(\(keyTexts("d.raw").joined(separator: ", ")))",
      "was listed": hasList ? "key IN (SELECT syncctl_key FROM \(listName))" : "true",
      "look-up": lookUp,
      "counter names": counterNames,
      "counters part": "",
      "has counters": "NULL::boolean",
      "counters join": "",
    ]
  }

  private var listValues: [String: String] {
    [
      "list": "(/* scope */)[2]",
      "has digest": "true",
      "entries": "coalesce(array_send(array_agg(key)) || array_send(array_agg(/* signed position */)), '')",
      "list table": listName,
      "entry": "jsonb_build_object('syncctl_key', key)",
      "walked list": "SELECT key, position, unread FROM listed WHERE /* scope */ IS NOT NULL",
      "published list": "SELECT syncctl_key AS key, position, unread FROM \(listName)",
    ]
  }

  /// The values for statements of several lists, where a row of the list table also has the name of its list.
  private func valuesOfLists(_ lists: Lists) -> [String: String] {
    [
      "list name": "name::\(lists.nameType)",
      "entries": """
      convert_to(coalesce(string_agg(concat_ws(' ', list, key, /* signed position */), E'\\n'), ''), 'UTF8')
      """,
      "entry": "jsonb_build_object('list', list, 'syncctl_key', key)",
      "entry names": "list, key",
      "entry order": "list, coalesce(w.position, s.position), key",
      "walked list": "SELECT list, key, position, unread FROM listed WHERE /* scope */ IS NOT NULL",
      "published list": "SELECT list, syncctl_key AS key, position, unread FROM \(listName)",
      "vanishing": lists.parent.map { $0.vanishesWithParent ? vanishing(with: $0) : "" } ?? "",
      "vanishing dropped": lists.parent?.vanishesWithParent == true
        ? "\n  WHEN (SELECT count(*) FROM vanished) < (SELECT count(*) FROM orphan) THEN '\(name)'" : "",
      "vanished count": lists.parent?.vanishesWithParent == true ? "(SELECT count(*) FROM vanished)" : "0",
    ]
  }

  /// Marks the live items whose last places were in the lists of vanished parents. Their rows are locked in the order
  /// of keys, as all writers do.
  private func vanishing(with parent: Lists.Parent) -> String {
    """
    , orphan AS MATERIALIZED (
      SELECT d.syncctl_key AS key FROM \(name) d
      WHERE d.vanished_at IS NULL AND d.syncctl_key IN (
          SELECT l.key FROM leaving l JOIN \(parent.table) p ON p.syncctl_key = l.list WHERE p.vanished_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM listed WHERE listed.key = d.syncctl_key)
      ORDER BY 1 FOR NO KEY UPDATE OF d
    ), vanished AS (
      UPDATE \(name) d SET vanished_at = sync.write_time(o.key), changed_at = sync.write_time(o.key)
      FROM orphan o WHERE d.syncctl_key = o.key RETURNING 1
    )
    """
  }

  /// The names of the counters as an array in SQL.
  private var counterNames: String {
    "'{\(counters.map { $0.path[0].arrayElement }.joined(separator: ","))}'::text[]"
  }

  /// Compares the key of the document `sent` with the key of the stored document.
  private func sameKey(_ sent: String) -> String {
    // Not jsonb_build_array: Citus accepts only IMMUTABLE functions in ON CONFLICT.
    func keys(_ raw: String) -> String {
      keyColumns.reduce("'[]'::jsonb") { "\($0) || (\(Column.value(raw, $1.path)))" }
    }
    // A document that is its own key has no members to compare.
    return hasNumberKey || key.isEmpty ? "true" : "sync.expect_same_key(\(keys("d.raw")), \(keys(sent)), \(keyTypes))"
  }

  /// The `syncctl_key` of a document in SQL.
  func keyHash(_ raw: String) -> String {
    "sync.key_hash(ARRAY[\(keyJSON(raw).joined(separator: ", "))])"
  }

  /// The key's members as canonical JSON in SQL.
  func keyJSON(_ raw: String) -> [String] {
    keyColumns.map { "sync.key_json(\(Column.value(raw, $0.path)), \($0.type.base.rawValue.literal))" }
  }

  /// The canonical texts of the key's members in SQL.
  private func keyTexts(_ raw: String) -> [String] {
    keyColumns.map { "sync.key_text(\(Column.value(raw, $0.path)), \($0.type.base.rawValue.literal))" }
  }

  private var keyTypes: String {
    "ARRAY[\(keyColumns.map { $0.type.base.rawValue.literal }.joined(separator: ", "))]"
  }

  /// A declared column can have the name `key` or `requested`, as other parts of the statements do. So the look-up
  /// returns only columns whose names no declared column has.
  private var lookUp: String {
    """
    LEFT JOIN LATERAL (
      SELECT d.content_hash, d.requested_at, d.changed_at, d.vanished_at
      FROM (SELECT key AS syncctl_key) wanted JOIN \(name) d USING (syncctl_key) WHERE /* scope */ IS NOT NULL OFFSET 0
    ) d ON true
    """
  }

  private var counterValues: [String: String] {
    let names = counterNames
    return [
      "document": "sync.with_counters(d.raw, c.raw)",
      "counters": "LEFT JOIN \(countersName) c USING (syncctl_key)",
      "counters of derived": "LEFT JOIN \(countersName) c ON c.syncctl_key = r.syncctl_key",
      "changed at": "greatest(d.changed_at, c.changed_at)",
      "requested at": "greatest(d.requested_at, c.requested_at)",
      "noted": "/* document noted */ OR c.counter_hash IS NULL OR c.counter_hash IN (-1, -2)",
      "counters differ": "c.counter_hash IS DISTINCT FROM i.counter_hash",
      "differing": """
      CASE WHEN d.content_hash IS DISTINCT FROM i.content_hash OR d.vanished_at IS NOT NULL
                THEN \(name.literal) ELSE \(countersName.literal) END
      """,
      "look-up": """
      \(lookUp)
      LEFT JOIN LATERAL (
        -- If a counter of the document is missing, the hash of the counters is -2, which no counters have.
        SELECT CASE WHEN c.raw ?& \(names) THEN c.counter_hash
                    WHEN jsonb_typeof(c.raw) IS DISTINCT FROM 'object' THEN -2
                    WHEN (SELECT d.raw FROM \(name) d WHERE d.syncctl_key = c.syncctl_key)
                         ?| ARRAY(SELECT unnest(\(names)) EXCEPT SELECT jsonb_object_keys(c.raw)) THEN -2
                    ELSE c.counter_hash END AS counter_hash, c.requested_at, c.changed_at
        FROM (SELECT key AS syncctl_key) wanted JOIN \(countersName) c USING (syncctl_key) OFFSET 0
      ) c ON true
      """,
      // Otherwise, `verify` would miss a counters row that is missing, or that has other members than the document: the
      // document's outdated value would replace a missing counter. Equal objects of jsonb have equal orders of names.
      "counter-hash": """
        CASE WHEN jsonb_typeof(c.raw) = 'object'
             THEN CASE WHEN ARRAY(SELECT jsonb_object_keys(c.raw))
                              = ARRAY(SELECT jsonb_object_keys(sync.members(d.raw, \(names))))
                       THEN c.counter_hash ELSE -2 END
             ELSE -2 END
      """,
      "counter-values": "to_jsonb(c.*) - '{raw,syncctl_key}'::text[]",
      "counters table": countersName,
      "counters part": """
      , counters AS (
        INSERT INTO \(countersName) AS c (syncctl_key, raw, counter_hash, requested_at, changed_at)
        SELECT key, sync.members(raw, \(names)), counter_hash, requested_at, clock_timestamp()
        -- If a document was skipped because a newer one is stored, its counters are skipped too.
        FROM item JOIN documents USING (key) WHERE counters_differ ORDER BY key
        ON CONFLICT (syncctl_key) DO UPDATE SET raw = excluded.raw, counter_hash = excluded.counter_hash,
          requested_at = excluded.requested_at, changed_at = sync.write_time(excluded.syncctl_key)
        WHERE NOT sync.is_newer(c.requested_at, excluded.requested_at)
        RETURNING c.syncctl_key AS key
      )
      """,
      "has counters": "CASE WHEN counters_differ THEN c.key IS NOT NULL END",
      "counters join": "LEFT JOIN counters c USING (key)",
    ]
  }
}

extension String {
  /// The text as an element of an array literal, within a literal in SQL.
  fileprivate var arrayElement: String {
    "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"".replacing("'", with: "''")
  }
}
