/// The database's part of an `IndexedSource`. It stores the source's index, which is the service's list of its streams,
/// and the build of each mirrored stream, which is the service's identifier of the version of its data.
package protocol IndexStore: Sendable {
  /// Returns the index as the last complete look stored it, and the builds of the mirrored streams. Both are empty if
  /// nothing is stored for this origin (`IndexedSource.origin`).
  func index(of source: SourceID, origin: String) async throws -> StoredIndex

  /// Writes the look, which is the result of asking the service, into the ledger as a run of the stream
  /// `StoredIndex.stream`, and returns its report. A complete look also updates the stored index, unless the source has
  /// published lists of another origin.
  func record(_ look: IndexLook) async throws -> RunReport
}
