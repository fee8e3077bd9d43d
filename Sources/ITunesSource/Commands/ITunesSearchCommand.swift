import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct ITunesSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Search a storefront, and keep and show the results.",
    usage: "syncctl itunes search <term> ... [<options>]",
    discussion: """
      A terminal shows pages of 10 results, other outputs all results. --page reads the stored results of the \
      same search, and queries the service only if none are stored; --refresh always queries it. If more \
      results follow, standard error prints the command for the next page, which reads the same results. A \
      search is a sample: a missing item proves nothing. --offline searches the names in the mirror.

      Exit statuses: 1 nothing found, 64 a bad parameter, 69 the service cannot be reached, fails or sends an \
      unreadable response, 75 the service requests a pause, 78 a bad base URL.

      Examples:
        syncctl itunes search 周杰倫 --country tw
        syncctl itunes search "jack johnson" --entity album --sort release
        syncctl itunes search swift --media podcast --page 2
        syncctl itunes search 周杰倫 --country tw --offline --format csv
      """)

  @OptionGroup var storefront: StorefrontOptions

  @Argument(help: ArgumentHelp("What to search for.", valueName: "term"))
  var words: [String]

  @Option(
    help: "music, movie, podcast, musicVideo, audiobook, shortFilm, tvShow, software, ebook or all.",
    completion: .list(ITunesVocabulary.media))
  var media: String?

  @Option(
    help: "The kind of result: song, album, musicArtist, podcast, movie, …",
    completion: .list(ITunesVocabulary.entities(of: nil)))
  var entity: String?

  @Option(
    help: "Search only one attribute: artistTerm, albumTerm, songTerm, …",
    completion: .list(ITunesVocabulary.attributes(of: nil)))
  var attribute: String?

  @Option(help: "Language of the answer, e.g. en_us, ja_jp.", completion: .list(["en_us", "ja_jp"]))
  var lang: String?

  @Option(
    name: [.customLong("limit"), .customShort("n")],
    help: ArgumentHelp(
      "Maximum number of results, up to 200; 0 for all. With --sort release or price, the first of all results.",
      valueName: "n"))
  var limit: Int?

  @Option(
    help: "artist (then album), relevance, release (latest first) or price (cheapest first).",
    completion: .list(ITunesQueries.Sort.allCases.map(\.rawValue)))
  var sort = ITunesQueries.Sort.artist.rawValue

  @OptionGroup var pages: PageOptions

  @Option(help: ArgumentHelp("Results per page (default: 10); 0 for all.", valueName: "n"))
  var pageSize: Int?

  @Flag(help: "Query the service again, even if a result is stored.")
  var refresh = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    let order = try ITunesQueries.Sort.named(sort, "order")
    let request = try pageRequest(isTerminal: streams.output.isTerminal)
    try checkPage()
    let search = try requestedSearch(in: order)
    let configuration = try common.configuration()
    let context = Context(configuration: configuration)

    if storefront.offline {
      try checkOffline()
      streams.note("from the mirror; the service was not queried")
    }
    let isFromMirror = try await isStored(search, in: context)
    if !isFromMirror {
      let stream = ITunesStream(search, baseURL: try configuration.itunes.baseURL.value)
      try await ITunesQuestion.ask(stream, configuration, said: streams)
    }

    let answer = try await context.withExistingMirror { database in
      let found = try await page(of: search, order, request, in: database)
      let lookup = ITunesQueries.Lookup(
        action: isFromMirror ? .show : .search, country: search.country, term: search.term, results: found.total)
      try await ITunesQuestion.note([lookup], in: database, said: streams)
      return found
    }
    if isFromMirror, let publication = answer.publication { streams.note(Self.remark(publication)) }
    try show(answer, of: search, request, streams)
  }

  /// The number of results of all pages that the user wants; `nil` for all.
  private var most: Int? { limit == 0 ? nil : limit }

  private func pageRequest(isTerminal: Bool) throws(SyncError) -> PageRequest {
    let isPaged = pages.page != nil || pages.after != nil || isTerminal
    var request = try pages.request(rows: pageSize ?? (isPaged ? 10 : 0), option: "--page-size")
    // With --refresh, the command of the next page must omit this option, so a page number is not enough.
    if refresh, request.start != nil { request.isNumbered = false }
    return request
  }

  /// Returns the search that is sent to the service. The service sorts by relevance, so the first results of another
  /// order are known only with all results.
  /// - Throws: `SyncError` `.usage` for an invalid option, `--limit` included.
  private func requestedSearch(in order: ITunesQueries.Sort) throws(SyncError) -> ITunesSearch {
    let limited = try search(limit: most)
    guard order.isRanking else { return limited }
    return try search(limit: nil)
  }

  private func page(
    of search: ITunesSearch, _ order: ITunesQueries.Sort, _ request: PageRequest, in database: Database
  ) async throws -> ITunesQueries.Answer {
    try await request.read { rows, start in
      let part = ITunesQueries.Part(limit: rows, after: start?.cursor, offset: start?.offset ?? 0)
      return try await answer(search, order, part, in: database)
    }
  }

  private func search(limit: Int?) throws(SyncError) -> ITunesSearch {
    try ITunesSearch(
      term: words.joined(separator: " "), country: storefront.country, media: media, entity: entity,
      attribute: attribute, lang: lang, limit: limit)
  }

  private func checkPage() throws(SyncError) {
    let given = [(refresh, "--refresh"), (storefront.offline, "--offline"), (pages.after != nil, "--after")].filter(\.0)
    if refresh, given.count > 1 {
      throw SyncError(.usage, "\(given.map(\.1).joined(separator: " and ")) cannot be combined", hint: "omit --refresh")
    }
    guard case .id = pages.after?.start else { return }
    throw SyncError(
      .usage, "--after takes only a cursor here, because several results can have one id",
      hint: "copy the command from the next: line of that page")
  }

  private func isStored(_ search: ITunesSearch, in context: Context) async throws -> Bool {
    if storefront.offline || pages.after != nil { return true }
    guard pages.page != nil, !refresh else { return false }
    do {
      return try await context.withExistingMirror { database in
        try await ITunesQueries.publication(of: search.name, in: database) != nil
      }
    } catch let error as SyncError where error.code == .configuration {
      return false
    }
  }

  private static func remark(_ publication: ITunesQueries.Publication) -> String {
    guard publication.isLatest else {
      return "as published at \(publication.publishedAt); the search has returned something else since"
    }
    return "as the service answered \(HumanFormat.age(of: -publication.secondsAgo, now: 0)); --refresh queries it again"
  }

  private func answer(
    _ search: ITunesSearch, _ order: ITunesQueries.Sort, _ part: ITunesQueries.Part, in database: Database
  ) async throws -> ITunesQueries.Answer {
    guard storefront.offline else {
      return try await ITunesQueries.results(of: search.name, sort: order, most: most, part: part, in: database)
    }
    let items = ITunesChoice.items(media: media, entity: entity)
    let words = ITunesQueries.Words(
      term: search.term, country: search.country, classes: items.classes.map(\.rawValue), kinds: items.kinds)
    return try await ITunesQueries.find(words, sort: order, most: most, part: part, in: database)
  }

  private func checkOffline() throws(SyncError) {
    let option = attribute != nil ? "--attribute" : lang != nil ? "--lang" : nil
    guard let option else { return }
    throw SyncError(
      .usage, "\(option) applies to the service, which --offline does not query", hint: "omit one of them")
  }

  private func show(
    _ answer: ITunesQueries.Answer, of search: ITunesSearch, _ request: PageRequest, _ streams: StandardStreams
  ) throws {
    try streams.printUnlessClosed(.itunes(answer.page.rows, emptyMessage: ""), output)
    guard answer.total > 0 else {
      let place = storefront.offline ? "in the mirror of \(search.country)" : "in \(search.country)"
      throw SyncError(
        .missing, "nothing found for \(Excerpt.of(search.term, scalars: 60)) \(place)",
        hint: storefront.offline
          ? "omit --offline to query the service" : "try fewer words, another --country or another --entity")
    }
    // The next page is from the stored results, so its command omits --refresh, a flag with 0 values.
    streams.noteNext(answer.page, request, output, of: answer.total, replacing: ["--refresh": 0])
  }
}
