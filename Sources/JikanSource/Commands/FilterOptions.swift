import ArgumentParser
import SyncCore
import SyncProgram

/// The options of commands that filter a ranking.
struct FilterOptions: ParsableArguments {
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

  var words: JikanFilterWords {
    JikanFilterWords(
      genre: genre,
      studio: studio,
      season: season,
      year: year,
      status: status,
      rating: rating,
      minScore: minScore)
  }
}
