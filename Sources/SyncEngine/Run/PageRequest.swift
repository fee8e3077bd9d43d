import SyncCore

/// A position in the list or lists of a stream. The page's address has the name of its list, if there are several.
struct WalkPosition: Sendable, Hashable {
  let page: PageAddress
}

/// A request for a page of the list.
struct PageRequest: Sendable {
  /// The position that the walk had at the time of the request.
  let position: WalkPosition
  /// The requested page: the page at `position`, or a later page of the same list if the page at `position` fails.
  let page: PageAddress
  /// The stored version of the page, for a conditional request.
  let cached: CachedPage?
}
