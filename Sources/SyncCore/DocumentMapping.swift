/// How stored documents of one kind become columns, without asking the upstream.
package protocol DocumentMapping: Sendable {
  /// For a person: the source, and which of its documents.
  var name: String { get }
  /// Which documents: folder and scope.
  var sql: StreamSQL { get }
  /// The version that the last byte of a content hash tells.
  var version: Int { get }

  /// Reads a document as it is stored, today's counters included.
  ///
  /// - Parameter key: the one that it is stored by; not every document tells its own.
  func read(_ document: [UInt8], key: Int64) -> Page.Entry
}
