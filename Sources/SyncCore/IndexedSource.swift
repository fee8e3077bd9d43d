/// A source whose streams are known only at run time. Its responses show whether its data has changed.
///
/// The build is the service's identifier of the version of its data, and the index is the service's list of its
/// streams. A run first asks for the build. If the mirror has this build of all wanted streams, a run without `--full`
/// asks for nothing else. Otherwise, the run asks for the index.
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
