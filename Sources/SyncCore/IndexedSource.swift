/// A source that tells at run time what there is to mirror, and by one answer whether any of it has changed.
package protocol IndexedSource: Sendable {
  var id: SourceID { get }
  /// Base URL of the service.
  var origin: String { get }

  var buildRequest: UpstreamRequest { get }
  /// - Returns: a name of the build of the service's data, which changes with it; nil where the service does not say.
  /// - Throws: `SyncError` for an answer that is none.
  func build(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> String?

  var indexRequest: UpstreamRequest { get }
  /// - Returns: the names of the streams, in the order in which they are to be run.
  /// - Throws: `SyncError` for an answer that is none.
  func streams(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> [String]

  /// Which build of the service's data an answer is of; nil where it does not say.
  func build(of response: UpstreamResponse) -> String?
}

extension IndexedSource {
  package func build(of response: UpstreamResponse) -> String? { nil }
}
