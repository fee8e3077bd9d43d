import SyncCore

/// The parts of the views `favorite_item` and `favorite_history` of the table's source.
extension DeclaredTable {
  /// The statement that removes the columns of all tables from the view `favorite_item`.
  static func emptyFavorites(of source: SourceID) -> String {
    """
    CREATE OR REPLACE VIEW \(source).favorite_item AS
    SELECT ''::text AS kind, 0::bigint AS id, ''::text AS title, ''::text AS title_japanese, ''::text AS type,
           0::numeric AS score, ''::text AS url, ''::text AS state, 0::integer AS rank WHERE false;

    """
  }

  /// The query of the items.
  var favoriteItems: String {
    let title = title.map { $0.name.quoted } ?? "NULL"
    let url = columns.first { ["url", "html_url", "link"].contains($0.name) && $0.type == ColumnType(.text) }
    return """
      SELECT '\(resource)'::text AS kind, syncctl_key AS id, coalesce(\(title), syncctl_key::text) AS title,
             NULL::text AS title_japanese, NULL::text AS type, NULL::numeric AS score,
             \(url?.name.quoted ?? "NULL::text") AS url,
             CASE WHEN vanished_at IS NULL THEN 'mirrored' ELSE 'vanished' END AS state, NULL::integer AS rank
      FROM \(name)
      """
  }

  /// The query of the changes of the items.
  var favoriteHistory: String {
    """
    SELECT '\(resource)'::text AS kind, syncctl_key AS id, NULL::text AS list, NULL::timestamptz AS list_began_at,
           e.what,
           NULL::numeric AS value, e.at AS valid_from, NULL::timestamptz AS valid_to
    FROM \(name) AS item CROSS JOIN LATERAL (VALUES
      ('mirrored', first_seen_at), ('vanished', vanished_at),
      ('changed', CASE WHEN vanished_at IS NULL AND changed_at > first_seen_at + interval '1 second'
                  THEN changed_at END)
    ) AS e (what, at)
    WHERE e.at IS NOT NULL
    """
  }
}
