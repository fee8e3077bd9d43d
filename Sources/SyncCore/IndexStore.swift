/// A source that tells at run time what there is to mirror, and by one answer whether any of it has changed.
package protocol IndexedSource: Sendable {
  var id: SourceID { get }
  var origin: String { get }

  var buildRequest: UpstreamRequest { get }
  /// A name of the build of the service's data, which changes with it; nil where the service does not say.
  func build(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> String?

  var indexRequest: UpstreamRequest { get }
  /// The names of the streams, in the order in which they are to be run.
  func streams(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> [String]

  /// Which build of the service's data an answer is of; nil where it does not say.
  func build(of response: UpstreamResponse) -> String?
}

extension IndexedSource {
  package func build(of response: UpstreamResponse) -> String? { nil }
}

package protocol IndexStore: Sendable {
  /// - Returns: what is known of the source at this origin; nothing if the data is of another one.
  func index(of source: SourceID, origin: String) async throws -> KnownIndex

  /// Keeps a look in the ledger, as a run of the stream `index`, and what it has brought.
  func record(_ look: IndexLook) async throws -> RunReport
}

package struct KnownIndex: Sendable, Equatable {
  /// The name under which looks at an index stand in the ledger.
  package static let stream = "index"

  /// The streams that the index named last; empty if it was never read.
  package let streams: [String]
  /// By stream: the build that the last walk has mirrored whole, without a document of another one.
  package let builds: [String: String]

  package init(streams: [String] = [], builds: [String: String] = [:]) {
    self.streams = streams
    self.builds = builds
  }
}

package struct IndexLook: Sendable {
  package let source: SourceID
  package let origin: String
  package let build: String?
  /// The streams of the index; nil if it was not requested.
  package let streams: [String]?
  package let counters: RunCounters
  package let duration: Duration
  package let error: SyncError?

  package init(
    source: SourceID, origin: String, build: String?, streams: [String]?, counters: RunCounters, duration: Duration,
    error: SyncError?
  ) {
    (self.duration, self.source, self.origin, self.build, self.streams) = (duration, source, origin, build, streams)
    (self.counters, self.error) = (counters, error)
  }
}
