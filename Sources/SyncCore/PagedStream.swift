/// The seam to a source: a list that is read page by page.
package protocol PagedStream: Sendable {
  var description: StreamDescription { get }
  /// How single items are looked up; nil where they have no address of their own.
  var lookup: (any ItemLookup)? { get }

  func request(_ address: PageAddress) -> UpstreamRequest

  /// Reads an answer.
  ///
  /// - Throws: `SyncError` for everything that is neither a page nor "not found".
  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page
}

extension PagedStream {
  package var lookup: (any ItemLookup)? { nil }
}
