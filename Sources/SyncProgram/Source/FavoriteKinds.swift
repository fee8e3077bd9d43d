package import SyncCore
package import SyncPostgres

package protocol FavoriteKinds: Sendable {
  var kinds: [String] { get }
  var help: String { get }
  var example: String { get }

  /// - Throws: `SyncError` `.usage` for an unknown kind.
  func check(kind: String) throws(SyncError)
  /// - Throws: `SyncError` `.usage` if items of this kind have no names, `.missing` if no item has this name.
  func id(named word: String, kind: String, in database: Database) async throws -> Int64
  /// - Throws: `SyncError` if the mirror has no items of this kind.
  func checkMirrored(kind: String, in database: Database) async throws
  func remedy(id: Int64) -> String
}

extension FavoriteKinds {
  package func checkMirrored(kind: String, in database: Database) async throws {}

  package func remedy(id: Int64) -> String { "run syncctl run to fill the mirror" }
}

package struct NamedKinds: FavoriteKinds {
  private let source: SourceID
  package let kinds: [String]
  package let help: String
  package let example: String
  private let remedy: (@Sendable (Int64) -> String)?
  private let find: Find?

  package typealias Find = @Sendable (_ word: String, _ kind: String, Database) async throws -> Int64

  /// - Parameter remedy: Returns the hint for an item that is not in the mirror (default: run `syncctl run`).
  package init(
    of source: SourceID, _ names: [String], example: String, remedy: (@Sendable (Int64) -> String)? = nil,
    find: Find? = nil
  ) {
    self.source = source
    kinds = names
    self.example = example
    self.remedy = remedy
    self.find = find
    help = "\(names.joinedByOr) of \(source)"
  }

  package func check(kind: String) throws(SyncError) {
    guard kinds.contains(kind) else {
      throw SyncError(
        .usage, "\(source) has no kind \(Excerpt.of(kind, scalars: 40))",
        hint: Suggestion.choice(for: kind, among: kinds))
    }
  }

  package func id(named word: String, kind: String, in database: Database) async throws -> Int64 {
    guard let find else {
      throw SyncError(.usage, "\(Excerpt.of(word, scalars: 40)) is not an id", hint: "give a whole number")
    }
    return try await find(word, kind, database)
  }

  package func remedy(id: Int64) -> String { remedy?(id) ?? "run syncctl run to fill the mirror" }
}

extension [String] {
  var joinedByOr: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
