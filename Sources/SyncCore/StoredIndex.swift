/// The index of a source, which is the list of its streams, as the last complete look (`IndexLook`) found it.
package struct StoredIndex: Sendable, Equatable {
  /// The name of the index in the ledger. No stream of a source can have this name.
  package static let stream = "index"

  /// The names of the streams in the service's index. Empty if no index was stored.
  package let streams: [String]
  /// The build of each mirrored stream's documents, by the stream's name. Omits a stream unless its last walk has ended
  /// and all its documents have the same build.
  package let builds: [String: String]

  /// The keys of `builds` are names of streams.
  package init(streams: [String] = [], builds: [String: String] = [:]) {
    self.streams = streams
    self.builds = builds
  }
}
