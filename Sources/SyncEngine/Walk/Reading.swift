package import SyncCore

package enum WalkStep: Sendable, Equatable {
  case fetch(PageAddress)
  case end(Certificate.EndedBy)
}

package struct Reading: Sendable, Equatable {
  /// The reading as it is to be stored; nil if it brings nothing (the 404 or the empty page that ends the list).
  package let stored: StoredPage?
  /// Items at the page's beginning that stood at the end of the page before: known, and not counted again.
  package let overlap: Int
  package let step: WalkStep

  package init(stored: StoredPage?, overlap: Int = 0, step: WalkStep) {
    self.stored = stored
    self.overlap = overlap
    self.step = step
  }
}
