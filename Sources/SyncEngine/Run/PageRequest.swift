import SyncCore

/// A position in the lists of a stream.
///
/// A stream has one list. A stream with several lists would need the list's name here, because a `PageAddress` only
/// identifies a page within its list.
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
