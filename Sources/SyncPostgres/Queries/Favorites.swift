import LibPQ
import SyncCore

/// The user's own collections.
package enum Favorites {
  /// What can be a favorite.
  package struct Item: Sendable, Equatable {
    package let source: String
    /// Kind within the source.
    package let kind: String
    package let id: Int64
    /// How the mirror comes to have it, as it stands in a hint.
    let remedy: String

    package init(source: String, kind: String, id: Int64, remedy: String = "run syncctl run to fill the mirror") {
      self.source = source
      self.kind = kind
      self.id = id
      self.remedy = remedy
    }

    package static func == (one: Item, other: Item) -> Bool {
      (one.source, one.kind, one.id) == (other.source, other.kind, other.id)
    }

    fileprivate var key: [PGParameter] { [.text(source), .text(kind), .int(id)] }
    fileprivate var name: String { "\(kind) \(id)" }
  }

  /// - Returns: the title, and whether the item is new in the collection; a note replaces the old one.
  /// - Throws: `SyncError` `.missing` if the mirror does not have the item.
  package static func add(
    _ item: Item, to collection: String, note: String?, in database: Database
  ) async throws -> (title: String, isNew: Bool) {
    try await database.write { connection in
      let title = try connection.query(
        SQL(
          trusted: """
            SELECT coalesce(t.title, f.kind || ' ' || f.id)
            FROM (VALUES ($1::text, $2::text, $3::bigint)) AS f (source, kind, id) \(titles) WHERE t.is_mirrored
            """), item.key
      ).first { try $0.text(0) }
      guard let title = title ?? nil else {
        throw SyncError(
          .missing, "the mirror has no \(item.name)", hint: "check the id, or \(item.remedy)")
      }
      let isNew = try connection.query(
        """
        INSERT INTO app.favorite AS f (collection, source, kind, id, note) VALUES ($4, $1, $2, $3, $5)
        ON CONFLICT (collection, source, kind, id) DO UPDATE SET note = coalesce(excluded.note, f.note)
        RETURNING xmax = 0
        """, item.key + [.text(collection), note.map { .text($0) } ?? .null]
      ).bool(row: 0, column: 0)
      return (title, isNew ?? false)
    }
  }

  /// - Throws: `SyncError` `.missing` if it is not in the collection.
  package static func remove(_ item: Item, from collection: String, in database: Database) async throws {
    try await database.write { connection in
      let rows = try connection.query(
        "DELETE FROM app.favorite WHERE source = $1 AND kind = $2 AND id = $3 AND collection = $4",
        item.key + [.text(collection)]
      ).affectedRows
      guard rows > 0 else {
        throw SyncError(
          .missing, "\(item.name) is not in \(Excerpt.of(collection, scalars: 60))",
          hint: "syncctl favorites list shows what is")
      }
    }
  }

  /// Without the notes for a role that may not read them.
  ///
  /// - Parameter collection: nil for all collections.
  package static func list(_ collection: String?, in database: Database) async throws -> RowSet {
    let right: SQL = "SELECT has_column_privilege('app.favorite', 'note', 'SELECT')::text"
    let note = try await database.rows(right).rows.first == ["true"] ? "f.note" : "NULL::text AS note"
    return try await database.rows(
      SQL(
        trusted: """
          SELECT f.collection, f.source, f.kind, f.id, t.title, t.title_japanese, t.type, t.score, \(note), f.added_at
          FROM app.favorite f \(titles)
          WHERE $1::text IS NULL OR f.collection = $1
          ORDER BY f.collection, f.added_at, f.source, f.kind, f.id
          """), [collection.map { .text($0) } ?? .null])
  }

  /// What a table `f` with source, kind and id is joined with for `t`: `is_mirrored`, `title`, `title_japanese`, `type`
  /// and `score`. A Pokémon is called as its species is, and one of its forms as the form is; what several storefronts
  /// have, as the first one of them calls it that still has it, and what has only stood in a chart as the chart does.
  private static let titles = """
    LEFT JOIN jikan.media m ON f.source = 'jikan' AND m.kind = f.kind AND m.mal_id = f.id
    LEFT JOIN jikan.media_counters c ON c.kind = m.kind AND c.mal_id = m.mal_id
    LEFT JOIN pokeapi.resource r ON f.source = 'pokeapi' AND r.endpoint = f.kind AND r.id = f.id
    LEFT JOIN pokeapi.pokemon p ON r.endpoint = 'pokemon' AND p.id = r.id
    LEFT JOIN LATERAL (
      SELECT 'pokemon-form' AS endpoint, min(pf.id) AS id FROM pokeapi.pokemon_form pf
      WHERE p.id > 10000 AND pf.pokemon_id = p.id AND pf.is_default
      HAVING p.id > 10000
      UNION ALL SELECT 'pokemon-species', p.species_id WHERE p.id <= 10000
      UNION ALL SELECT r.endpoint, r.id WHERE p.id IS NULL
    ) named ON true
    LEFT JOIN pokeapi.name en ON en.endpoint = named.endpoint AND en.id = named.id AND en.language = 'en'
    LEFT JOIN pokeapi.name ja ON ja.endpoint = named.endpoint AND ja.id = named.id AND ja.language = 'ja'
    LEFT JOIN LATERAL (
      SELECT i.title, coalesce(i.kind, f.kind) AS type, 1 AS place, i.vanished_at IS NOT NULL AS is_gone, i.country
      FROM itunes.item i
      WHERE f.source = 'itunes' AND i.id = f.id
        AND i.class = CASE f.kind WHEN 'album' THEN 'collection' ELSE f.kind END
      UNION ALL
      SELECT e.name, f.kind, 2, false, e.country
      FROM itunes.chart_item e
      WHERE f.source = 'itunes' AND e.id = f.id AND f.kind = CASE e.type
        WHEN 'songs' THEN 'track' WHEN 'music-videos' THEN 'track' WHEN 'albums' THEN 'album' WHEN 'apps' THEN 'app'
        WHEN 'podcasts' THEN 'podcast' WHEN 'books' THEN 'ebook' WHEN 'audio-books' THEN 'audiobook' END
      ORDER BY place, is_gone, country LIMIT 1
    ) it ON true
    LEFT JOIN itunes.item jp ON f.source = 'itunes' AND jp.country = 'jp' AND jp.id = f.id
      AND jp.class = CASE f.kind WHEN 'album' THEN 'collection' ELSE f.kind END
    CROSS JOIN LATERAL (
      SELECT m.mal_id IS NOT NULL OR r.id IS NOT NULL OR it.place IS NOT NULL AS is_mirrored,
             coalesce(m.title, en.name, r.name, it.title) AS title,
             coalesce(m.title_japanese, ja.name, jp.title) AS title_japanese, nullif(c.score, 0) AS score,
             coalesce(m.type, it.type, (
               SELECT string_agg(pt.type, ', ' ORDER BY pt.slot) FROM pokeapi.pokemon_type pt WHERE pt.pokemon_id = p.id
             )) AS type
    ) t
    """
}
