import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct RankingsJikanCommand: JikanRankingCommand {
  static let configuration = CommandConfiguration(
    commandName: "jikan", abstract: "Show the top anime or manga, whole or a slice of them.",
    usage: "syncctl rankings jikan [--kind anime|manga] [<options>]", discussion: rankingDiscussion)

  @Option(help: "anime or manga.", completion: .list(JikanKind.allCases.map(\.rawValue)))
  var kind = "anime"

  @OptionGroup var list: ListOptions
  @OptionGroup var filters: FilterOptions
  @OptionGroup var sorting: SortOptions
  @OptionGroup var pages: PagedLimitOptions<TwentyRows>
  @OptionGroup var past: AsOfOptions
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws { try await show(try JikanKind.named(kind, "kind")) }
}

/// `syncctl rankings anime` and `syncctl rankings manga`.
struct RankingsMediaCommand<Media: MediaCommands>: JikanRankingCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Media.kind.rawValue, abstract: "Show the top \(Media.kind.rawValue), whole or a slice of them.",
      usage: "syncctl rankings \(Media.kind.rawValue) [<options>]", discussion: rankingDiscussion)
  }

  @OptionGroup var list: ListOptions
  @OptionGroup var filters: FilterOptions
  @OptionGroup var sorting: SortOptions
  @OptionGroup var pages: PagedLimitOptions<TwentyRows>
  @OptionGroup var past: AsOfOptions
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws { try await show(Media.kind) }
}

/// A ranking of anime or manga. A group that contains these groups would be shorter, but the parser checks each level
/// of groups several times: its debug build needed a second for a command line.
protocol JikanRankingCommand: AsyncParsableCommand {
  var list: ListOptions { get }
  var filters: FilterOptions { get }
  var sorting: SortOptions { get }
  var pages: PagedLimitOptions<TwentyRows> { get }
  var past: AsOfOptions { get }
  var output: FormatOptions { get }
  var common: CommonOptions { get }
}

private let rankingDiscussion = """
  Orders (--sort): top is the latest published list; rank is MyAnimeList's own field; score and favorites \
  are counters; popularity, members, airing and upcoming count members. --list shows another list that the \
  upstream orders, if it is mirrored: airing, upcoming, bypopularity or favorite, and publishing for manga.

  --as-of shows the list that the last run at or before a time published, down to the positions of the \
  history (history.positions). A time before the first run shows the list of that run. Only lists have a \
  history, other orders do not. Members and favorites are from the day when an entry's score, position or \
  rank changed. A date means its beginning; a time without a zone is UTC.

  If an item of the service had no readable id, positions count it. A known entry that was not among the others \
  is shown as not read, with its last known position.

  If more entries follow, standard error prints the command for the next page: on a terminal with --page, \
  which counts in the current list, otherwise with a cursor. With cursors, entries that do not move are \
  neither repeated nor omitted, even if the list is published again in between. --after with a mal_id \
  continues after that entry's current place.

  Examples:
    syncctl rankings anime
    syncctl rankings jikan --genre Action --genre Drama --min-score 8.5
    syncctl rankings jikan --studio Madhouse --sort members --limit 10
    syncctl rankings jikan --season spring --year 2024 --sort score
    syncctl rankings jikan --list airing --as-of 7d
    syncctl rankings manga --status publishing --limit 0 --format csv
  """

