package import SyncCore
package import SyncPostgres
package import SyncProgram
package import SyncWeb

/// The source `jikan`: anime and manga lists of a service with Jikan's API v4, whose data are from MyAnimeList.
package struct JikanSource: CompiledSource {
  let provider: Setting<JikanProvider>
  let baseURL: Setting<String>
  let rateLimits: Setting<[RateWindow]>
  private let history: HistoryConfiguration

  package static let definition: SourceDefinition = {
    var definition = SourceDefinition(
      .jikan, help: help,
      favorites: NamedKinds(
        of: .jikan, JikanKind.allCases.map(\.rawValue), example: #"jikan anime 5114 --note "again in winter""#,
        find: { word, kind, database in
          try await JikanTitleChoice.id(word, try JikanKind.named(kind, "kind"), in: database)
        }),
      source: JikanSource.init, mappings: { _ in JikanMapping.all })
    definition.sample = sample
    definition.guesses = guesses
    definition.keys = ["provider", "base_url", "rate_limits", "allow_above_published"]
    definition.rankings = [
      RankingsJikanCommand.self, RankingsMediaCommand<AnimeCommands>.self, RankingsMediaCommand<MangaCommands>.self,
    ]
    definition.movers = [RankingsMoversCommand<AnimeCommands>.self, RankingsMoversCommand<MangaCommands>.self]
    definition.listHistories = [RankingsHistoryCommand<AnimeCommands>.self, RankingsHistoryCommand<MangaCommands>.self]
    definition.commands = [
      MediaCommand<AnimeCommands>.self, MediaCommand<MangaCommands>.self, SeasonsCommand.self, AiringCommand.self,
      GenresCommand.self,
    ]
    definition.exported = { (text, collection) throws(SyncError) in
      try MyAnimeListFile.read(text, into: collection ?? MyAnimeListFile.collection)
    }
    return definition
  }()

  private static let help = SourceHelp(
    content: "the top anime and manga",
    runs: [
      "run --source jikan", "run --source jikan --stream top-anime --max-pages 2",
      "run --stream top-anime:tv --format json", "run --stream anime-catalog --stream manga-catalog",
      "run --stream seasons --stream seasons:2024:spring --stream genres",
      "run --stream seasons:2019..2021 --stream 'top-anime:*'",
      "run --stream manga-catalog --confirm-vanish 5f0c1a2b", "run --stream anime-catalog --dry-run",
    ],
    streams: """
      The streams of jikan:
        top-anime      the default, with top-manga; also by type (top-anime:tv, …),
                       by filter (top-manga:publishing, …), or by both;
                       top-anime:* is the list, and each by a type or a filter
        anime-catalog  all anime, in the order of ids; only anime-catalog and
                       manga-catalog detect removed entries
        seasons        now and upcoming; or seasons:now, seasons:2024:spring, …;
                       of years: seasons:2024, seasons:2019..2021
        schedules      what is on air; or schedules:monday, …, :other, :unknown;
                       schedules:* is all of these
        genres         all lists of genres; or genres:anime, genres:manga:themes, …
      """,
    rankings: [
      "rankings anime --limit 5", "rankings manga --sort favorites", "rankings jikan --as-of 2026-11-01",
      "rankings movers anime --since 24h", "rankings history anime 5114",
    ])

  /// Words before a kind that ask for its ranking.
  private static let tops = [
    "top", "best", "popular", "most popular", "highest rated", "top rated", "rank", "good", "meilleurs", "mejores",
  ]

  /// The guesses for these words before nouns such as `movies`, also with a year.
  private static func tops(of nouns: String..., ranking command: String) -> [Guess] {
    tops.flatMap { word in
      let phrases = nouns.map { "\(word) \($0)" }
      return Guess.commands(phrases.map { "\($0) YEAR" }.joined(separator: "|"), "\(command) --year YEAR")
        + Guess.commands(phrases.joined(separator: "|"), command)
    }
  }

  private static let guesses: [Guess] =
    JikanKind.allCases.map(\.rawValue).flatMap { (kind: String) -> [Guess] in
      let top = ["top", "list", "ls", "rankings", "best", "popular", "ranking"].map { "\(kind) \($0) ." }
      return Guess.commands(top.joined(separator: "|"), "rankings \(kind)")
        + Guess.commands("\(kind) .", "rankings \(kind)", "\(kind) show WORDS")
        + tops(of: kind, "\(kind)s", ranking: "rankings \(kind)")
        + Guess.commands(
          ["get", "show", "list", "describe", "view", "print"].map { "\($0) \(kind)" }.joined(separator: "|"),
          "rankings \(kind)", "\(kind) show WORDS")
        + Guess.commands("\(kind) movers .|\(kind) trending .", "rankings movers \(kind)")
        + Guess.commands("\(kind) history .|\(kind) history ID", "rankings history \(kind) ID")
        + Guess.commands("\(kind) find|\(kind) query|\(kind) lookup", "\(kind) search WORDS")
        + Guess.commands("\(kind) get|\(kind) info|\(kind) view|\(kind) --id", "\(kind) show WORDS")
        + Guess.commands("\(kind) genres .|\(kind) genre .", "genres --kind \(kind)")
        + Guess.commands("\(kind) upcoming .", "rankings \(kind) --status upcoming")
        + Guess.commands("\(kind) YEAR .", "rankings \(kind) --year YEAR", "\(kind) show YEAR")
        + ["--sort", "--type", "--genre", "--studio", "--season", "--status"].flatMap {
          Guess.commands("\(kind) \($0)", "rankings \(kind) \($0) NAME")
        }
        + Guess.commands("\(kind) --year", "rankings \(kind) --year 2024")
        + Guess.commands("\(kind) --limit|\(kind) -n", "rankings \(kind) --limit 20")
    }
    + seasons
    + Guess.commands("rankings YEAR", "rankings jikan --year YEAR")
    + (JikanList.scheduleFilters.prefix(7)).flatMap { Guess.commands($0, "airing \($0)") }
    + Guess.commands("today|tonight|airing now|airing tonight", "airing today")
    + Guess.commands("calendar|broadcast|tv-guide|tomorrow|week|weekly", "airing", "seasons now")
    + Guess.commands("anime airing .", "airing")
    + Guess.commands("anime new .|anime now .|anime season .|anime seasons .", "seasons now")
    + Guess.commands("airing list|airing ls|airing show", "airing")
    + Guess.commands("genres list|genres ls|genres show", "genres")
    + Guess.commands("seasons list|seasons ls|seasons show", "seasons")
    + Guess.commands("genre", "genres", "rankings jikan --genre NAME")
    + Guess.commands("categories|category|tags|tag|themes|theme|demographics", "genres")
    + Guess.commands("studio|studios|producer|producers", "rankings jikan --studio NAME")
    + Guess.commands("movie|movies|film|films", "rankings anime --type movie")
    + tops(of: "movies", "movie", ranking: "rankings anime --type movie")
    + tops.flatMap { Guess.commands("\($0) films", "rankings anime --type movie") }
    + Guess.commands("アニメ|动漫|動畫|애니", "rankings anime")
    + Guess.commands("漫画|マンガ|만화", "rankings manga")
    + Guess.commands("YEAR .", "rankings anime --year YEAR", "seasons YEAR spring")
    + Guess.commands("this season|current season", "seasons now")
    + Guess.commands("next season", "seasons upcoming")
    + Guess.commands("tv|ova|ona", "rankings anime --type tv")
    + Guess.commands("novel|novels|lightnovel|lightnovels|ln", "rankings manga --type lightnovel")
    + Guess.commands("manhwa|manhua|webtoon|comics|comic", "rankings manga", "manga search WORDS")
    + Guess.commands("upcoming|soon|announced", "seasons upcoming", "rankings anime --status upcoming")
    + Guess.commands("watching|reading|completed|dropped", "favorites list --status watching")
    + Guess.commands("mal|myanimelist|anilist|jikan-user", "favorites import FILE", "run --source jikan")
    + Guess.advice(
      "character|characters|people|person|staff|voice-actors|seiyuu|reviews|review|episodes|episode",
      "the mirror has no characters, people, reviews or episodes; syncctl search WORDS looks for titles")
    + Guess.commands("rankings movers --kind", "rankings movers anime", "rankings movers manga")
    + Guess.commands("rankings history ID", "rankings history anime ID")

  private static let seasons = JikanSeason.Quarter.allCases.map(\.rawValue).flatMap { (quarter: String) -> [Guess] in
    let words = quarter == "fall" ? ["fall", "autumn"] : [quarter]
    return words.flatMap { word in
      Guess.commands("\(word) YEAR|anime \(word) YEAR|airing \(word) YEAR", "seasons YEAR \(quarter)")
        + Guess.commands("\(word)|airing \(word)", "seasons \(quarter)")
    }
  }

  private static let sample = SampleConfiguration(
    settings: """
      # The provider jikan is for an instance of your own, and needs its base_url.
      # provider: tenrai
      # base_url: https://api.tenrai.org/v1
      # Limits can be lower than these, the published ones; for an instance of your own, allow_above_published: true
      # permits higher ones.
      # rate_limits: [3/1s, 60/60s, 40000/1d]
      # allow_above_published: false
      """,
    jobs: """
      - { name: jikan-daily, source: jikan, streams: [top-anime, top-manga], schedule: "15 3 * * *" }
      # All anime and manga; detects removed entries. At the published limits it takes hours.
      - { name: jikan-catalogue, source: jikan, streams: [anime-catalog, manga-catalog], schedule: "45 4 * * sun" }
      """)

  /// Reads and checks the source's settings. Sends no request.
  /// - Throws: `SyncError` `.configuration` for an unknown provider, an invalid or missing base URL, or rate limits
  ///   that are not allowed.
  package init(_ settings: SourceSettings) throws(SyncError) {
    provider = try Self.provider(try settings.text("provider"))
    let configuredURL = try settings.text("base_url")
    guard let url = configuredURL ?? provider.value.defaultBaseURL.map({ Setting($0, .standard) }) else {
      throw SyncError(
        .configuration, "provider jikan needs the base URL of your instance (the public api.jikan.moe has ended)",
        hint: "set SYNCCTL_JIKAN_BASE_URL, e.g. http://localhost:8080/v4")
    }
    baseURL = Setting(
      try Origin.checked(url, settings.path("base_url"), example: "https://api.tenrai.org/v1"), url.origin)
    let published = provider.value.publishedLimits
    rateLimits = try settings.rateLimits(
      of: baseURL.value, standard: published, published: published, service: provider.value.rawValue,
      raisedBy: "allow_above_published")
    history = settings.history
  }

  /// Returns the configured provider, or Tenrai by default.
  private static func provider(_ setting: Setting<String>?) throws(SyncError) -> Setting<JikanProvider> {
    guard let setting else { return Setting(.tenrai, .standard) }
    guard let provider = JikanProvider(rawValue: setting.value) else {
      throw SyncError(
        .configuration, "\(setting.origin): there is no Jikan provider \(Excerpt.of(setting.value, scalars: 40))",
        hint: "known: \(JikanProvider.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return Setting(provider, setting.origin)
  }

  package var settings: [ShownSetting] {
    [
      ShownSetting("sources.jikan.provider", provider.value.rawValue, provider.origin),
      ShownSetting("sources.jikan.base_url", baseURL.value, baseURL.origin),
      ShownSetting("sources.jikan.rate_limits", rateLimits),
    ]
  }

  /// Returns the streams of a name. A name such as `seasons` or `seasons:2019..2021` has several streams.
  /// - Throws: `SyncError` `.usage` with a hint for an unknown name.
  package func streamNames(_ word: String) throws(SyncError) -> [String] {
    let lists = JikanList.named(word)
    guard !lists.isEmpty else {
      throw SyncError(
        .usage, "jikan has no stream \(Excerpt.of(word, scalars: 60))",
        hint: advice(for: word) ?? Suggestion.hint(for: word, among: suggestions(for: word)))
    }
    return lists.map(\.name)
  }

  /// Whether a stream, or a group of streams such as `seasons:2024`, has this name.
  package func knowsStream(_ word: String) -> Bool { !JikanList.named(word).isEmpty }

  /// Returns the names of streams and groups of streams. If the word has a year, the names of that year follow.
  package func suggestions(for word: String) -> [String] { JikanList.suggestions(for: word) }

  /// Returns a hint for years and asterisks that no list has. `nil` for other words.
  package func advice(for word: String) -> String? { JikanList.advice(for: word) }

  /// Returns the description of a single stream. `nil` for a group of streams and for an unknown name.
  package func description(of stream: String) -> StreamDescription? {
    JikanList.named(stream).first { $0.name == stream }.map { self.stream($0).description }
  }

  /// The names of the top lists of anime and manga.
  package var defaultStreams: [String]? { JikanList.defaults.map(\.name) }

  package var services: [Service] {
    [Service("jikan: \(provider.value.rawValue)", baseURL: baseURL.value, limits: rateLimits.value)]
  }

  /// Returns a request for page 1 of the top list of anime.
  package func probe() -> Probe {
    let (service, origin) = (provider.value.rawValue, baseURL.value)
    return Probe(of: stream(.top(JikanTopList(kind: .anime))), limits: rateLimits.value) { page in
      let claim = page.claim.total.map { "claims \(HumanFormat.count($0)) anime" } ?? "claims no total"
      return "\(service) at \(origin) answers, \(claim)"
    }
  }

  package var web: WebPart {
    let rankings = JikanKind.allCases.map(JikanRankingPage.init)
    let makers = JikanKind.allCases.flatMap { JikanMakerPages(kind: $0).pages }
    return WebPart(
      links: [
        WebLink(
          "Anime", to: rankings[0].path, covering: ["/anime", "/seasons", "/airing", "/genres", "/studios"]),
        WebLink("Manga", to: rankings[1].path, covering: ["/manga", "/authors"]),
      ],
      pages: rankings.map(\.page) + JikanKind.allCases.map { JikanEntryPage(kind: $0).page }
        + JikanSeasonPages().pages + [JikanAiringPage().page, JikanGenresPage().page] + makers,
      itemPath: { kind, id in JikanKind(rawValue: kind).map { $0.path(of: id) } }, news: JikanRankingPage.news
    ).showing(today: JikanToday.read)
  }

  /// Mirrors the selected lists one after another. The run's month decides which season `seasons:now` is expected to
  /// be.
  /// - Throws: `SyncError` or `CancellationError` if the source as a whole failed.
  package func mirror(_ selection: StreamSelection, _ run: inout SourceRun) async throws {
    let lists: [JikanList] =
      switch selection {
      case .all: JikanList.defaults
      case .named(let names): names.flatMap(JikanList.named)
      }
    let month = JikanSeason(year: run.month.year, month: run.month.month)
    let fetcher = run.fetcher(for: baseURL.value, limits: rateLimits.value)
    try await run.update(lists.map { stream($0, today: month) }, with: fetcher)
  }

  private func stream(_ list: JikanList, today: JikanSeason? = nil) -> JikanStream {
    JikanStream(
      list, provider: provider.value, baseURL: baseURL.value, topListPublishing: history.publishing, today: today)
  }

  /// Stores the configured retention of rank histories. `said` gets a sentence about a change.
  package func storeSettings(in database: Database, _ said: (String) -> Void) async throws {
    try await history.storeRetention(in: database, said)
  }
}
