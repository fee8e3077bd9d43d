/// A source whose streams are known only at run time. Its responses show whether its data has changed.
///
/// A run first asks for the build. If the mirror has this build of all wanted streams, a run without `--full` asks for
/// nothing else. Otherwise, the run asks for the index.
package protocol IndexedSource: Sendable {
  var id: SourceID { get }
  /// The service's URL without credentials, as in `StreamDescription.origin`.
  var origin: String { get }

  /// The request for the build identifier of the service's data. If a response has none, the request's alternatives are
  /// tried.
  var buildRequest: UpstreamRequest { get }
  /// Reads the build identifier from the response to `buildRequest`. Returns `nil` if the service has no build
  /// identifier. Throws `SyncError` for any other response.
  func build(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> String?

  /// The request for the list of the source's streams.
  var indexRequest: UpstreamRequest { get }
  /// Reads the names of the streams from the response to `indexRequest`. Throws `SyncError` for any other response.
  func streams(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> [String]

  /// Returns the build identifier that any response carries beside its body, for example in a header. Returns `nil` if
  /// the response has none, as the default implementation does.
  func build(of response: UpstreamResponse) -> String?
}

extension IndexedSource {
  /// Returns `nil`, for services whose responses do not name their build.
  package func build(of response: UpstreamResponse) -> String? { nil }
}

/// The database's part of an index: the known streams of a source and their builds.
package protocol IndexStore: Sendable {
  /// Returns the stored index, or an empty index if the stored one belongs to another origin.
  func index(of source: SourceID, origin: String) async throws -> StoredIndex

  /// Writes the look into the ledger as a run of the stream `StoredIndex.stream`, and returns its report. A complete
  /// look also updates the stored index, unless the source has published lists of another origin.
  func record(_ look: IndexLook) async throws -> RunReport
}

/// The index of a source as the last complete look found it.
package struct StoredIndex: Sendable, Equatable {
  /// The name of the index in the ledger. No stream of a source can have this name.
  package static let stream = "index"

  package let streams: [String]
  /// The build of each stream's documents. Omits a stream unless all documents of its last walk have the same build.
  package let builds: [String: String]

  package init(streams: [String] = [], builds: [String: String] = [:]) {
    self.streams = streams
    self.builds = builds
  }
}

/// The result of asking a source for its build and its index. `status` is `.interrupted`, `.complete`, or `.failed`
/// with an `error`.
package struct IndexLook: Sendable {
  package let source: SourceID
  package let origin: String
  /// The build that the service named. `nil` if it has none or was not asked successfully.
  package let build: String?
  /// The names of the source's streams. `nil` if the index was not needed or not read.
  package let streams: [String]?
  package let counters: RunCounters
  package let duration: Duration
  package let error: SyncError?
  package let status: RunStatus

  package init(
    source: SourceID, origin: String, build: String?, streams: [String]?, counters: RunCounters, duration: Duration,
    error: SyncError?, isInterrupted: Bool = false
  ) {
    self.duration = duration
    self.source = source
    self.origin = origin
    self.build = build
    self.streams = streams
    self.counters = counters
    self.error = error
    status = isInterrupted ? .interrupted : error == nil ? .complete : .failed
  }
}
