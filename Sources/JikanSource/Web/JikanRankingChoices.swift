import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

/// The words that a ranking's filters accept, with their numbers of entries in the mirror.
struct JikanRankingChoices: Sendable {
  /// A word of the parameter, and its text in a pick list.
  struct Word: Sendable, Equatable {
    let word: String
    let text: String
  }

  /// The words by the names of the parameters: `genre`, `type`, `status`, `season`, `year` and `rating`.
  let words: [String: [Word]]

  /// Reads the numbers with two queries.
  static func read(_ kind: JikanKind, in database: Database) async throws -> JikanRankingChoices {
    let values = try await JikanCatalogue.rankingChoices(kind: kind.rawValue, in: database).namedRows
    let genres = try await JikanCatalogue.genres(kind: kind.rawValue, limit: nil, in: database).namedRows
    return JikanRankingChoices(kind, values: values, genres: genres)
  }

  /// - Parameters:
  ///   - values: The rows of `JikanCatalogue.rankingChoices`.
  ///   - genres: The rows of `JikanCatalogue.genres`.
  init(_ kind: JikanKind, values: [NamedRow], genres: [NamedRow]) {
    func entries(_ filter: String) -> [(value: String, count: Int)] {
      values.filter { $0["filter"] == filter }.map { ($0["value"] ?? "", $0.int("entries") ?? 0) }
    }
    /// Keeps the order of `known`, and omits words without entries. `value` is the value of the column.
    func words(_ filter: String, _ known: [(word: String, value: String, label: String)]) -> [Word] {
      let counts = Dictionary(entries(filter).map { ($0.value, $0.count) }, uniquingKeysWith: +)
      return known.compactMap { word, value, label in
        counts[value].map { Word(word: word, text: "\(label) (\(HumanFormat.count($0)))") }
      }
    }
    let types = kind.subtypes.map { word in (word, JikanListChoice.typeLabels[word] ?? word) }
    let statuses = JikanListChoice.statuses.compactMap { word, kinds in kinds[kind].map { (word, $0) } }
    let seasons = JikanSeason.Quarter.allCases.map(\.rawValue)
    // An id can be a genre and a theme, which a filter does not distinguish.
    let mirrored = Dictionary(
      genres.map { ($0["name"] ?? "", $0.int("mirrored") ?? 0) }, uniquingKeysWith: { max($0, $1) })
    self.words = [
      "genre": mirrored.filter { $0.value > 0 && !$0.key.isEmpty }.sorted { $0.key < $1.key }.map { name, count in
        Word(word: name, text: "\(name) (\(HumanFormat.count(count)))")
      },
      "type": words("type", types.map { ($0, $1, $1) }),
      "status": words("status", statuses.map { ($0, $1, $1) }),
      "season": words("season", seasons.map { ($0, $0, $0.capitalized) }),
      "year": entries("year").map { Word(word: $0.value, text: "\($0.value) (\(HumanFormat.count($0.count)))") },
      "rating": words("rating", JikanListChoice.ratings.map { ($0, $0.lowercased(), $0) }),
    ]
  }
}
