/// The index of a source as the last complete look found it.
package struct StoredIndex: Sendable, Equatable {
  /// The name of the index in the ledger. No stream of a source can have this name.
  package static let stream = "index"

  package let streams: [String]
  /// The build of each stream's documents. Omits a stream unless all documents of its last walk have the same build.
  package let builds: [String: String]

  /// The keys of `builds` are names of streams.
  package init(streams: [String] = [], builds: [String: String] = [:]) {
    self.streams = streams
    self.builds = builds
  }
}
