/// The statements that create the tables.
extension DeclaredTable {
  /// The definition of a column that the database derives from the document.
  func definition(_ column: Column) -> String {
    "\(column.name.quoted) \(column.type.name) GENERATED ALWAYS AS (\(column.expression)) STORED"
  }

  private var keyComment: String {
    hasNumberKey
      ? "The primary key." : "The first 63 bits of the SHA-256 of the primary key's members, as a JSON array."
  }

  /// The statements that create the table, its counters and its list.
  var creation: String {
    let columns = columns.map { "  \(definition($0)),\n" }.joined()
    let comments = self.columns.map { comment(on: $0, of: name) }
    let counterComments = counters.map { comment(on: $0, of: countersName) }
    return """
      CREATE TABLE \(name) (
        syncctl_key bigint PRIMARY KEY,
      \(columns)  raw jsonb NOT NULL,
        content_hash bytea NOT NULL,
        first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        requested_at timestamptz,
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        vanished_at timestamptz
      );
      -- As in 0003_statistics.sql: no query sorts or filters by documents.
      ALTER TABLE \(name) ALTER COLUMN raw SET STATISTICS 0, ALTER COLUMN content_hash SET STATISTICS 0;
      COMMENT ON TABLE \(name) IS 'The items of the resource \(resource), one row per item.';
      COMMENT ON COLUMN \(name).syncctl_key IS \(keyComment.literal);
      COMMENT ON COLUMN \(name).raw IS 'The item as the service sent it. Counters in it can be outdated.';
      COMMENT ON COLUMN \(name).content_hash IS 'SHA-256 of the item without its counters, then a version.';
      COMMENT ON COLUMN \(name).first_seen_at IS 'When the item was first stored.';
      COMMENT ON COLUMN \(name).requested_at IS 'When the stored content was requested.';
      COMMENT ON COLUMN \(name).changed_at IS 'When the item last changed, apart from its counters.';
      COMMENT ON COLUMN \(name).vanished_at IS 'When the item was found to be removed; null while it exists.';
      \(comments.joined())
      \(counters.isEmpty ? "" : countersCreation)\(counterComments.joined())\(hasList ? listCreation : "")
      """
  }

  /// - Parameter table: The table that has the column.
  func comment(on column: Column, of table: String) -> String {
    let text = "The member \(column.path.joined(separator: ".")) of raw."
    return "COMMENT ON COLUMN \(table).\(column.name.quoted) IS \(text.literal);\n"
  }

  /// The statements that create the table of the counters if it does not exist.
  var countersCreation: String {
    """
    CREATE TABLE IF NOT EXISTS \(countersName) (
      syncctl_key bigint PRIMARY KEY REFERENCES \(name) ON DELETE CASCADE,
    \(counters.map { "  \(definition($0)),\n" }.joined())  raw jsonb NOT NULL,
      counter_hash bigint NOT NULL,
      requested_at timestamptz,
      changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    ) WITH (fillfactor = 80);
    COMMENT ON TABLE \(countersName) IS 'Members of the items that change often, apart from the documents.';
    COMMENT ON COLUMN \(countersName).syncctl_key IS 'The key of the item in \(name).';
    COMMENT ON COLUMN \(countersName).raw IS 'The counters as the service sent them.';
    COMMENT ON COLUMN \(countersName).counter_hash IS 'Hash of the counters; -1 if the next run must write them again.';
    COMMENT ON COLUMN \(countersName).requested_at IS 'When the stored counters were requested.';
    COMMENT ON COLUMN \(countersName).changed_at IS 'When the counters last changed.';

    """
  }

  private static let positionComment =
    "The item's place in the list, from 1. Items without a readable id are counted."
  private static let unreadComment =
    "Whether the last walk did not read this item and had items without a readable id. The position is then the last "
    + "known one, so another item can have the same position."

  /// The statements that create the table of the published list.
  var listCreation: String {
    """
    CREATE TABLE \(listName) (
    \(lists.map { "  list \($0.nameType) NOT NULL,\n" } ?? "")\
      syncctl_key bigint \(lists == nil ? "PRIMARY KEY" : "NOT NULL"),
      position integer NOT NULL,
      unread boolean NOT NULL DEFAULT false\(lists == nil ? "" : ",\n  PRIMARY KEY (list, syncctl_key)")
    );
    COMMENT ON TABLE \(listName) IS 'The published list\(lists == nil ? "" : "s"): the places of the items, from 1.';
    \(lists.map(additionsForLists) ?? "")\
    COMMENT ON COLUMN \(listName).syncctl_key IS 'The key of the item in \(name).';
    COMMENT ON COLUMN \(listName).position IS \(Self.positionComment.literal);
    COMMENT ON COLUMN \(listName).unread IS \(Self.unreadComment.literal);
    -- Citus needs this statement alone, as a block of PL/pgSQL runs it.
    DO $$ BEGIN CREATE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(listName)
    FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM '\(source)')
    EXECUTE FUNCTION sync.forget_published('\(source)'); END $$;

    """
  }

  /// The index that finds an item's places, and the comment on the lists' names.
  private func additionsForLists(_ lists: Lists) -> String {
    let comment =
      lists.parent.map { "The list: the syncctl_key of its parent in \($0.table)." } ?? "The name of the list."
    return """
      CREATE INDEX \(resource)_list_item ON \(listName) (syncctl_key);
      COMMENT ON COLUMN \(listName).list IS \(comment.literal);

      """
  }
}
