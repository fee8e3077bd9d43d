/// What a simulated iTunes is like, and what has changed in it since.
package struct ITunesSettings: Sendable, Equatable {
  /// The most songs of one term.
  package static let sizeLimit = 4000
  /// The most records of a kind that can come later.
  package static let addedLimit = ITunesAddress.addedLimit

  package var seed: UInt64 = 1
  /// Songs that there are for each term; a search shows 200 of them at most. There are a tenth as many albums or so.
  package var size = 120
  /// Terms whose records are found by their numbers from the start; others are from the first search for them on.
  package var terms: [String] = []

  /// Removed records, in every store.
  package var removed: Set<Int> = []
  /// Records of each kind that have come since, for each term; they are the first of every search.
  package var added = 0
  /// The day of the charts; each has another state of them.
  package var day = 0
  /// A seed that gives searches another order, and so other records where there are more than are shown.
  package var shuffle: UInt64?
  /// Whether `offset` skips results; else it is as if it were not there.
  package var honoursOffset = false

  /// How many searches and lookups are answered in any span of time; more get a 403 without a body.
  package var throttle: Throttle?
  /// Share of searches and lookups that get an HTML page with status 200.
  package var html = 0.0
  /// Share of them that get an error message instead of results, with status 200.
  package var errorMessage = 0.0
  /// Share of them that get a 403 without a body, however few requests there are.
  package var forbidden = 0.0
  /// Share of rows of an answer that are duplicated.
  package var repeats = 0.0
  /// Share of records whose numbers come as text.
  package var textIds = 0.0
  /// Share of charts, by day, that hold one number twice.
  package var chartRepeats = 0.3

  package init() {}

  /// A limit that counts backwards from each request: refused requests do not count.
  package struct Throttle: Sendable, Equatable {
    package var requests: Int
    package var window: Duration

    package init(requests: Int, window: Duration) {
      self.requests = requests
      self.window = window
    }
  }
}
