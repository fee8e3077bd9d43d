import ArgumentParser
import SyncCore
import SyncPostgres
import SyncSources

struct RankingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rankings",
    abstract: "Show rankings from the mirror.",
    discussion: """
      Examples:
        syncctl rankings jikan --limit 5
        syncctl rankings jikan --kind manga --by favorites
        syncctl rankings jikan --subtype movie --format csv
      """,
    subcommands: [Jikan.self])

  struct Jikan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "jikan",
      abstract: "Show the top anime or manga.",
      discussion: """
        Orders: top is the list as the upstream last published it; rank is MyAnimeList's own field;
        airing, upcoming and popularity count members, favorites counts favorites.

        Examples:
          syncctl rankings jikan
          syncctl rankings jikan --by airing --limit 10
          syncctl rankings jikan --limit 50 --after 5114    the next page behind mal_id 5114
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var output: FormatOptions

    @Option(name: .long, help: "anime or manga.")
    var kind = "anime"

    @Option(name: .long, help: "A type such as tv, movie or lightnovel; all without it.")
    var subtype = "all"

    @Option(name: .customLong("by"), help: "top, rank, airing, upcoming, popularity or favorites.")
    var order = "top"

    @Option(name: .long, help: ArgumentHelp("How many entries.", valueName: "n"))
    var limit = 20

    @Option(name: .long, help: ArgumentHelp("Go on behind the entry with this mal_id.", valueName: "mal-id"))
    var after: Int64?

    func run() async throws {
      let question = try question()
      let rows = try await Context(configuration: try common.configuration()).withExistingMirror { database in
        try await JikanRankings.rows(question, in: database)
      }
      let listing = Listing(
        rows,
        emptyMessage: question.order == .top
          ? "No list of \(kind) has been published yet: syncctl run --source jikan walks it to its end."
          : "The mirror has no \(kind) of that kind.",
        titles: ["position": "#", "mal_id": "id", "title_japanese": "japanese"])
      try StandardStreams().print(
        listing.shown(as: output.format, without: ["title_english", "url", "rank"]), as: output.format)
    }

    private func question() throws(SyncError) -> JikanRankings.Question {
      guard let kind = JikanKind(rawValue: kind) else {
        throw unknown("kind", self.kind, JikanKind.allCases.map(\.rawValue))
      }
      guard let order = JikanRankings.Order(rawValue: order) else {
        throw unknown("order", self.order, JikanRankings.Order.allCases.map(\.rawValue))
      }
      guard subtype == "all" || kind.subtypes.contains(subtype) else {
        throw unknown("type of \(kind.rawValue)", subtype, ["all"] + kind.subtypes)
      }
      return JikanRankings.Question(
        kind: kind.rawValue, subtype: subtype == "all" ? nil : subtype, order: order, limit: try Bounds.limit(limit),
        after: after)
    }

    private func unknown(_ what: String, _ word: String, _ known: [String]) -> SyncError {
      SyncError(
        .usage, "there is no \(what) \(Excerpt.of(word, scalars: 40))", hint: "known: \(known.joined(separator: ", "))")
    }
  }
}
