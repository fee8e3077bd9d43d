import LibPQ
import SyncCore

/// Questions to the iTunes mirror: items by id and by words, and what searches returned.
package enum ITunesQueries {
  package enum Sort: String, Sendable, CaseIterable {
    /// In the upstream's order, as far as it is known.
    case relevance
    /// By artist, then by album: the album itself, then its tracks.
    case artist
    /// The latest first.
    case release
    /// The cheapest first; what has no price comes last.
    case price

    /// Of rows with the columns of an item, and `position`.
    fileprivate var key: String {
      let place = "position NULLS LAST, country, class, id"
      return switch self {
      case .relevance: place
      case .artist:
        """
        itunes.folded(artist_name) NULLS LAST, itunes.folded(collection_name) NULLS LAST, disc_number NULLS FIRST, \
        track_number NULLS FIRST, \(place)
        """
      case .release: "release_date DESC NULLS LAST, \(place)"
      case .price: "price NULLS LAST, \(place)"
      }
    }
  }

  /// Which part of an answer is wanted.
  package struct Part: Sendable {
    package var limit: Int
    package var offset: Int

    package init(limit: Int, offset: Int = 0) {
      self.limit = limit
      self.offset = offset
    }

    fileprivate var parameters: [PGParameter] { [.int(Int64(limit)), .int(Int64(offset))] }
  }

  /// Part of an answer, and how many rows all of it has.
  package struct Answer: Sendable {
    package let rows: RowSet
    package let total: Int
  }

  /// What a search of the mirror is for.
  package struct Words: Sendable {
    /// All words of it must occur in title, artist and album, in any case, with or without accents.
    package var term: String
    package var country: String
    /// Classes of items, e.g. `track`; all if it is empty.
    package var classes: [String]
    /// Kinds as the upstream writes them, e.g. `song`; all if it is empty.
    package var kinds: [String]

    package init(term: String, country: String, classes: [String] = [], kinds: [String] = []) {
      self.term = term
      self.country = country
      self.classes = classes
      self.kinds = kinds
    }
  }

  /// What a search returned when it was published last, or was last published at or before a time.
  ///
  /// - Parameter search: its name; that of a command's own search is made of what was requested.
  /// - Throws: `SyncError` `.missing` if it was not published by then.
  package static func results(
    of search: String, sort: Sort, part: Part, asOf moment: Moment? = nil, in database: Database
  ) async throws -> Answer {
    let columns = columns
    return try await database.read { connection in
      let time = try moment?.resolved(connection) ?? "infinity"
      let published = try connection.query(
        "SELECT EXISTS (SELECT FROM itunes.search_publication WHERE search = $1 AND published_at <= $2::timestamptz)",
        [.text(search), .text(time)]
      ).bool(row: 0, column: 0)
      guard published == true else {
        throw SyncError(
          .missing, "the search \(Excerpt.of(search, scalars: 80)) was not published by then",
          hint: "syncctl run --source itunes runs the searches of the configuration")
      }
      let found = """
        SELECT h.position, h.country, h.class, h.id, \(itemColumns)
        FROM itunes.search_history h LEFT JOIN itunes.item i USING (country, class, id)
        WHERE h.search = $1 AND h.valid_from <= $2::timestamptz
          AND (h.valid_to > $2::timestamptz OR h.valid_to IS NULL)
        """
      return try answer(found, [.text(search), .text(time)], columns, sort, part, connection)
    }
  }

  /// Items of the mirror in which all words occur. Nothing that has vanished is among them.
  ///
  /// The position is the best one that a search of the same term in the same storefront has published; without one,
  /// titles that are the term come first, then titles that begin with it.
  package static func find(
    _ words: Words, sort: Sort, part: Part, in database: Database
  ) async throws -> Answer {
    let found = """
      SELECT i.*, p.position,
             CASE itunes.folded(i.title) WHEN itunes.folded($1) THEN 0
             ELSE CASE WHEN starts_with(itunes.folded(i.title), itunes.folded($1)) THEN 1 ELSE 2 END END AS distance
      FROM itunes.found($1, $2) i LEFT JOIN (
        SELECT r.class, r.id, min(r.position) AS position
        FROM itunes.search s JOIN itunes.search_result r ON r.search = s.name AND r.country = s.country
        WHERE s.country = $2 AND itunes.folded(s.term) = itunes.folded($1)
        GROUP BY r.class, r.id
      ) p USING (class, id)
      WHERE (cardinality($3::text[]) = 0 OR i.class = ANY ($3)) AND (cardinality($4::text[]) = 0 OR i.kind = ANY ($4))
      """
    let columns = columns
    return try await database.read { connection in
      try answer(
        found, [.text(words.term), .text(words.country), .texts(words.classes), .texts(words.kinds)], columns, sort,
        part, connection,
        key: sort == .relevance
          ? """
          position NULLS LAST, distance, itunes.folded(artist_name) NULLS LAST,
          itunes.folded(collection_name) NULLS LAST, disc_number NULLS FIRST, track_number NULLS FIRST, class, id
          """
          : nil)
    }
  }

  /// - Parameter found: its first parameters; the limit and the offset follow them.
  private static func answer(
    _ found: String, _ parameters: [PGParameter], _ columns: String, _ sort: Sort, _ part: Part,
    _ connection: borrowing PGConnection, key: String? = nil
  ) throws -> Answer {
    let last = parameters.count
    let rows = """
      WITH found AS (\(found)) SELECT \(columns) FROM found
      ORDER BY \(key ?? sort.key) LIMIT $\(last + 1) OFFSET $\(last + 2)
      """
    let total = try connection.query(
      SQL(trusted: "WITH found AS (\(found)) SELECT count(*) FROM found"), parameters
    ).int(row: 0, column: 0)
    return Answer(
      rows: try RowSet(try connection.query(SQL(trusted: rows), parameters + part.parameters)), total: Int(total ?? 0))
  }

  /// What a list of items shows.
  private static let columns = """
    position, country, class, id, kind, title, artist_id, artist_name, collection_id, collection_name, price, currency,
    is_sold_singly, release_date, track_time_ms, disc_number, track_number, explicitness, primary_genre,
    coalesce(track_view_url, collection_view_url, artist_view_url) AS url, vanished_at
    """

  private static let itemColumns = """
    i.kind, i.title, i.artist_id, i.artist_name, i.collection_id, i.collection_name, i.price, i.currency,
    i.is_sold_singly, i.release_date, i.track_time_ms, i.disc_number, i.track_number, i.explicitness, i.primary_genre,
    i.track_view_url, i.collection_view_url, i.artist_view_url, i.vanished_at
    """

  /// Everything that the mirror knows of items with these ids, vanished ones included, in the order of the ids. One id
  /// may stand for items of several classes.
  ///
  /// - Parameters:
  ///   - country: a storefront; nil for all.
  ///   - itemClass: e.g. `track`; nil for all.
  package static func items(
    _ ids: [Int64], country: String?, class itemClass: String? = nil, in database: Database
  ) async throws -> RowSet {
    try await database.rows(
      """
      SELECT i.country, i.class, i.id, i.kind, i.title, i.artist_id, i.artist_name, i.collection_id, i.collection_name,
             i.bundle_id, i.price, i.formatted_price, i.currency, i.is_sold_singly, i.track_price, i.collection_price,
             i.track_rental_price, i.release_date, i.track_time_ms, i.disc_number, i.disc_count, i.track_number,
             i.track_count, i.explicitness, i.content_advisory_rating, i.primary_genre, to_json(i.genres) AS genres,
             i.file_size_bytes, i.average_user_rating, i.user_rating_count, i.version, i.preview_url, i.artwork_url,
             i.artist_view_url, i.collection_view_url, i.track_view_url, i.feed_url, i.first_seen_at, i.changed_at,
             i.vanished_at
      FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, place) JOIN itunes.item i USING (id)
      WHERE ($2::text IS NULL OR i.country = $2) AND ($3::text IS NULL OR i.class = $3)
      ORDER BY wanted.place, i.country, itunes.key(i.class, i.id)
      """,
      [.ints(ids), country.map { .text($0) } ?? .null, itemClass.map { .text($0) } ?? .null])
  }

  /// The searches that have been published, with when they last returned something else.
  package static func searches(in database: Database) async throws -> RowSet {
    try await database.rows(
      """
      SELECT s.name, s.country, s.term, s.media, s.entity, s.attribute, s.lang, s.result_limit, p.entries,
             p.published_at
      FROM itunes.search s LEFT JOIN LATERAL (
        SELECT entries, published_at FROM itunes.search_publication WHERE search = s.name
        ORDER BY published_at DESC LIMIT 1
      ) p ON true
      ORDER BY s.name
      """)
  }

  /// Each time that a search returned something new, the latest first: how many items came in, left and
  /// moved.
  package static func publications(of search: String, in database: Database) async throws -> RowSet {
    try await database.rows(
      """
      SELECT p.published_at, p.run_id, p.entries,
             count(*) FILTER (WHERE c.ends = 0) AS entered, count(*) FILTER (WHERE c.begins = 0) AS gone,
             count(*) FILTER (WHERE c.begins > 0 AND c.ends > 0) AS moved, p.consistent
      FROM itunes.search_publication p LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE h.valid_from = p.published_at) AS begins,
               count(*) FILTER (WHERE h.valid_to = p.published_at) AS ends
        FROM itunes.search_history h
        WHERE h.search = p.search AND (h.valid_from = p.published_at OR h.valid_to = p.published_at)
        GROUP BY h.country, h.class, h.id
      ) c ON true
      WHERE p.search = $1
      GROUP BY p.published_at, p.run_id, p.entries, p.consistent
      ORDER BY p.published_at DESC
      """, [.text(search)])
  }

  /// Ids of all items of a storefront, vanished ones included, in order: what a refresh requests. Episodes of podcasts
  /// are not among them: they are not found by their ids alone.
  package static func knownIDs(country: String, in database: Database) async throws -> [Int64] {
    try await database.read { connection in
      try connection.query(
        """
        SELECT DISTINCT id FROM itunes.item WHERE country = $1 AND class <> 'podcast-episode' ORDER BY id
        """, [.text(country)]
      ).map { try $0.int(0) }.compactMap { $0 }
    }
  }

  /// The scopes whose documents are derived again when a mapping changes: of items those with only a storefront, of
  /// charts those with storefront and type, the parts between them being empty.
  package static func storedScopes(in database: Database) async throws -> (items: [[String]], charts: [[String]]) {
    try await database.read { connection in
      let countries = try connection.query("SELECT DISTINCT country FROM itunes.item ORDER BY country")
        .map { [try $0.text(0) ?? ""] }
      let types = try connection.query("SELECT DISTINCT country, type FROM itunes.chart_item ORDER BY country, type")
        .map { [try $0.text(0) ?? "", "", "", try $0.text(1) ?? ""] }
      return (countries, types)
    }
  }
}
