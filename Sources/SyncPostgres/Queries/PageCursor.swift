import Foundation
import LibPQ
import SyncCore

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

  /// The values as parameters of a query.
  ///
  /// - Parameter kinds: what each of them has to be.
  /// - Throws: `SyncError` `.usage` for a cursor of another listing, or one that no listing gave.
  func parameters(of listing: String, _ kinds: [RowSet.Kind]) throws(SyncError) -> [PGParameter] {
    let isFitting =
      self.listing == listing && values.count == kinds.count
      && zip(values, kinds).allSatisfy { value, kind in value.map { Self.fits($0, kind) } ?? true }
    guard isFitting else {
      throw SyncError(
        .usage, "the cursor of --after is from another listing or order",
        hint: "repeat the command that gave it, as its line next: says; or omit --after")
    }
    return values.map { $0.map { .text($0) } ?? .null }
  }

  private static func fits(_ text: String, _ kind: RowSet.Kind) -> Bool {
    switch kind {
    case .integer: Int64(text) != nil
    case .decimal: text.wholeMatch(of: #/-?[0-9]{1,40}(\.[0-9]{1,40})?/#) != nil
    case .time: if case .at = Moment(text) { true } else { false }
    case .bool: text == "t" || text == "f"
    case .json: (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
    case .text, .literal: !text.utf8.contains(0)
    }
  }
}

/// Where a page of a listing begins.
package enum PageStart: Sendable, Equatable {
  /// After the row with this id, wherever it stands now.
  case id(Int64)
  case cursor(PageCursor)
}

/// A page of a listing.
package struct ListPage: Sendable {
  package let rows: RowSet
  /// Where the next page begins; nil if this is the last one.
  package let next: PageCursor?

  /// All there is.
  init(all rows: RowSet) {
    self.rows = rows
    next = nil
  }

  /// - Parameters:
  ///   - rows: one more than the page has, if there are more. Columns whose names begin with `cursor_` are what they
  ///     are sorted by; they are not shown.
  ///   - limit: nil if all were requested.
  init(_ rows: RowSet, limit: Int?, listing: String) {
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
  static func limit(_ limit: Int?) -> PGParameter { limit.map { .int(Int64($0)) } ?? .null }

  /// One row more than a page has, which shows whether there is another page.
  static func pageLimit(_ limit: Int?) -> PGParameter { .limit(limit.map { $0 + 1 }) }
}
