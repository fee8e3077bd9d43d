/// How a walk requests a list, and what the order of its pages proves.
package enum WalkMethod: Sendable, Equatable {
  /// A list that is read page by page. Its order can change during the walk.
  case pages
  /// Like `pages`, but a request has the position of the first item. The next page begins where the items that arrived
  /// ended, so a service that returns fewer items than requested skips none.
  case positions
  /// A list in one response.
  case single
  /// A list whose pages name the next page, by its address or by a cursor.
  case chain
  /// A catalogue in the order of ids. Each page overlaps the previous page. `pageCap` is the highest page number that
  /// the service answers.
  case catalogue(pageCap: Int?)
  /// Search results. They vary, so the walk detects neither changes of the order nor missing items. It reads at most
  /// `Limits.samplePages` pages.
  case sample
  /// A known number of pages. Each page contains the available items of a batch, and can be empty.
  case batches
  /// A list that contains only ids. Each document has its own address, and is fetched if it is older than the TTL.
  case documents(ttl: Duration)
}
