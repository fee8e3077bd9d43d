/// Keys of dlt that are not supported.
extension MalformedDeclarationTests {
  /// The keys of dlt that are not supported, each with a part of the reason.
  static let unsupported: [Malformed] = [
    unsupported(
      10, "- name: products\n  KEY: x", "resources[0]", at: 11,
      [
        "processing_steps": "a view in SQL", "merge_key": "primary_key",
        "table_name": "endpoint.path can differ", "max_table_nesting": "stay in raw", "schema_contract": "fixed",
        "table_format": "PostgreSQL's", "file_format": "no files", "parallelized": "the rate limit is shared",
        "selected": "--stream", "references": "a view in SQL", "nested_hints": "stay in raw", "auth": "of client",
        "data_from": "in a placeholder", "parent": "in a placeholder",
      ]),
    unsupported(
      12, "path: products\nKEY: x", "resources[0].endpoint", at: 13,
      ["data": "forms are not sent", "auth": "of client"]),
    unsupported(
      15, "columns: { title: { KEY: x } }", "resources[0].columns.title",
      [
        "nullable": "always be null", "primary_key": "at the resource", "precision": "each digit",
        "scale": "each digit",
        "name": "the key is the name", "unique": "an index", "description": "COMMENT ON COLUMN",
      ]),
    unsupported(
      20, "incremental: { KEY: x }", "resources[0].incremental",
      [
        "end_value": "the end of the list", "convert": "as the service wrote it",
        "transform": "as the service wrote it", "last_value_func": "the largest value", "primary_key": "has one",
        "row_order": "each page", "allow_external_schedulers": "use jobs", "on_cursor_value_missing": "are stored",
        "range_start": "requested again", "range_end": "the end of the list",
      ]),
    unsupported(
      7, "paginator: { type: page_number, KEY: x }", "client.paginator",
      ["has_more_header": "use has_more_path", "initial_page": "use base_page"]),
    unsupported(
      7, "paginator: { type: offset, KEY: x }", "client.paginator", ["initial_offset": "use offset"]),
  ].flatMap { $0 }

  private static func unsupported(
    _ number: Int, _ text: String, _ place: String, at line: Int? = nil, _ reasons: [String: String]
  ) -> [Malformed] {
    reasons.sorted { $0.key < $1.key }.map { key, reason in
      let malformed = text.replacing("KEY", with: key)
      return Malformed(number, malformed, "sources.shop.\(place) has \(key): ", "remove it", at: line, reason: reason)
    }
  }
}
