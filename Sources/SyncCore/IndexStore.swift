/// The database's part of an index: the known streams of a source and their builds.
package protocol IndexStore: Sendable {
  /// Returns the stored index, or an empty index if the stored one belongs to another origin.
  func index(of source: SourceID, origin: String) async throws -> StoredIndex

  /// Writes the look into the ledger as a run of the stream `StoredIndex.stream`, and returns its report. A complete
  /// look also updates the stored index, unless the source has published lists of another origin.
  func record(_ look: IndexLook) async throws -> RunReport
}
