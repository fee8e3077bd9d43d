import SyncCore

/// The place where a page of a listing begins: after an id, after a cursor, or after a number of rows.
package enum PageStart: Sendable, Equatable {
  case id(Int64)
  case cursor(PageCursor)
  /// The number of rows before the page.
  case offset(Int)

  package var cursor: PageCursor? { if case .cursor(let cursor) = self { cursor } else { nil } }
  package var offset: Int { if case .offset(let rows) = self { rows } else { 0 } }
}
