import SyncCore

/// How PokeAPI is reached, how often it may be asked, and how long its documents are good for.
struct PokeAPIConfiguration: Sendable {
  let baseURL: Setting<String>
  /// Empty for none, which only loopback may have.
  let rateLimits: Setting<[RateWindow]>
  /// Requests that are under way at the same time.
  let concurrency: Setting<Int>
  /// A younger document is not asked for again.
  let ttl: Setting<Duration>
  /// Entries of a list that are asked for at once.
  let pageSize: Setting<Int>

  private static let service = "https://pokeapi.co/api/v2"
  /// PokeAPI publishes no limit, and asks for fair use: five requests a second mirror all of it in an hour.
  private static let standardLimits = [RateWindow(requests: 5, interval: .seconds(1))]

  /// - Throws: `SyncError` `.configuration`.
  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    let url =
      choice.setting("SYNCCTL_POKEAPI_BASE_URL", file?.pokeapi.baseURL)
      ?? Setting(Self.service, .standard)
    baseURL = Setting(try Origin.checked(url, example: Self.service), url.origin)
    let limits = RateLimits(
      source: "pokeapi", standard: Self.standardLimits, published: [], isLoopback: Origin.isLoopback(baseURL.value),
      mayExceed: false)
    rateLimits = try limits.windows(
      choice.setting("SYNCCTL_POKEAPI_RATE_LIMITS", file?.pokeapi.rateLimits?.joined(separator: ",")))
    concurrency = try choice.setting("SYNCCTL_POKEAPI_CONCURRENCY", file?.pokeapi.concurrency)
      .number("sources.pokeapi.concurrency", standard: Limits.concurrency, 1...Limits.mostConcurrency)
    // Readings of walks tell how old a document is, and they are kept for so long.
    ttl = try choice.setting("SYNCCTL_POKEAPI_TTL", file?.pokeapi.ttl)
      .duration("sources.pokeapi.ttl", standard: Limits.documentTTL, .seconds(1)...Limits.walkRetention)
    pageSize = try choice.setting("SYNCCTL_POKEAPI_PAGE_SIZE", file?.pokeapi.pageSize)
      .number("sources.pokeapi.page_size", standard: Limits.itemsPerPage, 1...Limits.itemsPerPage)
  }
}
