import LibPQ
import SyncPostgres
import SyncProgram

extension RestSource {
  /// Returns the items of the resources whose `title` matches. Resources without a title, and those whose table does
  /// not exist yet, have no hits.
  func search(_ request: SearchRequest, in database: Database) async throws -> [SearchGroup] {
    let titled = declaration.resources.map(\.table).filter { $0.title != nil }
    guard !titled.isEmpty else { return [] }
    let recorded = Set(try await DeclaredSchema.recorded(of: id, in: database).map(\.resource))
    let tables = titled.filter { recorded.contains($0.resource) }
    guard !tables.isEmpty else { return [] }

    let rows = try await database.rows(
      DeclaredTable.search(tables), [.text(request.text), .limit(request.limit)])
    return SearchRows(rows).groups { kind in
      "\(id) \(kind)"
    } command: { [id] kind, key, _ in
      "db psql -c 'SELECT * FROM \(id).\(kind) WHERE syncctl_key = \(key)'"
    }
  }
}

extension DeclaredTable {
  /// Returns the query of the items whose title contains all words, the best match of each table first.
  ///
  /// Its parameters are $1 words and $2 number of rows of each table or NULL.
  /// - Parameter tables: Tables with a title, at least one. They must exist.
  fileprivate static func search(_ tables: [DeclaredTable]) -> SQL {
    let items = tables.map { table in
      let title = "\"\(table.title?.name ?? "")\"::text"
      return """
        SELECT '\(table.resource)'::text AS kind, syncctl_key AS id, \(title) AS title, \(folded(title)) AS words
        FROM \(table.name) WHERE vanished_at IS NULL
        """
    }
    let order = tables.map { "'\($0.resource)'" }.joined(separator: ", ")
    return SQL(
      trusted: """
        WITH asked AS MATERIALIZED (
          SELECT words, ARRAY(
            SELECT '%' || regexp_replace(word, '([\\\\%_])', '\\\\\\1', 'g') || '%'
            FROM regexp_split_to_table(words, '[ \\t-\\r]+') AS word WHERE word <> '') AS patterns
          FROM (SELECT \(folded("$1::text")) AS words) AS folded
        ), item AS (
          \(items.joined(separator: "\nUNION ALL "))
        ), ranked AS (
          SELECT i.*, CASE WHEN i.words = a.words THEN 0 WHEN starts_with(i.words, a.words) THEN 1
                      WHEN strpos(' ' || i.words, ' ' || a.words) > 0 THEN 2 ELSE 3 END AS rank
          FROM item i, asked a WHERE i.words LIKE ALL (a.patterns)
        ), placed AS (
          SELECT *, count(*) OVER (PARTITION BY kind) AS group_total,
                 row_number() OVER (PARTITION BY kind ORDER BY rank, length(words), id) AS place
          FROM ranked
        )
        SELECT kind, id, title, rank, group_total FROM placed WHERE $2::bigint IS NULL OR place <= $2
        ORDER BY array_position(ARRAY[\(order)], kind), place
        """)
  }

  /// The text in lower case and without accents in SQL. Most titles need only lower case.
  private static func folded(_ text: String) -> String {
    """
    CASE WHEN octet_length(\(text)) = length(\(text)) THEN lower(\(text) COLLATE "C")
    ELSE sync.lower(normalize(regexp_replace(normalize(\(text), NFKD), '[\\u0300-\\u036f]', '', 'g'), NFKC)) END
    """
  }
}
