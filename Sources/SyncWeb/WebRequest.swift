import Foundation
package import SyncCore
package import SyncPostgres

/// A request for a page or an action, after `WebRules` has determined its rights.
///
/// The path does not contain `web.path`. Values of `parameters` and `fields` are decoded and do not contain U+0000.
package struct WebRequest: Sendable {
  package let path: String
  package let parameters: [String: String]
  /// The query, or the fields of the form for an action, without empty values.
  ///
  /// Without names if a parameter of the request was wrong, because the page is then made for its form alone.
  package private(set) var fields: [WebField]
  /// The fields as they were sent, even if one of them is wrong.
  private let typedFields: [WebField]
  /// The header `Accept-Language`; empty without it.
  package let languages: String
  package let showsPictures: Bool
  /// The origins of the services on this machine, whose pictures can have HTTP addresses.
  var pictureOrigins: Set<String>
  package let rights: WebRights
  /// Whether the page has buttons that operate the mirror.
  package internal(set) var operation = WebOperation.hidden

  init(
    path: String, parameters: [String: String], fields: [WebField], languages: String, showsPictures: Bool,
    pictureOrigins: Set<String> = [], rights: WebRights
  ) {
    self.path = path
    self.parameters = parameters
    self.fields = fields
    self.languages = languages
    self.showsPictures = showsPictures
    self.pictureOrigins = pictureOrigins
    self.rights = rights
    typedFields = fields
  }

  /// The first value of each field.
  package var query: [String: String] { Self.first(fields) }

  /// The values that forms show: the first value of each field as it was sent.
  package var typed: [String: String] { Self.first(typedFields) }

  /// Whether the page is made for its form alone, because a parameter was wrong.
  package var isRefused: Bool { fields.isEmpty && !typedFields.isEmpty }

  /// Returns all values of a field, in the order of the request.
  package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// Returns all values of a field as they were sent, even if one of the fields is wrong.
  package func allTyped(_ name: String) -> [String] { typedFields.filter { $0.name == name }.map(\.value) }

  /// The request without its fields, whose forms show the fields nevertheless.
  var withoutFields: WebRequest {
    var copy = self
    copy.fields = []
    return copy
  }

  private static func first(_ fields: [WebField]) -> [String: String] {
    Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Throws 400 if a text contains U+0000, because PostgreSQL cannot store this character.
  func checked() throws(WebFault) -> WebRequest {
    let texts = Array(parameters.values) + fields.map(\.value)
    let hasNul = texts.contains { $0.utf8.contains(0) }
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

  /// Returns the number of the requested page of a list, from 1: the parameter `page`, or 1 without it.
  /// - Throws: `SyncError` `.usage` for any other text.
  package func page() throws(SyncError) -> Int {
    guard let text = query["page"] else { return 1 }
    guard let page = Int(text), (1...Self.lastPage).contains(page) else {
      throw SyncError(
        .usage, "page \(Excerpt.of(text, scalars: 40)) is not a number of a page", hint: "write a number from 1")
    }
    return page
  }

  private static let lastPage = 1_000_000

  /// Returns the number of entries before the requested page.
  /// - Parameter limit: The number of entries on each page.
  /// - Throws: `SyncError` `.usage` if the parameter `page` is not a number of a page.
  package func offset(limit: Int) throws(SyncError) -> Int { (try page() - 1) * limit }

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
      "anchor": .text(Self.anchor(of: id, kind: kind)),
      "isSet": .flag(isSet), "heartText": .text(orNil: label),
    ])
  }

  /// Returns the id of an item's element on a page, to which its forms return, such as `item-anime-5114`.
  package static func anchor(of id: Int64, kind: String) -> String {
    "item-\(kind.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })-\(id)"
  }

  package static let collection = "favorites"
}

/// A field of a query or of a form. A name can occur several times.
package struct WebField: Sendable, Equatable {
  package let name: String
  package let value: String
}

/// A query or a form (`application/x-www-form-urlencoded`).
enum WebForm {
  /// Returns the fields in their order. Empty values are omitted.
  ///
  /// - Throws: 400 for an invalid escape.
  static func fields(_ text: String) throws(WebFault) -> [WebField] {
    var fields: [WebField] = []
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding
      }
      let texts = parts.compactMap(\.self)
      guard texts.count == parts.count else { throw WebFault.badForm("A parameter contains an invalid escape.") }
      guard texts.count == 2, !texts[1].isEmpty else { continue }
      fields.append(WebField(name: texts[0], value: texts[1]))
    }
    return fields
  }
}
