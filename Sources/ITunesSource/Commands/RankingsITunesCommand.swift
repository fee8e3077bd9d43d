import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct RankingsITunesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "itunes", abstract: "Show an Apple chart: songs, albums, apps, podcasts, books.",
    usage: "syncctl rankings itunes [<options>]",
    discussion: """
      Shows the latest publication of a chart; --as-of shows an earlier one, back to the first run. If more \
      entries follow, standard error prints the command for the next page, which reads the same publication.

      Examples:
        syncctl rankings itunes --chart songs --country us
        syncctl rankings itunes --chart albums --country tw --after 1440833098
        syncctl rankings itunes --chart apps --feed top-paid --as-of 2026-11-01
      """)

  @OptionGroup var choice: ChartOptions

  @OptionGroup var pages: PagedLimitOptions<TwentyRows>

  @Option(help: ArgumentHelp("The chart as it was then: a date, a time, or an age such as 7d.", valueName: "time"))
  var asOf: String?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let request = try pages.request()
    let asOf = try asOf.map { (word) throws(SyncError) in try Moment(word, option: "--as-of") }
    let wanted = try choice.checked(common)
    let streams = StandardStreams()
    let context = try common.context()
    let snapshot = try await context.withExistingMirror { database in
      let chart = try await wanted.chart(in: database)
      return try await request.read { limit, start in
        try await ITunesCharts.rows(chart, limit: limit, after: start, asOf: asOf, in: database)
      }
    }
    if snapshot.startsLater {
      streams.noteBeginning(of: snapshot.publishedAt)
    } else if asOf != nil || !snapshot.isLatest {
      streams.note("as published at \(snapshot.publishedAt)")
    }
    try streams.print(
      .itunesChart(snapshot.page.rows, emptyMessage: "The chart has no further entries."), output)
    streams.noteNext(snapshot.page, request, output)
    streams.noteDoubts(snapshot.doubts, of: "entry")
  }
}

struct ChartOptions: ParsableArguments {
  @Option(
    help: "songs, albums, music-videos, apps, books, audio-books, podcasts, podcast-episodes, or a chart's name.",
    completion: .list(ITunesChartChoice.types))
  var chart = "songs"

  @Option(
    help: ArgumentHelp("Storefront: the two letters of its country.", valueName: "country"),
    completion: .list(ITunesChartChoice.countries))
  var country = "us"

  @Option(
    help: "The feed, if the chart has several: most-played, top-free, top-paid, top or top-subscriber.",
    completion: .list(ITunesChartChoice.feeds))
  var feed: String?

  func checked(_ common: CommonOptions) throws -> ITunesChartChoice {
    guard !ITunesChartChoice.types.contains(chart),
      let named = try common.configuration().itunes.charts.value.first(where: {
        [$0.name, "chart:\($0.name)"].contains(chart)
      })
    else { return try ITunesChartChoice(type: chart, country: country, feed: feed) }
    guard ["us", named.country].contains(country.lowercased()), feed == nil || feed == named.feed else {
      throw SyncError(
        .usage, "the chart \(named.name) is \(named.country) \(named.feed) \(named.type)",
        hint: "omit --country and --feed")
    }
    return try ITunesChartChoice(type: named.type, country: named.country, feed: named.feed)
  }
}

