import ArgumentParser
import SyncCore
import SyncPostgres
import SyncSources

struct ITunesSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search a storefront, keep what it returns, and show it.",
    usage: "syncctl itunes search <term> ... [<options>]",
    discussion: """
      In a terminal results come by pages of 10, elsewhere all at once; each page queries the service again, \
      and its results may have changed meanwhile. A search is a sample: an item that is missing from its \
      results proves nothing. With --offline it searches the names in the mirror.

      Status: 1 nothing found, 64 a bad parameter, 69 the service cannot be reached, fails or sends an \
      unreadable answer, 75 it requests a pause, 78 a bad base URL.

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
    name: .long, help: "music, movie, podcast, musicVideo, audiobook, shortFilm, tvShow, software, ebook or all.",
    completion: .list(ITunesVocabulary.media))
  var media: String?

  @Option(
    name: .long, help: "The kind of result: song, album, musicArtist, podcast, movie, …",
    completion: .list(ITunesVocabulary.entities(of: nil)))
  var entity: String?

  @Option(
    name: .long, help: "Search in one attribute alone: artistTerm, albumTerm, songTerm, …",
    completion: .list(ITunesVocabulary.attributes(of: nil)))
  var attribute: String?

  @Option(name: .long, help: "Language of the answer, e.g. en_us, ja_jp.", completion: .list(["en_us", "ja_jp"]))
  var lang: String?

  @Option(name: .long, help: ArgumentHelp("At most so many results, up to 200.", valueName: "n"))
  var limit: Int?

  @Option(
    name: .long, help: "artist (then album), relevance, release (the latest first) or price (the cheapest first).",
    completion: .list(ITunesQueries.Sort.allCases.map(\.rawValue)))
  var sort = ITunesQueries.Sort.artist.rawValue

  @Option(name: .long, help: ArgumentHelp("Which page, from 1.", valueName: "n"))
  var page: Int?

  @Option(name: .long, help: ArgumentHelp("Results of a page; 10 without it.", valueName: "n"))
  var pageSize: Int?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    let sort = try ITunesChoice.sort(sort)
    let paging = try Paging(page: page, size: pageSize, isTerminal: streams.output.isTerminal)
    let search = try ITunesSearch(
      term: words.joined(separator: " "), country: storefront.country, media: media, entity: entity,
      attribute: attribute, lang: lang, limit: limit)
    let configuration = try common.configuration()
    if storefront.offline {
      try checkOffline()
      streams.note("from the mirror; the service was not asked")
    } else {
      let stream = ITunesStream(search, baseURL: try configuration.itunes.baseURL.value)
      try await ITunesQuestion.ask(stream, configuration, said: streams)
    }
    let said: @Sendable (String) -> Void = { streams.note($0) }
    // A question to the service has told where it writes.
    let answer = try await Context(configuration: configuration).withExistingMirror(
      writing: storefront.offline ? said : nil
    ) { database in
      let answer = try await self.answer(search, sort, paging, in: database)
      let lookup = ITunesQueries.Lookup(
        storefront.offline ? .show : .search, country: search.country, term: search.term, results: answer.total)
      try await ITunesQuestion.note([lookup], in: database, said: streams)
      return answer
    }
    try show(answer, of: search, paging, streams)
  }

  private struct Answer {
    let rows: RowSet
    /// Of all pages.
    let total: Int
  }

  private func answer(
    _ search: ITunesSearch, _ sort: ITunesQueries.Sort, _ paging: Paging, in database: Database
  ) async throws -> Answer {
    var part = ITunesQueries.Part(limit: paging.limit, offset: paging.offset)
    guard storefront.offline else {
      let results = try await ITunesQueries.results(of: search.name, sort: sort, part: part, in: database)
      return Answer(rows: results.rows, total: results.total)
    }
    if let limit = search.limit { part.limit = min(part.limit, max(0, limit - part.offset)) }
    let items = ITunesChoice.items(media: media, entity: entity)
    let words = ITunesQueries.Words(
      term: search.term, country: search.country, classes: items.classes.map(\.rawValue), kinds: items.kinds)
    let found = try await ITunesQueries.find(words, sort: sort, part: part, in: database)
    return Answer(rows: found.rows, total: min(found.total, search.limit ?? found.total))
  }

  /// - Throws: `SyncError` `.usage` for what the service alone can do.
  private func checkOffline() throws(SyncError) {
    let option = attribute != nil ? "--attribute" : lang != nil ? "--lang" : nil
    guard let option else { return }
    throw SyncError(
      .usage, "\(option) is for the service, and --offline does not query it", hint: "leave one of them away")
  }

  private func show(
    _ answer: Answer, of search: ITunesSearch, _ paging: Paging, _ streams: StandardStreams
  ) throws {
    try paging.check(total: answer.total)
    try streams.printUnlessClosed(
      .itunes(answer.rows, emptyMessage: "", as: output.format), as: output.format)
    guard answer.total > 0 else {
      let place = storefront.offline ? "in the mirror of \(search.country)" : "in \(search.country)"
      throw SyncError(
        .missing, "nothing found for \(Excerpt.of(search.term, scalars: 60)) \(place)",
        hint: storefront.offline
          ? "without --offline the service is asked" : "try fewer words, another --country or another --entity")
    }
    if let remark = paging.remark(total: answer.total) { streams.note(remark) }
  }
}
