import Foundation
package import LibPQ
import SyncCore

/// An answer that contains a page of a listing.
package protocol PagedAnswer: Sendable {
  var page: ListPage { get }
}

/// A page of a listing, without the columns of the sort key. `next` is `nil` on the last page.
///
/// `total` is the number of rows on all pages, or `nil` if the query does not count them.
package struct ListPage: PagedAnswer {
  package let rows: RowSet
  package let next: PageCursor?
  package let total: Int?

  package var page: ListPage { self }

  /// Creates a page that has all rows of a listing, so no page follows.
  package init(all rows: RowSet) { (self.rows, next, total) = (rows, nil, rows.total) }

  /// Creates a page from the rows of a query with the parameter `pageLimit`.
  /// - Parameters:
  ///   - rows: The page's rows, and one more if another page follows. Columns `cursor_…` are the sort key, which the
  ///     page omits.
  ///   - limit: The number of rows on a page; `nil` for all rows.
  ///   - listing: The name that the cursor of the next page must be used with.
  ///   - total: The number of rows on all pages; `nil` means the total of `rows`.
  package init(_ rows: RowSet, limit: Int?, listing: String, total: Int? = nil) {
    self.total = total ?? rows.total
    let sortKey = rows.columns.indices.filter { rows.columns[$0].name.hasPrefix("cursor_") }
    let others = rows.columns.indices.filter { !sortKey.contains($0) }
    let shown = rows.rows.first(limit ?? rows.rows.count)
    let last = shown.count < rows.rows.count ? shown.last : nil
    next = last.map { row in PageCursor(listing: listing, values: sortKey.map { row[$0] }) }
    self.rows = RowSet(
      columns: others.map { rows.columns[$0] }, rows: shown.mapped { row in others.map { row[$0] } })
  }
}

extension PGParameter {
  /// Returns a parameter for `LIMIT`. `nil` means that all rows are returned.
  package static func limit(_ limit: Int?) -> PGParameter { .int(limit.map(Int64.init)) }

  /// Returns a parameter for `LIMIT` that is one higher than `limit`, because `ListPage` uses the additional row to
  /// recognize that another page follows.
  package static func pageLimit(_ limit: Int?) -> PGParameter { .limit(limit.map { $0 + 1 }) }

  /// Returns a parameter for `OFFSET`: the number of rows to skip, or 0 for a start that is an id or a cursor.
  package static func offset(_ start: PageStart?) -> PGParameter {
    .int(Int64(start?.offset ?? 0))
  }
}
