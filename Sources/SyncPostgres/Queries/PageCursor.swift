import Foundation
package import LibPQ
package import SyncCore

/// The sort key of a page's last row. The next page begins after this key.
package struct PageCursor: Sendable, Equatable, CustomStringConvertible {
  package let listing: String
  package let values: [String?]

  /// `values` are the sort key's values in PostgreSQL's format, in the order of the key; `nil` for NULL. `listing` is
  /// the name that `parameters(of:_:)` compares.
  package init(listing: String, values: [String?]) {
    self.listing = listing
    self.values = values
  }

  /// Parses a text in the form of `description`. Returns `nil` for any other text, and for more than 4,096 bytes. A
  /// user can change a cursor, so `parameters(of:_:)` checks the values.
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

  /// Returns the values as parameters of a query, after checking them.
  /// - Parameters:
  ///   - listing: The name of the listing that the query reads.
  ///   - types: The types of the sort key's values, in its order.
  /// - Throws: `SyncError` `.usage` for a cursor of another listing, or a cursor whose values do not fit the types.
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
