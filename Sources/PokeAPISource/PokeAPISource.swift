package import SyncCore
import SyncPostgres
package import SyncProgram
package import SyncWeb

/// The source `pokeapi`: the documents of a PokeAPI service. Each endpoint of its index is a stream.
package struct PokeAPISource: CompiledSource {
  let baseURL: Setting<String>
  let rateLimits: Setting<[RateWindow]>
  let concurrency: Setting<Int>
  let ttl: Setting<Duration>
  let pageSize: Setting<Int>

  /// PokeAPI publishes no limit. Five requests a second mirror everything in an hour.
  private static let standardLimits = [RateWindow(requests: 5, interval: .seconds(1))]

  package static let definition: SourceDefinition = {
    var definition = SourceDefinition(
      .pokeapi, help: help, favorites: PokeAPIFavorites(), source: PokeAPISource.init,
      mappings: { try await PostgresIndexStore($0).streams(of: .pokeapi).map { PokeAPIMapping($0) } })
    definition.sample = sample
    definition.guesses = guesses
    definition.keys = ["base_url", "rate_limits", "concurrency", "ttl", "page_size"]
    definition.headers = ["x-pokeapi-hash"]
    definition.commands = [PokedexCommand.self]
    definition.rankings = [RankingsPokeAPICommand.self]
    return definition
  }()

  private static let help = SourceHelp(
    content: "Pokémon, moves, items and more",
    runs: ["run --source pokeapi", "run --source pokeapi --stream pokemon --stream type --full"],
    streams: """
      The streams of pokeapi are the endpoints in its index (pokemon, \
      pokemon-species, move, item, type, …) and pokemon-encounters (default: all). \
      If the service still has the mirrored build, only the index is fetched; \
      documents younger than the time to live (sources.pokeapi.ttl, 20h) are not \
      fetched again. --full fetches everything.
      """, rankings: ["rankings pokeapi --sort speed"])
  private static let guesses: [Guess] =
    Guess.commands(
      "poke|dex|pokémon|pokédex|pokemons|species|宝可梦|寶可夢|ポケモン|포켓몬", "pokedex list", "pokedex show NAME")
    + Guess.commands("strongest|strongest pokemon|best pokemon|top pokemon|strongest pokémon", "rankings pokeapi")
    + Guess.commands("fastest|fastest pokemon", "rankings pokeapi --sort speed")
    + Guess.commands(
      "find pokemon|get pokemon|show pokemon|search-pokemon|look pokemon|which pokemon", "pokedex show NAME")
    + Guess.commands("NUMBER .", "pokedex show NUMBER", "anime show NUMBER")
    + Guess.commands("types", "report type-chart", "pokedex type NAME")
    + Guess.commands("pokedex types .|pokedex chart .", "report type-chart")
    + Guess.commands("pokedex types", "pokedex type NAME")
    + Guess.commands("moves|attack .|attacks|tm|tms", "pokedex move NAME")
    + Guess.commands("items|berry|berries|ball|balls", "pokedex item NAME")
    + Guess.commands("abilities", "pokedex ability NAME")
    + Guess.commands("evolve|evolves|evolutions|evo", "pokedex evolution NAME")
    + Guess.commands(
      "weak|weakness|weaknesses|counter|counters|effective|strong|matchups|pokedex weak|pokedex weakness|"
        + "pokedex weaknesses|pokedex counters",
      "pokedex matchup NAME")
    + Guess.commands(
      "vs|versus|battle|fight|team|pokedex vs|pokedex versus", "pokedex matchup NAME",
      "pokedex matchup --attacking NAME")
    + Guess.commands(
      "pokedex search|pokedex find|pokedex get|pokedex info|pokedex view", "pokedex show NAME", "search NAME")
    + Guess.commands("pokedex top|pokedex rankings|pokedex best|rankings pokemon|rankings pokedex", "rankings pokeapi")
    + Guess.commands("legendary|legendaries|pokedex legendary", "pokedex list --legendary")
    + Guess.commands("mythical|mythicals", "pokedex list --mythical")
    + Guess.commands("generation|gen|gens|generations|kanto|johto", "pokedex list --generation 1")
    + Guess.commands("catch|caught|own|party", "favorites add pokeapi pokemon NAME --collection owned")
    + Guess.commands(
      "nature|natures|location|locations|region|regions|egg|eggs|breeding|shiny|shinies|sprite|sprites",
      "db psql", "report", "pokedex show NAME")
    + Pokedex.Order.values.map(\.rawValue).flatMap {
      Guess.commands("\($0) .|stats \($0)|rankings \($0)", "rankings pokeapi --sort \($0)")
    }
    + PokedexType.gameOrder.flatMap { Guess.commands("\($0)", "pokedex type \($0)", "pokedex list --type \($0)") }

  private static let sample = SampleConfiguration(
    settings: """
      # PokeAPI publishes no limit and expects fair use.
      # base_url: https://pokeapi.co/api/v2
      # rate_limits: [5/1s]
      # concurrency: 4
      # A younger document is not fetched again.
      # ttl: 20h
      # page_size: 10000
      """,
    jobs: """
      # One request, if its data is mirrored already.
      - { name: pokeapi-daily, source: pokeapi, schedule: "30 2 * * *" }
      """)

  /// Reads and checks the source's settings. Sends no request.
  /// - Throws: `SyncError` `.configuration` for an invalid setting.
  package init(_ settings: SourceSettings) throws(SyncError) {
    baseURL = try settings.baseURL(standard: "https://pokeapi.co/api/v2")
    rateLimits = try settings.rateLimits(of: baseURL.value, standard: Self.standardLimits)
    concurrency = try settings.number("concurrency", standard: Limits.concurrency, 1...Limits.mostConcurrency)
    // The TTL must not exceed the retention of walks, because a document's age is stored in a walk's readings.
    ttl = try settings.duration("ttl", standard: Limits.documentTTL, .seconds(1)...Limits.walkRetention)
    pageSize = try settings.number("page_size", standard: Limits.itemsPerPage, 1...Limits.itemsPerPage)
  }

  package var settings: [ShownSetting] {
    [
      ShownSetting("sources.pokeapi.base_url", baseURL.value, baseURL.origin),
      ShownSetting("sources.pokeapi.rate_limits", rateLimits),
      ShownSetting("sources.pokeapi.concurrency", "\(concurrency.value)", concurrency.origin),
      ShownSetting("sources.pokeapi.ttl", ttl),
      ShownSetting("sources.pokeapi.page_size", "\(pageSize.value)", pageSize.origin),
    ]
  }

  /// Returns the word if it has the form of an endpoint's name. Only a run knows from the index whether the stream
  /// exists.
  /// - Throws: `SyncError` `.usage` for any other word.
  package func streamNames(_ word: String) throws(SyncError) -> [String] {
    guard PokeAPI.isStreamName(word) else {
      throw SyncError(
        .usage, "pokeapi has no stream \(Excerpt.of(word, scalars: 60))",
        hint: "streams are named as its endpoints: pokemon, type, move, …")
    }
    return [word]
  }

  /// Whether the word is an endpoint that the program knows without the index.
  package func knowsStream(_ word: String) -> Bool { PokeAPI.endpoints.contains(word) }

  /// Returns the endpoints that the program knows without the index, whatever the word is.
  package func suggestions(for word: String) -> [String] { PokeAPI.endpoints }

  /// Returns the description of a stream, without a build (the version of the service's data). `nil` if the name does
  /// not have the form of an endpoint's name; other unknown names have a description, too.
  package func description(of stream: String) -> StreamDescription? {
    guard PokeAPI.isStreamName(stream) else { return nil }
    return self.stream(stream, build: nil).description
  }

  /// `nil`, because only the service's index has the names of all streams.
  package var defaultStreams: [String]? { nil }

  package var services: [Service] { [Service("pokeapi:", baseURL: baseURL.value, limits: rateLimits.value)] }

  /// Returns a request for the index.
  package func probe() -> Probe {
    let index = PokeAPI(baseURL: baseURL.value)
    return Probe(index.indexRequest, limits: rateLimits.value) { response, request in
      "pokeapi at \(index.origin) answers, \(try index.streams(response, to: request).count) streams"
    }
  }

  package var web: WebPart {
    WebPart(
      links: [WebLink("Pokédex", to: "/pokedex", covering: ["/pokedex"]), WebLink("Types", to: "/pokedex/types")],
      pages: [PokedexListPage.page, PokedexEntryPage.page, PokedexTypesPage.page],
      itemPath: { kind, id in kind == "pokemon" ? "/pokedex/\(id)" : nil })
  }

  /// Requests the service's build (the version of its data) and if necessary its index, then mirrors the selected
  /// streams. A stream that was mirrored from this build is left out, unless the run is full or confirmed.
  /// - Throws: `SyncError` `.usage` if the index lacks a selected stream, or the error of the source as a whole.
  package func mirror(_ selection: StreamSelection, _ run: inout SourceRun) async throws {
    let fetcher = run.fetcher(for: baseURL.value, limits: rateLimits.value)
    let changed = try await run.changed(selection, of: PokeAPI(baseURL: baseURL.value), at: services, with: fetcher)
    let streams = changed.streams.map { stream($0, build: changed.build) }
    try await run.update(streams, with: fetcher, concurrency: concurrency.value)
  }

  private func stream(_ name: String, build: String?) -> PokeAPIStream {
    PokeAPIStream(name, baseURL: baseURL.value, pageSize: pageSize.value, ttl: ttl.value, build: build)
  }
}
