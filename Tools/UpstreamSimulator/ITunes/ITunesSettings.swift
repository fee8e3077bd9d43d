package struct ITunesSettings: Sendable, Equatable {
  package var removed: Set<Int> = []
  package var day = 0
  package var fault: ITunesFault?
  package var chartRepeats = 0.3

  package init() {}
}

package enum ITunesFault: Sendable { case html, errorMessage, forbidden }
