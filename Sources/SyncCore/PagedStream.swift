/// A list or catalogue of a source: how its pages are requested, and how responses are read. The engine walks it, and
/// the store writes its items.
package protocol PagedStream: Sendable {
  var description: StreamDescription { get }
  /// Requests for single items. `nil` if the service has no request for a single item.
  var lookup: (any ItemLookup)? { get }
  /// Whether a header names the next page. A 304 has no such header, and an equal body can have another next page.
  var namesNextInHeader: Bool { get }

  /// Whether the response must be read although its body equals the stored page's body, because the stream's
  /// declaration says what such a response means.
  func mustRead(_ response: UpstreamResponse) -> Bool

  /// Returns the request for a part of the list. The address has passed `check`.
  func request(_ address: PageAddress) -> UpstreamRequest

  /// Throws if the page must not be requested. The address of a next page comes from the database, and every role that
  /// writes the mirror can change it. A request carries the user's credentials.
  func check(_ address: PageAddress) throws(SyncError)

  /// Classifies the response to a request of this stream. A bad item is an entry of the page. Throws `SyncError` for a
  /// response that is neither a page nor "not found".
  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page
}

extension PagedStream {
  package var lookup: (any ItemLookup)? { nil }
  package var namesNextInHeader: Bool { false }
  /// Returns false, because a stream usually reads equal bodies as equal pages.
  package func mustRead(_ response: UpstreamResponse) -> Bool { false }
  /// Accepts every address. Streams whose pages name the next page must check it themselves.
  package func check(_ address: PageAddress) throws(SyncError) {}
}
