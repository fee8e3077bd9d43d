import Foundation
package import SyncCore
package import SyncPostgres

/// A request for a page or an action, after `WebRules` has determined its rights.
///
/// The path does not contain `web.path`. Values of `parameters` and `query` are decoded and do not contain U+0000.
/// `query` has the fields of the form for an action. It omits empty values. The first value of a name counts.
package struct WebRequest: Sendable {
  package let path: String
  package let parameters: [String: String]
  package let query: [String: String]
  /// The header `Accept-Language`; empty without it.
  package let languages: String
  package let showsPictures: Bool
  package let rights: WebRights

  /// Throws 400 if a text contains U+0000, because PostgreSQL cannot store this character.
  func checked() throws(WebFault) -> WebRequest {
    let hasNul = [parameters, query].contains { texts in texts.values.contains { $0.utf8.contains(0) } }
    guard !hasNul else { throw WebFault.badForm("A parameter contains the character U+0000.") }
    return self
  }

  /// Returns a whole number from the request's path.
  /// - Parameter name: The name of a part of the page's path, without its colon.
  /// - Throws: `SyncError` `.missing` for any other text.
  package func id(_ name: String) throws(SyncError) -> Int64 {
    guard let id = parameters[name].flatMap({ Int64($0) }) else {
      throw SyncError(.missing, "there is no page \(Excerpt.of(path, scalars: 80))", hint: "ids are whole numbers")
    }
    return id
  }

  /// Returns the cursor in the parameter `after`, where a page of a list begins; `nil` without the parameter, for the
  /// first page.
  ///
  /// Only the form of the cursor is checked. The query for the list checks that the cursor is one of this list.
  /// - Throws: `SyncError` `.usage` if the parameter is not a cursor.
  package func start() throws(SyncError) -> PageStart? {
    guard let text = query["after"] else { return nil }
    guard let cursor = PageCursor(text) else {
      throw SyncError(.usage, "\(Excerpt.of(text, scalars: 40)) is not a cursor", hint: "use the link to the next page")
    }
    return .cursor(cursor)
  }

  /// Returns the form that adds an item to the collection `favorites` or removes it, for the partial `shared/heart`.
  /// Returns `nil` if the request's rights do not allow changes (`rights.allowsWriting`).
  ///
  /// `source` is the source's name, and `kind` the kind of the item, as in `WebPart.ItemPath`.
  package func heart(of id: Int64, kind: String, source: String, in database: Database) async throws -> WebValue? {
    try await hearts(of: [id], kind: kind, source: source, in: database)[id]
  }

  /// Returns the form of `heart(of:kind:source:in:)` for each id, with one query for all ids.
  /// Returns an empty dictionary if the request's rights do not allow changes.
  package func hearts(
    of ids: [Int64], kind: String, source: String, in database: Database
  ) async throws -> [Int64: WebValue] {
    guard rights.allowsWriting, !ids.isEmpty else { return [:] }
    let chosen = try await Favorites.ids(ids, of: source, kind: kind, in: WebRequest.collection, database)
    return Dictionary(
      ids.map { ($0, heart(of: $0, kind: kind, source: source, in: Self.collection, isSet: chosen.contains($0))) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the values of the partial `shared/heart`, without a query. The caller checks `rights.allowsWriting` first.
  ///
  /// - Parameters:
  ///   - isSet: Whether the collection contains the item. If so, the form removes the item.
  ///   - label: The text beside the heart (default: none).
  package func heart(
    of id: Int64, kind: String, source: String, in collection: String, isSet: Bool, label: String? = nil
  ) -> WebValue {
    .object(of: [
      "source": .text(source), "kind": .text(kind), "id": .text("\(id)"), "collection": .text(collection),
      "isSet": .flag(isSet), "heartText": .text(orNil: label),
    ])
  }

  package static let collection = "favorites"
}

/// A query or a form (`application/x-www-form-urlencoded`).
enum WebForm {
  /// Returns the first value of each name. Empty values are omitted.
  ///
  /// - Throws: 400 for an invalid escape.
  static func values(_ text: String) throws(WebFault) -> [String: String] {
    var values: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding
      }
      let texts = parts.compactMap(\.self)
      guard texts.count == parts.count else { throw WebFault.badForm("A parameter contains an invalid escape.") }
      guard texts.count == 2, !texts[1].isEmpty, values[texts[0]] == nil else { continue }
      values[texts[0]] = texts[1]
    }
    return values
  }
}
