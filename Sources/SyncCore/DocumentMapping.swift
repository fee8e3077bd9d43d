/// Derives the columns and hashes of stored documents again, after the mapping of a source has changed.
package protocol DocumentMapping: Sendable {
  var name: String { get }
  var sql: StreamSQL { get }
  /// The version of the mapping, which is stored in the last byte of each content hash.
  var version: Int { get }

  /// Reads a stored document like a new one. `key` is the key of the stored row, because not every document contains
  /// its key.
  func read(_ document: [UInt8], key: Int64) -> Page.Entry
}
