/// How far the run of one stream is.
struct StreamProgress: Sendable {
  enum Unit: Sendable {
    case pages, documents
  }

  let name: String
  let startedAt: Duration
  /// The pages that earlier runs of the walk have read.
  let resumedPages: Int
  private(set) var unit = Unit.pages
  /// The number of pages or documents that were read.
  private(set) var done: Int
  /// The number of pages or documents in all, as far as the service tells; `nil` if it does not, or if it told fewer
  /// than were read.
  private(set) var total: Int?
  private(set) var rows = 0
  private(set) var requests = 0

  init(name: String, resumedPages: Int, now: Duration) {
    self.name = name
    self.resumedPages = resumedPages
    done = resumedPages
    startedAt = now
  }

  /// - Parameter maxPages: The largest number of pages that the run reads; `nil` for all.
  mutating func pageDone(_ page: Int, of lastPage: Int?, maxPages: Int?, rows: Int, requests: Int) {
    let limited = maxPages.map { max(1, resumedPages.addingReportingOverflow($0).partialValue) }
    let last = lastPage.map { min($0, limited ?? $0) }
    advance(to: page, of: last ?? total, rows: rows, requests: requests)
  }

  mutating func documentsDone(_ fetched: Int, of count: Int, rows: Int, requests: Int) {
    unit = .documents
    advance(to: fetched, of: count, rows: rows, requests: requests)
  }

  private mutating func advance(to done: Int, of total: Int?, rows: Int, requests: Int) {
    self.done = done
    self.total = total.flatMap { $0 < done ? nil : $0 }
    self.rows = rows
    self.requests = requests
  }

  /// Returns the number of requests that are still to be sent; `nil` if it is not known.
  /// - Parameter known: The number of requests of the stream's last complete walk, for a list that does not tell its
  ///   number of pages.
  func requestsLeft(known: Int?) -> Int? {
    total.map { $0 - done } ?? known.map { max(0, $0 - requests) }
  }
}
