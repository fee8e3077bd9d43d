/// A source whose streams are known only at run time. Its responses show whether its data has changed.
package protocol IndexedSource: Sendable {
  var id: SourceID { get }
  var origin: String { get }

  var buildRequest: UpstreamRequest { get }
  /// Returns `nil` if the service has no build identifier.
  func build(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> String?

  var indexRequest: UpstreamRequest { get }
  func streams(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> [String]

  func build(of response: UpstreamResponse) -> String?
}

extension IndexedSource {
  package func build(of response: UpstreamResponse) -> String? { nil }
}

package protocol IndexStore: Sendable {
  /// Returns the stored index, or an empty index if the stored one belongs to another origin.
  func index(of source: SourceID, origin: String) async throws -> KnownIndex

  func record(_ look: IndexLook) async throws -> RunReport
}

package struct KnownIndex: Sendable, Equatable {
  package static let stream = "index"

  package let streams: [String]
  /// The build of each stream's documents. Omits a stream unless all documents of its last walk have the same build.
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
  package let streams: [String]?
  package let counters: RunCounters
  package let duration: Duration
  package let error: SyncError?
  package let status: RunStatus

  package init(
    source: SourceID, origin: String, build: String?, streams: [String]?, counters: RunCounters, duration: Duration,
    error: SyncError?, isInterrupted: Bool = false
  ) {
    (self.duration, self.source, self.origin, self.build, self.streams) = (duration, source, origin, build, streams)
    (self.counters, self.error) = (counters, error)
    status = isInterrupted ? .interrupted : error == nil ? .complete : .failed
  }
}
