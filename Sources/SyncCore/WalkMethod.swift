/// How a list is read.
package enum WalkMethod: Sendable, Equatable {
  /// Page by page, in an order of the upstream's own that may move.
  case pages
  /// One answer is the whole list.
  case single
  /// Page by page in the order of ids, each page beginning with the last item of the page before it; from the other
  /// end too when the list is longer than the pages the service gives.
  case catalogue(pageCap: Int?)
  /// Page by page through the answers to a question, as far as the service gives any: another time it may give others,
  /// so that nothing of it moves and nothing is missing.
  case sample
  /// So many pages as are known beforehand, each with what there is of what was requested; any may be empty.
  case batches
  /// Page by page through a list that only names its items, and then each item at its own address, unless it was had
  /// within the time to live.
  case documents(ttl: Duration)
}
