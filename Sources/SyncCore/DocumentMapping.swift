/// Derives the columns and hashes of stored documents again, after the mapping (the code that reads documents) of a
/// source has changed.
package protocol DocumentMapping: Sendable {
  /// The name of the documents for the user, such as `books authors`. Mappings that are used together have different
  /// names.
  var name: String { get }
  /// The place and parameters of the SQL statements that store the documents.
  var sql: StreamSQL { get }
  /// The version of the mapping, which is stored in the last byte of each content hash.
  var version: Int { get }

  /// Reads a stored document like a new one, and returns the item, or `.rejected` if the document cannot be used. `key`
  /// is the key of the stored row, because not every document contains its key.
  func read(_ document: [UInt8], key: Int64) -> Page.Entry
}
