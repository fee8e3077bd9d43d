import SyncCore

/// The keys of a resource and of its `endpoint`. dlt's other keys are refused with a reason.
extension ResourceReader {
  private static let keys = [
    "name", "endpoint", "primary_key", "columns", "counters", "title", "total_path", "order", "lookup", "incremental",
    "write_disposition", "values", "key_as", "include_from_parent", "identity", "with_parent", "refresh",
    "refresh_every",
  ]

  private static let unsupportedKeys = [
    "processing_steps": "transformations are not supported; write a view in SQL",
    "merge_key": "items are merged by primary_key",
    "table_name": "the table has the resource's name; endpoint.path can differ from the name",
    "max_table_nesting": "nested values stay in raw; columns: { tags: jsonb } makes one a column",
    "schema_contract": "the columns are fixed, and raw has each member",
    "table_format": "tables are PostgreSQL's",
    "file_format": "no files are written",
    "parallelized": "sources run in parallel, and the rate limit is shared",
    "selected": "remove the resource, or name the streams of a run with --stream",
    "references": "foreign keys are not supported; write a view in SQL",
    "auth": "all resources have the auth of client",
    "parent": "the parent is the resource in a placeholder, as in path: posts/{resources.posts.id}/comments",
    "nested_hints": "nested values stay in raw",
    "data_from": "the parent is the resource in a placeholder, as in path: posts/{resources.posts.id}/comments",
  ]

  static let endpointKeys = [
    "path", "method", "params", "headers", "json", "idempotent", "data_selector", "paginator", "incremental",
    "response_actions",
  ]

  static let unsupportedEndpointKeys = [
    "data": "forms are not sent; write json",
    "auth": "all resources have the auth of client",
  ]

  /// Returns the members of a resource or of `resource_defaults`.
  /// - Throws: `SyncError` for a key that is unknown or not supported.
  static func members(_ part: DeclarationPart) throws(SyncError) -> [String: DeclarationPart] {
    try part.members(keys, others: unsupportedKeys)
  }
}
