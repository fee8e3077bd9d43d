import Foundation
package import LibPQ
package import SyncCore

/// Where a page of a listing ended: what its last row is sorted by. The next page continues after those values, so that
/// rows that move or leave between two pages shift nothing.
package struct PageCursor: Sendable, Equatable, CustomStringConvertible {
  /// Which listing and order the values are of.
  package let listing: String
  /// As PostgreSQL writes them; nil for NULL.
  package let values: [String?]

  package init(listing: String, values: [String?]) {
    self.listing = listing
    self.values = values
  }

  /// Reads what `description` wrote; nil for any other text.
  package init?(_ text: String) {
    guard text.first == Self.prefix, text.utf8.count <= Self.longest else { return nil }
    let base64 = text.dropFirst().replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: base64 + padding),
      let parts = try? JSONDecoder().decode([String?].self, from: data), let listing = parts.first ?? nil
    else { return nil }
    self.init(listing: listing, values: Array(parts.dropFirst()))
  }

  /// Letters, digits, `-` and `_`, beginning with a letter: no shell changes it, and it is no id.
  package var description: String {
    // An array of texts can always be encoded.
    let data = (try? JSONEncoder().encode([listing] + values)) ?? Data()
    let text = data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return "\(Self.prefix)\(text)"
  }

  private static let prefix: Character = "c"
  private static let longest = 4096

  /// What a value of a cursor must be, so that PostgreSQL takes it in its place of the statement.
  package enum Kind: Sendable {
    case text, time
    /// An `integer`, and a `bigint`.
    case integer, bigint
    /// Microseconds since 1970, of a time that PostgreSQL can represent.
    case microseconds
    /// A `jsonb` array of numbers, texts, Booleans and nulls.
    case array
  }

  /// The values as parameters of a query.
  ///
  /// - Parameter kinds: one for each value.
  /// - Throws: `SyncError` `.usage` for a cursor of another listing, or one that no listing gave.
  package func parameters(of listing: String, _ kinds: [Kind]) throws(SyncError) -> [PGParameter] {
    let hint = "repeat the command that gave it, as its line next: says; or omit --after"
    guard self.listing == listing, values.count == kinds.count else {
      throw SyncError(.usage, "the cursor of --after is from another listing or order", hint: hint)
    }
    for (value, kind) in zip(values, kinds) {
      guard let value, !Self.fits(value, kind) else { continue }
      throw SyncError(
        .usage, "the cursor of --after was changed: \(Excerpt.of(value, scalars: 40)) is no value of this listing",
        hint: hint)
    }
    return values.map { .text($0) }
  }

  private static func fits(_ text: String, _ kind: Kind) -> Bool {
    switch kind {
    case .text: !text.utf8.contains(0)
    case .time: if case .at = Moment(text) { true } else { false }
    case .integer: Int32(text) != nil
    case .bigint: Int64(text) != nil
    case .microseconds: Int64(text).map { (earliest...latest).contains($0) } ?? false
    case .array: text.wholeMatch(of: array.matchingSemantics(.unicodeScalar)) != nil
    }
  }

  /// The beginning of the year 1 and the end of the year 9999, in microseconds since 1970.
  private static let earliest: Int64 = -62_135_596_800_000_000
  private static let latest: Int64 = 253_402_300_799_999_999

  /// As PostgreSQL writes it. JSON has more: an escape that `jsonb` refuses, a number that `numeric` cannot hold.
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

/// Where a page of a listing begins.
package enum PageStart: Sendable, Equatable {
  /// After the row with this id, wherever it stands now.
  case id(Int64)
  case cursor(PageCursor)

  package var cursor: PageCursor? { if case .cursor(let cursor) = self { cursor } else { nil } }
}

/// An answer that has a page of a listing.
package protocol PagedAnswer: Sendable {
  var page: ListPage { get }
}

/// A page of a listing.
package struct ListPage: PagedAnswer {
  package let rows: RowSet
  /// Where the next page begins; nil if this is the last one.
  package let next: PageCursor?
  /// The number of rows of all pages; nil if it is not known.
  package let total: Int?

  package var page: ListPage { self }

  /// All there is.
  package init(all rows: RowSet) { (self.rows, next, total) = (rows, nil, rows.total) }

  /// - Parameters:
  ///   - rows: one more than the page has, if there are more. Columns whose names begin with `cursor_` are what they
  ///     are sorted by; they are not shown.
  ///   - limit: nil if all were requested.
  ///   - total: the number of rows of all pages, if `rows` does not have it.
  package init(_ rows: RowSet, limit: Int?, listing: String, total: Int? = nil) {
    self.total = total ?? rows.total
    let isSortKey = rows.columns.map { $0.name.hasPrefix("cursor_") }
    let shown = rows.rows.prefix(limit ?? rows.rows.count)
    let last = shown.count < rows.rows.count ? shown.last : nil
    next = last.map { row in
      PageCursor(listing: listing, values: zip(row, isSortKey).filter(\.1).map(\.0))
    }
    self.rows = RowSet(
      columns: zip(rows.columns, isSortKey).filter { !$0.1 }.map(\.0),
      rows: shown.map { row in zip(row, isSortKey).filter { !$0.1 }.map(\.0) })
  }
}

extension PGParameter {
  /// Of `LIMIT`: NULL for all.
  package static func limit(_ limit: Int?) -> PGParameter { .int(limit.map(Int64.init)) }

  /// One row more than a page has, which shows whether there is another page.
  package static func pageLimit(_ limit: Int?) -> PGParameter { .limit(limit.map { $0 + 1 }) }
}
