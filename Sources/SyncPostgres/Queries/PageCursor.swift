import Foundation
package import LibPQ
package import SyncCore

/// The sort key of a page's last row. The next page begins after this key.
package struct PageCursor: Sendable, Equatable, CustomStringConvertible {
  package let listing: String
  package let values: [String?]

  package init(listing: String, values: [String?]) {
    self.listing = listing
    self.values = values
  }

  package init?(_ text: String) {
    guard text.first == Self.prefix, text.utf8.count <= Self.longest else { return nil }
    let base64 = text.dropFirst().replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: base64 + padding),
      let parts = try? JSONDecoder().decode([String?].self, from: data), let listing = parts.first ?? nil
    else { return nil }
    self.init(listing: listing, values: Array(parts.dropFirst()))
  }

  /// Contains only letters, digits, `-` and `_`, so that no shell quoting is needed. Begins with a letter, unlike an
  /// id.
  package var description: String {
    let data = (try? JSONEncoder().encode([listing] + values)) ?? Data()
    let text = data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return "\(Self.prefix)\(text)"
  }

  private static let prefix: Character = "c"
  private static let longest = 4096

  /// The type of a value of the sort key. `parameters` checks each value, because a user can change a cursor.
  package enum KeyType: Sendable {
    case text, time
    case integer, bigint
    /// Microseconds since 1970.
    case microseconds
    /// A `jsonb` array of numbers, texts, Booleans and nulls.
    case array
  }

  /// - Throws: `SyncError` `.usage` for a cursor of another listing, or a changed cursor.
  package func parameters(of listing: String, _ types: [KeyType]) throws(SyncError) -> [PGParameter] {
    let hint = "copy the command from the next: line, or omit --after"
    guard self.listing == listing, values.count == types.count else {
      throw SyncError(.usage, "the cursor of --after is from another listing or order", hint: hint)
    }
    for (value, type) in zip(values, types) {
      guard let value, !Self.fits(value, type) else { continue }
      throw SyncError(
        .usage, "the cursor of --after was changed: \(Excerpt.of(value, scalars: 40)) is not a value of this listing",
        hint: hint)
    }
    return values.map { .text($0) }
  }

  private static func fits(_ text: String, _ type: KeyType) -> Bool {
    switch type {
    case .text: !text.utf8.contains(0)
    case .time: if case .at = Moment(text) { true } else { false }
    case .integer: Int32(text) != nil
    case .bigint: Int64(text) != nil
    case .microseconds: Int64(text).map { (earliest...latest).contains($0) } ?? false
    case .array: text.wholeMatch(of: array.matchingSemantics(.unicodeScalar)) != nil
    }
  }

  /// The years 1 to 9999, in microseconds since 1970.
  private static let earliest: Int64 = -62_135_596_800_000_000
  private static let latest: Int64 = 253_402_300_799_999_999

  /// An array as PostgreSQL prints it. Other JSON could contain escapes that `jsonb` refuses or numbers that `numeric`
  /// cannot hold.
  private static var array: Regex<Substring> {
    #/
    \[ (?:
      (?: null | true | false | -?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?
        | "(?: [^"\\\x00-\x1F] | \\["\\\/bfnrt] | \\u00(?:0[1-9a-f]|1[0-9a-f]) )*" )
      (?: ,\ (?!\]) | (?=\]) )
    )* \]
    /#
  }
}

/// The place where a page of a listing begins: after an id, after a cursor, or after a number of rows.
package enum PageStart: Sendable, Equatable {
  case id(Int64)
  case cursor(PageCursor)
  /// The number of rows before the page.
  case offset(Int)

  package var cursor: PageCursor? { if case .cursor(let cursor) = self { cursor } else { nil } }
  package var offset: Int { if case .offset(let rows) = self { rows } else { 0 } }
}

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

  package init(all rows: RowSet) { (self.rows, next, total) = (rows, nil, rows.total) }

  /// - Parameter rows: The page's rows, and one more if another page follows. Columns `cursor_…` are the sort key.
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

  /// The number of rows to skip.
  package static func offset(_ start: PageStart?) -> PGParameter {
    .int(Int64(start?.offset ?? 0))
  }
}