extension JikanRankingCommand {
  /// Prints the ranking of a kind.
  func show(_ kind: JikanKind) async throws {
    var question = try question(of: kind)
    let request = try pages.request()
    let moment = try past.asOf.map { (word) throws(SyncError) in try Moment(word, option: "--as-of") }
    let streams = StandardStreams()
    let context = try common.context()
    guard let moment else {
      let (page, doubt) = try await context.withExistingMirror { database in
        question.filters = try await filters.words.filters(of: kind, in: database)
        let page = try await request.read { limit, start in
          question.limit = limit
          question.after = start
          return try await JikanRankings.page(question, in: database)
        }
        return (page, try await JikanHistory.doubt(question, in: database))
      }
      try streams.print(
        RankingsJikanCommand.listing(page.rows, emptyMessage: RankingsJikanCommand.emptyMessage(question)), output)
      streams.noteNext(page, request, output)
      return streams.noteDoubts([doubt].compactMap(\.self), of: "title")
    }
    let snapshot = try await context.withExistingMirror { database in
      question.filters = try await filters.words.filters(of: kind, in: database)
      return try await request.read { limit, start in
        question.limit = limit
        question.after = start
        return try await JikanHistory.rows(question, asOf: moment, in: database)
      }
    }
    if snapshot.startsLater {
      streams.noteBeginning(of: snapshot.publishedAt)
    } else {
      streams.note("as published at \(snapshot.publishedAt)")
    }
    try streams.print(
      RankingsJikanCommand.listing(snapshot.page.rows, emptyMessage: "The list has no further entries."), output)
    streams.noteNext(snapshot.page, request, output)
    streams.noteDoubts(snapshot.doubts, of: "title")
    if let position = snapshot.cutAt {
      streams.note(
        "cut after position \(HumanFormat.count(position)): the history is exact only up to there (history.positions)")
    }
  }

  private func question(of kind: JikanKind) throws(SyncError) -> JikanRankings.Question {
    let order = try JikanRankings.Order.named(sorting.order, "order")
    if order != .top, let option = past.asOf != nil ? "--as-of" : list.list != nil ? "--list" : nil {
      throw SyncError(
        .usage, "--sort \(order.rawValue) has no \(option == "--list" ? "list" : "history")",
        hint: "omit --sort or \(option)")
    }
    let question = try list.question(of: kind, order: order)
    try filters.words.check(for: kind)
    return question
  }
}

extension RankingsJikanCommand {
  static func emptyMessage(_ question: JikanRankings.Question) -> String {
    if question.after != nil { return "There are no further entries." }
    if question.filters != JikanFilters() {
      return "The mirror has no matching \(question.kind)"
        + (question.filter.map { " in the list \($0), or the list is not mirrored." } ?? ".")
    }
    guard question.order == .top else { return "The mirror has no matching \(question.kind)." }
    let stream = "top-\(question.kind)"
    guard let filter = question.filter else {
      return "No list of \(question.kind) has been published yet; syncctl run --source jikan fetches it."
    }
    let command = "syncctl run --stream \(stream):\(filter)"
    return "The list \(filter) has not been published yet; \(command) fetches it."
  }

  static func listing(_ rows: RowSet, emptyMessage: String) -> Listing {
    Listing(
      rows, emptyMessage: emptyMessage, titles: ["position": "#", "mal_id": "id", "title_japanese": "japanese"],
      cut: ["not_mirrored"]
    ).sayingUnread.laidOut(
      hiding: ["kind", "title_english", "url", "rank", "image_url", "started_at"], ifEmpty: ["not_mirrored", "unread"],
      leaving: ["favorites"], ["title_japanese"], ["type"], ["members"])
  }
}

struct SortOptions: ParsableArguments {
  @Option(
    name: [.customLong("sort"), .customLong("by")],
    help: "top, rank, score, popularity, members, favorites, airing or upcoming.",
    completion: .list(JikanRankings.Order.allCases.map(\.rawValue)))
  var order = "top"
}

struct AsOfOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The list as it was then: a date, a time, or an age such as 7d.", valueName: "time"))
  var asOf: String?
}

struct ListOptions: ParsableArguments {
  @Option(
    name: [.customLong("type"), .customLong("subtype")],
    help: "A type such as tv, movie or lightnovel.",
    // `manga` is not suggested as a type, because this word selects the kind.
    completion: .list(JikanKind.allCases.flatMap(\.subtypes).filter { JikanKind(rawValue: $0) == nil }))
  var type = "all"

  @Option(
    help: "A list that the upstream orders itself, such as airing (default: the top list).",
    completion: .list(JikanKind.allCases.flatMap(\.filters).distinct()))
  var list: String?

  func question(
    of kind: JikanKind, order: JikanRankings.Order = .top, limit: Int? = nil
  ) throws(SyncError) -> JikanRankings.Question {
    var question = JikanRankings.Question(
      kind: kind.rawValue, subtype: try JikanListChoice.subtype(type, of: kind), order: order, limit: limit)
    question.filter = try JikanListChoice.list(list, of: kind)
    return question
  }
}
