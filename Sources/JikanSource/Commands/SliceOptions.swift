import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct SliceOptions: ParsableArguments {
  @Option(
    help: "Only this genre, theme or demographic; repeat it to require several.",
    completion: Completion.words(JikanCatalogue.names(of: .genre, kind: "anime")))
  var genre: [String] = []

  @Option(
    help: "Only anime of this studio; repeat it to allow several.",
    completion: Completion.words(JikanCatalogue.names(of: .studio, kind: "anime")))
  var studio: [String] = []

  @Option(
    help: "Only anime that began in winter, spring, summer or fall; repeatable.",
    completion: .list(JikanSeason.Quarter.allCases.map(\.rawValue)))
  var season: [String] = []

  @Option(help: "Only anime of a season of this year, or manga first published in it; repeatable.")
  var year: [Int] = []

  @Option(
    help: "airing, complete or upcoming; for manga publishing, complete, hiatus, discontinued or upcoming.",
    completion: .list(JikanListChoice.statuses.map(\.word)))
  var status: [String] = []

  @Option(
    help: "Only anime with this age rating: G, PG, PG-13, R, R+ or Rx; repeatable.",
    completion: .list(JikanListChoice.ratings))
  var rating: [String] = []

  @Option(help: ArgumentHelp("Only entries with at least this score.", valueName: "score"))
  var minScore: Double?

  func slice(of kind: JikanKind, in database: Database) async throws -> JikanRankings.Slice {
    var slice = JikanRankings.Slice()
    slice.genres = try await names(genre, "genre", .genre, kind, in: database)
    slice.studios = try await names(studio, "studio", .studio, kind, in: database)
    slice.seasons = try season.map { word in
      let known = JikanSeason.Quarter.allCases.map(\.rawValue)
      guard let season = known.first(where: { $0 == word.lowercased() }) else {
        throw SyncError.unknown("season", word, known)
      }
      return season
    }
    slice.years = year
    slice.statuses = try status.map { try JikanListChoice.status($0, of: kind) }
    slice.ratings = try rating.map { try JikanListChoice.rating($0) }
    slice.leastScore = minScore
    return slice
  }

  func check(for kind: JikanKind) throws(SyncError) {
    if let year = year.first(where: { !(1...9999).contains($0) }) {
      throw SyncError(.usage, "--year \(year) is out of range", hint: "give a year such as 2024")
    }
    if let minScore, !minScore.isFinite {
      throw SyncError(.usage, "--min-score is not a number", hint: "give a score from 1 to 10")
    }
    guard kind == .manga else { return }
    let given = [
      (studio.isEmpty, "--studio"), (season.isEmpty, "--season"), (rating.isEmpty, "--rating"),
    ].filter { !$0.0 }.map(\.1)
    guard let first = given.first else { return }
    throw SyncError(.usage, "manga have no \(first.dropFirst(2))", hint: "omit \(first); only anime have it")
  }

  private func names(
    _ words: [String], _ what: String, _ facet: JikanCatalogue.Facet, _ kind: JikanKind, in database: Database
  ) async throws -> [String] {
    guard !words.isEmpty else { return [] }
    let known = try await JikanCatalogue.names(of: facet, kind: kind.rawValue, for: words, in: database)
    return try words.map { word in
      if let name = known.first(where: { $0 == word }) ?? known.first(where: { $0.lowercased() == word.lowercased() }) {
        return name
      }
      let near = Suggestion.several(to: word, among: known).map { Excerpt.of($0, scalars: 40) }
      throw SyncError(
        .usage, "the mirror has no \(kind.rawValue) of the \(what) \(Excerpt.of(word, scalars: 40))",
        hint: near.isEmpty
          ? facet == .genre ? "syncctl genres lists them" : "check its spelling"
          : "did you mean \(near.joined(separator: ", "))?")
    }.distinct()
  }
}