struct ITunesMoversCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "itunes", abstract: "Show which entries have moved in an Apple chart since a time.",
    usage: "syncctl rankings movers itunes [<options>]",
    discussion: """
      A table lists climbers, fallers, new entries and entries that left, the largest moves first; the other \
      formats are sorted only by the move. An entry that entered or left counts as moved from or to the end. Known \
      entries that the last run did not read, because an item had no readable id, are listed as not read. A \
      terminal shows a plot; with --format, --columns or --no-plot, or in a pipe, the command prints rows.

      Examples:
        syncctl rankings movers itunes
        syncctl rankings movers itunes --chart albums --country tw --since 24h
      """)

  @OptionGroup var choice: ChartOptions
  @OptionGroup var time: SinceOptions

  @OptionGroup var limit: LimitOptions<TwentyRows>
  @OptionGroup var plot: PlotOptions
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let limit = try limit.rows()
    let since = try time.moment()
    let wanted = try choice.checked(common)
    let movers = try await common.context().withExistingMirror { database in
      try await ITunesCharts.movers(try await wanted.chart(in: database), since: since, limit: limit, in: database)
    }
    if movers.startsLater { StandardStreams().noteBeginning(of: movers.publishedAt) }
    StandardStreams().noteDoubts(movers.doubts, of: "entry")
    let rows = movers.page.rows
    return Listing.itunesChart(rows, emptyMessage: "No entry has moved since then.")
      .sectioned(by: "section", MoverPlot.sections)
      .drawn(plot) { MoverPlot(rows, title: "name").lines(width: $0) }
  }
}

struct ITunesChartHistoryCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "itunes", abstract: "Show the history of one entry of an Apple chart.",
    usage: "syncctl rankings history itunes <id> [<options>]",
    discussion: """
      A terminal shows a plot; with --format, --columns or --no-plot, or in a pipe, the command prints rows, oldest
      first.

      Example:
        syncctl rankings history itunes 1440833098 --chart songs
      """)

  @Argument(help: "The entry's id.")
  var id: Int64

  @OptionGroup var choice: ChartOptions
  @OptionGroup var plot: PlotOptions
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let wanted = try choice.checked(common)
    let rows = try await common.context().withExistingMirror { database in
      try await ITunesCharts.entry(id, in: try await wanted.chart(in: database), database)
    }
    return Listing(
      rows, emptyMessage: "", titles: ["position": "#", "valid_from": "from", "valid_to": "to"],
      exact: ["valid_from", "valid_to"]
    ).sayingUnread.laidOut(hiding: ["duration_seconds", "name"], ifEmpty: ["unread"]).drawn(plot) {
      HistoryPlot(rows).lines(width: $0)
    }
  }
}

struct ITunesChartChoice: Equatable {
  let type: String
  let country: String
  let feed: String?

  static let types = ITunesChart.kinds.map(\.type).distinct()
  static let countries = ["us", "gb", "jp", "tw", "hk", "kr", "de", "fr", "ca", "au"]
  static let feeds = ITunesChart.kinds.map(\.feed).distinct()
  static let names = ((try? ITunesChart.defaults()) ?? []).map(\.name).flatMap { [$0, "chart:\($0)"] }

  init(type: String, country: String, feed: String?) throws(SyncError) {
    self.type = type
    self.country = try ITunesChart(country: country).country
    self.feed = feed
  }

  func chart(in database: Database) async throws -> ITunesCharts.Chart {
    let known = try await ITunesCharts.charts(in: database)
    guard !known.isEmpty else {
      throw SyncError(
        .missing, "no chart has been mirrored yet", hint: "syncctl run --source itunes fetches the charts")
    }
    return try choose(among: known)
  }

  func choose(among known: [ITunesCharts.Chart]) throws(SyncError) -> ITunesCharts.Chart {
    let fitting = known.filter { $0.type == type && $0.country == country && (feed == nil || $0.feed == feed) }
    let order = Self.feeds
    let ranked = fitting.min { one, other in
      (order.firstIndex(of: one.feed) ?? order.count, one.feed)
        < (order.firstIndex(of: other.feed) ?? order.count, other.feed)
    }
    if let ranked { return ranked }
    let wanted = [country, feed, type].compactMap(\.self).joined(separator: " ")
    let all = known.map { "\($0.country) \($0.feed) \($0.type)" }
    let more = all.count > Self.told ? ", and \(all.count - Self.told) more" : ""
    throw SyncError(
      .usage, "there is no chart \(Excerpt.of(wanted, scalars: 60)) in the mirror",
      hint: "mirrored: \(all.prefix(Self.told).joined(separator: ", "))\(more)")
  }

  private static let told = 20
}
