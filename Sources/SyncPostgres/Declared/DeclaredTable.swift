import EmbeddedSQL
package import SyncCore

/// A table that the configuration file declares. `syncctl migrate` creates it, and its typed columns are generated from
/// the document.
package struct DeclaredTable: Sendable, Equatable {
  /// A typed column whose values the database computes from a member of the document.
  package struct Column: Sendable, Equatable {
    package let name: String
    /// The members that lead to the value, from the document.
    package let path: [String]
    package let type: ColumnType

    package init(name: String, path: [String], type: ColumnType) {
      self.name = name
      self.path = path
      self.type = type
    }

    /// The column's value in SQL; `raw` is the document.
    var expression: String { "\(type.function)(\(Self.value("raw", path)))" }

    static func value(_ raw: String, _ path: [String]) -> String {
      path.count == 1 ? "\(raw)->\(path[0].literal)" : "\(raw)#>ARRAY[\(path.map(\.literal).joined(separator: ", "))]"
    }
  }

  package let source: SourceID
  package let resource: String
  /// The names of the columns with the key's members. They are the first of `columns`. Empty if an item has no key, so
  /// that its document identifies it.
  package let key: [String]
  /// Whether the table's key is the only member itself, and not a hash.
  package let hasNumberKey: Bool
  /// The path of the items in a page, as declared.
  package let selector: String
  /// With the members of the key, which come first.
  package let columns: [Column]
  package let counters: [Column]
  package let hasList: Bool
  /// The path of the incremental cursor.
  package let cursor: [String]?
  /// The name of the column that `title` declares; `nil` for the usual names.
  private let titleName: String?

  /// - Parameter title: The name of a column of type text that names items in favorites and dry runs.
  package init(
    source: SourceID, resource: String, key: [String], hasNumberKey: Bool, selector: String, columns: [Column],
    counters: [Column], hasList: Bool, cursor: [String]?, title: String? = nil
  ) {
    self.source = source
    self.resource = resource
    self.key = key
    self.hasNumberKey = hasNumberKey
    self.selector = selector
    self.columns = columns
    self.counters = counters
    self.hasList = hasList
    self.cursor = cursor
    titleName = title
  }

  /// The columns of the key's members, in the order of the declared key.
  package var keyColumns: ArraySlice<Column> { columns.prefix(key.count) }

  package var name: String { "\(source).\(resource)" }
  var countersName: String { "\(name)_counters" }
  var fullName: String { "\(name)_full" }
  var listName: String { "\(name)_list" }

  /// Returns the statements and scope of the table's streams. Call `embed` before a statement is used.
  package func sql(publishing: [String] = []) -> StreamSQL {
    StreamSQL(folder: "declared/\(source)/\(resource)", scope: [source.rawValue, resource], publishing: publishing)
  }

  /// The column with the item's name, for favorites and pages.
  package var title: Column? {
    if let titleName { return columns.first { $0.name == titleName } }
    return ["title", "name", "full_name", "label"].lazy.compactMap { name in
      columns.first { $0.name == name && $0.type == ColumnType(.text) }
    }.first
  }

  /// Adds the table's statements to the program.
  package func embed() {
    let folder = sql().folder
    func path(_ name: String) -> String { SQLComposition.path(name, of: folder) }
    var files = [path("table"): values, path("columns"): derivation]
    let statements =
      ["ready", "write", "preview", "missing"] + (counters.isEmpty ? [] : ["counters", "counters_dropped"])
      + (hasList ? ["listed", "publish", "preview_publish"] : []) + (cursor == nil ? [] : ["finished"])
    for statement in statements {
      files[path(statement)] = EmbeddedSQL.text("templates/declared/\(statement).sql")
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

  /// The file `table.sql` of the table's folder.
  private var values: String {
    let names = "'{\(counters.map { $0.path[0].arrayElement }.joined(separator: ","))}'::text[]"
    var values = [
      "table": name, "in scope": "/* scope */ IS NOT NULL", "space": "array_to_string(/* scope */, '/')",
      "key": "d.syncctl_key", "has key": "d.syncctl_key = wanted.key",
      "among keys": "d.syncctl_key = ANY ($1::bigint[])",
      "title": title.map { "d.\($0.name.quoted)" } ?? "d.syncctl_key::text",
      "derived title": title.map { "r.\($0.name.quoted)" } ?? "r.syncctl_key::text",
      "document": "d.raw", "counters": "", "counters of derived": "", "vanished": "d.vanished_at IS NOT NULL",
      "changed at": "d.changed_at",
      "requested at": "d.requested_at", "counters differ": "false", "differing": name.literal,
      "identity": "syncctl_key", "document key": "jsonb_build_object('syncctl_key', key)",
      "document noted": "substr(d.content_hash, 1, 32) = decode(repeat('00', 32), 'hex')",
      "same key": sameKey("excluded.raw"), "same derived key": sameKey("r.raw"),
      "key texts": "jsonb_build_array(\(keyTexts("d.raw").joined(separator: ", ")))",
      "was listed": hasList ? "key IN (SELECT syncctl_key FROM \(listName))" : "true",
      "look-up": lookUp, "counter names": names, "counters part": "", "has counters": "NULL::boolean",
      "counters join": "",
    ]
    if !counters.isEmpty { values.merge(counterValues(names)) { $1 } }
    if hasList {
      let published = "SELECT syncctl_key AS key, position, unread FROM \(listName)"
      values.merge(
        [
          "list": "(/* scope */)[2]", "has digest": "true",
          "entries": "coalesce(array_send(array_agg(key)) || array_send(array_agg(/* signed position */)), '')",
          "list table": listName, "entry": "jsonb_build_object('syncctl_key', key)",
          "walked list": "SELECT key, position, unread FROM listed WHERE /* scope */ IS NOT NULL",
          "published list": published,
        ]
      ) { $1 }
    }
    values["cursor"] = cursor.map { Column.value("d.raw", $0) }
    return values.sorted { $0.key < $1.key }.map { "/* \($0): */ \($1)" }.joined(separator: "\n")
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
    let members = keyColumns.map { "sync.key_json(\(Column.value(raw, $0.path)), \($0.type.base.rawValue.literal))" }
    return "sync.key_hash(ARRAY[\(members.joined(separator: ", "))])"
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

  private func counterValues(_ names: String) -> [String: String] {
    [
      "document": "sync.with_counters(d.raw, c.raw)", "counters": "LEFT JOIN \(countersName) c USING (syncctl_key)",
      "counters of derived": "LEFT JOIN \(countersName) c ON c.syncctl_key = r.syncctl_key",
      "changed at": "greatest(d.changed_at, c.changed_at)", "requested at": "greatest(d.requested_at, c.requested_at)",
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
      """, "has counters": "CASE WHEN counters_differ THEN c.key IS NOT NULL END",
      "counters join": "LEFT JOIN counters c USING (key)",
    ]
  }

  /// The statements that grant the roles their rights on the table.
  private var grants: String {
    "GRANT USAGE ON SCHEMA \(source) TO syncctl_worker, syncctl_user, syncctl_reader;\n"
      + relationGrants.map(\.statement).joined(separator: "\n")
  }

  /// The rights on each relation of the table. The statements name relations, because a user can have other relations
  /// in this schema. The worker does not write views, because a view is written with the rights of its owner.
  private var relationGrants: [(relation: String, statement: String)] {
    // Counters and a list that are no longer declared stay, with their rights.
    let tables = [name, countersName, listName]
    return (tables + [fullName]).map { ($0, "GRANT SELECT ON \($0) TO syncctl_worker, syncctl_user, syncctl_reader;") }
      + tables.map { ($0, "GRANT INSERT, UPDATE, DELETE ON \($0) TO syncctl_worker;") }
  }

  /// The function that grants the roles their rights in the schema of a source. It skips relations that a user has
  /// dropped, so that `sql/roles.sql` grants all other rights.
  /// - Parameter tables: All tables of the source.
  static func rights(of tables: [DeclaredTable]) -> String {
    let source = tables[0].source
    let views = ["favorite_item", "favorite_history"].map { view in
      let name = "\(source).\(view)"
      return (relation: name, statement: "GRANT SELECT ON \(name) TO syncctl_worker, syncctl_user, syncctl_reader;")
    }
    let grants = (tables.flatMap(\.relationGrants) + views).map { relation, statement in
      "  IF to_regclass('\(relation)') IS NOT NULL THEN \(statement) END IF;"
    }
    return """
      CREATE OR REPLACE FUNCTION \(source).grant_rights() RETURNS void
      LANGUAGE plpgsql
      AS $$
      BEGIN
        GRANT USAGE ON SCHEMA \(source) TO syncctl_worker, syncctl_user, syncctl_reader;
      \(grants.joined(separator: "\n"))
      END $$;
      COMMENT ON FUNCTION \(source).grant_rights IS 'Grants the roles of syncctl the rights that they need in this \
      schema. sql/roles.sql calls the function.';
      """
  }
}

/// The types of declared columns, with their names in PostgreSQL.
package struct ColumnType: Sendable, Equatable {
  /// The type of a single value. The raw value is the type's name in PostgreSQL and in declarations.
  package enum Base: String, Sendable, CaseIterable {
    case text, integer, bigint, numeric
    case double = "double precision"
    case boolean, date, timestamptz, uuid, jsonb
  }

  /// How the service writes values that JSON has no type for.
  package enum Format: String, Sendable, CaseIterable {
    /// Seconds since 1970, for `timestamptz` and `date`.
    case epoch
    /// Milliseconds since 1970, for `timestamptz` and `date`.
    case epochMilliseconds = "epoch_ms"
    /// 0 and 1 as well as false and true, for `boolean`.
    case number

    package var bases: [Base] {
      switch self {
      case .epoch, .epochMilliseconds: [.timestamptz, .date]
      case .number: [.boolean]
      }
    }
  }

  package let base: Base
  package let isArray: Bool
  /// `nil` for the usual form. An array has no format.
  package let format: Format?

  package init(_ base: Base, isArray: Bool = false, format: Format? = nil) {
    self.base = base
    self.isArray = isArray
    self.format = format
  }

  package var name: String { base.rawValue + (isArray ? "[]" : "") }

  /// The name with the format. Two types with the same description have the same columns.
  var description: String { name + (format.map { " (\($0.rawValue))" } ?? "") }

  /// The function in `sql/shared/functions/members.sql` that computes the column.
  var function: String {
    let name = base.rawValue.replacing(" ", with: "_")
    return "sync.as_\(name)\(isArray ? "_array" : "")\(format.map { "_of_\($0.rawValue)" } ?? "")"
  }
}

extension String {
  /// The text as a literal in SQL.
  package var literal: String { "'\(replacing("'", with: "''"))'" }

  fileprivate var arrayElement: String {
    "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"".replacing("'", with: "''")
  }
}
