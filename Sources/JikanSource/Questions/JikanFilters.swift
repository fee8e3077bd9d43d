import Foundation
import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

/// The filters of a ranking. A property without a value selects everything. The properties have the names of the
/// members that `jikan.slice` reads.
struct JikanFilters: Sendable, Equatable, Encodable {
  /// Genres, themes or demographics. An entry must have all of them. In each other array, one match is enough.
  var genres: [String]?
  var studios: [String]?
  var seasons: [String]?
  var years: [Int]?
  var statuses: [String]?
  /// The part of the upstream's ratings before ` - `, in lower case, such as `pg-13`.
  var ratings: [String]?
  /// The queries compare the score themselves, because `as_of.sql` compares the score of that time.
  var minScore: Double?

  var parameter: PGParameter {
    get throws {
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      return .jsonb(Array(try encoder.encode(self)))
    }
  }
}

/// The filters as the user wrote them, on the command line or in the address of a page. The initializer has no default
/// values, so that a new filter does not compile before the command and the page read it.
struct JikanFilterWords: Sendable {
  let genre: [String]
  let studio: [String]
  let season: [String]
  let year: [Int]
  let status: [String]
  let rating: [String]
  let minScore: Double?

  /// Returns the filters with the mirror's spelling of the names.
  /// - Throws: `SyncError` `.usage` for a name that the mirror or the kind does not have.
  func filters(of kind: JikanKind, in database: Database) async throws -> JikanFilters {
    var filters = JikanFilters()
    filters.genres = try await names(genre, "genre", .genre, kind, in: database)
    filters.studios = try await names(studio, "studio", .studio, kind, in: database)
    filters.seasons = try season.map { word in
      let seasons = JikanSeason.Quarter.allCases.map(\.rawValue)
      guard let season = seasons.first(where: { $0 == word.lowercased() }) else {
        throw SyncError.unknown("season", word, seasons)
      }
      return season
    }.unlessEmpty
    filters.years = year.unlessEmpty
    filters.statuses = try status.map { try JikanListChoice.status($0, of: kind) }.unlessEmpty
    filters.ratings = try rating.map { try JikanListChoice.rating($0) }.unlessEmpty
    filters.minScore = minScore
    return filters
  }

  /// Checks the filters without a database.
  func check(for kind: JikanKind) throws(SyncError) {
    if let year = year.first(where: { !(1...9999).contains($0) }) {
      throw SyncError(.usage, "--year \(year) is out of range", hint: "give a year such as 2024")
    }
    if let minScore, !minScore.isFinite {
      throw SyncError(.usage, "--min-score is not a number", hint: "give a score from 1 to 10")
    }
    guard kind == .manga else { return }
    let options = [
      (studio.isEmpty, "--studio"), (season.isEmpty, "--season"), (rating.isEmpty, "--rating"),
    ].filter { !$0.0 }.map(\.1)
    guard let first = options.first else { return }
    throw SyncError(.usage, "manga have no \(first.dropFirst(2))", hint: "omit \(first); only anime have it")
  }

  private func names(
    _ words: [String], _ what: String, _ facet: JikanCatalogue.Facet, _ kind: JikanKind, in database: Database
  ) async throws -> [String]? {
    guard !words.isEmpty else { return nil }
    let names = try await JikanCatalogue.names(of: facet, kind: kind.rawValue, for: words, in: database)
    return try words.map { word in
      if let name = names.first(where: { $0 == word }) ?? names.first(where: { $0.lowercased() == word.lowercased() }) {
        return name
      }
      let near = Suggestion.several(to: word, among: names).map { Excerpt.of($0, scalars: 40) }
      throw SyncError(
        .usage, "the mirror has no \(kind.rawValue) of the \(what) \(Excerpt.of(word, scalars: 40))",
        hint: near.isEmpty
          ? facet == .genre ? "syncctl genres lists them" : "check its spelling"
          : "did you mean \(near.joined(separator: ", "))?")
    }.distinct()
  }
}

extension Array {
  fileprivate var unlessEmpty: Self? { isEmpty ? nil : self }
}
