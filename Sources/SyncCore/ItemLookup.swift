/// An item of the mirror to look up after a walk that reached the end: an item that the walk did not see, or a control.
package struct MissingItem: Sendable, Equatable {
  package let key: Int64
  /// The texts of the key's members. Empty unless the source's `missing.sql` returns them.
  package let members: [String]
  /// Whether the walk saw the item. If the lookup of such a control does not find the item, the lookups prove nothing.
  package let isControl: Bool
  /// Whether the previous list had the item. Other items can stay unlisted for years.
  package let isListed: Bool

  /// Creates an item. Without further arguments, it is an item of the previous list that the walk did not see.
  package init(key: Int64, members: [String] = [], isControl: Bool = false, isListed: Bool = true) {
    self.key = key
    self.members = members
    self.isControl = isControl
    self.isListed = isListed
  }
}

/// Requests for a single item by its key, such as a detail page. Walks ask for items that a list no longer has, and for
/// documents that a list only names.
package protocol ItemLookup: Sendable {
  /// Returns the request for the item with this key.
  func request(key: Int64) -> UpstreamRequest
  /// Returns the request for a missing item. By default, only its key counts.
  func request(for item: MissingItem) -> UpstreamRequest

  /// Reads the response to a request of this lookup: the item, or `.gone` for a 404. Throws `SyncError` for any other
  /// response. Its disposition decides whether the request is repeated.
  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer

  /// Returns the build of the service's data that the response names. Returns `nil` if the response names none.
  func build(of response: UpstreamResponse) -> String?
}

extension ItemLookup {
  /// Returns the request for the item's key.
  package func request(for item: MissingItem) -> UpstreamRequest { request(key: item.key) }
  /// Returns `nil`, for services whose responses do not name their build.
  package func build(of response: UpstreamResponse) -> String? { nil }
}

/// The answer to a lookup: the item, usable or rejected, or the statement that it no longer exists (404).
package enum LookupAnswer: Sendable {
  case item(Page.Entry)
  case gone
}
