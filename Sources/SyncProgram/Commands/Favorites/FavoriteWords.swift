import SyncCore
import SyncPostgres

/// Checks the words and values that users give for favorites, in commands and in files.
package enum FavoriteWords {
  static func item(source: String, kind: String, id: Int64) throws(SyncError) -> Favorites.Item {
    let kinds = try kinds(of: source)
    try kinds.check(kind: kind)
    return Favorites.Item(source: source, kind: kind, id: id, remedy: kinds.remedy(id: id))
  }

  /// Returns the source, the kind and the id or name that the words give; `nil` for words of a title. The source can be
  /// omitted, because each kind belongs to one source.
  /// - Throws: `SyncError` `.usage` if a source and a kind are given without an id, or an id with an unknown source.
  static func place(_ words: [String]) throws(SyncError) -> (source: String, kind: String, word: String)? {
    let owner = Registry.sources.first { $0.favorites.kinds.contains(words[0]) }
    if let source = Registry.sources.first(where: { $0.name == words[0] }) {
      guard words.count >= 3 else {
        throw SyncError(
          .usage, "the item has no \(words.count == 1 ? "kind and no id" : "id")",
          hint: "give a source, a kind and an id, or words of a title")
      }
      return (source.name, words[1], words[2...].joined(separator: " "))
    }
    if let owner, words.count >= 2 { return (owner.name, words[0], words[1...].joined(separator: " ")) }
    if words.count == 3, Int64(words[2]) != nil { return (try Registry.source(words[0]).name, words[1], words[2]) }
    return nil
  }

  static func item(source: String, kind: String, word: String, in database: Database) async throws -> Favorites.Item {
    if let id = Int64(word) { return try item(source: source, kind: kind, id: id) }
    let kinds = try kinds(of: source)
    try kinds.check(kind: kind)
    return try item(source: source, kind: kind, id: try await kinds.id(named: word, kind: kind, in: database))
  }

  static func checkMirrored(_ item: Favorites.Item, in database: Database) async throws {
    try await kinds(of: item.source).checkMirrored(kind: item.kind, in: database)
  }

  private static func kinds(of source: String) throws(SyncError) -> any FavoriteKinds {
    try Registry.source(source).favorites
  }

  static func collection(_ name: String) throws(SyncError) -> String {
    guard !name.isEmpty, name.unicodeScalars.count <= 60, Excerpt.of(name) == name else {
      throw SyncError(.usage, "the collection's name is invalid", hint: "give 1 to 60 plain characters")
    }
    return name
  }

  static func note(_ text: String?) throws(SyncError) -> String? {
    if let text, !isText(text) {
      throw SyncError(.usage, "the note is invalid", hint: "give at most 4000 bytes of text")
    }
    return text
  }

  /// Whether the text has at most 4000 bytes, and does not contain U+0000, which PostgreSQL cannot store.
  package static func isText(_ text: String) -> Bool { !text.utf8.contains(0) && text.utf8.count <= 4000 }

  static let most: Int64 = 1_000_000

  /// Returns a whole number from 0 to the limit (default: 1,000,000); `nil` for any other text.
  package static func number(_ text: String, upTo most: Int64 = most) -> Int64? {
    Int64(text).flatMap { (0...most).contains($0) ? $0 : nil }
  }

  /// Whether the text is a year, a month or a day, as in `2024`, `2024-05` or `2024-05-17`, that exists.
  package static func isDate(_ text: String) -> Bool {
    let parts = text.utf8.count { $0 == UInt8(ascii: "-") }
    guard text.wholeMatch(of: /[0-9]{4}(-[0-9]{2}){0,2}/) != nil else { return false }
    if case .at = Moment(text + ["-01-01", "-01", ""][parts]) { return true }
    return false
  }
}
