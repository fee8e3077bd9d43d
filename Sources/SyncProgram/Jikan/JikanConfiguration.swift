import SyncCore
import SyncSources

/// How Jikan is reached, and how often it may be asked.
struct JikanConfiguration: Sendable {
  let provider: Setting<JikanProvider>
  let baseURL: Setting<String>
  /// Empty for none, which only loopback may have.
  let rateLimits: Setting<[RateWindow]>

  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    provider = try Self.provider(choice.setting("SYNCCTL_JIKAN_PROVIDER", file?.jikan.provider))
    baseURL = try Self.baseURL(choice.setting("SYNCCTL_JIKAN_BASE_URL", file?.jikan.baseURL), provider.value)
    let published = provider.value.publishedLimits
    let limits = RateLimits(
      source: provider.value.rawValue, standard: published, published: published,
      isLoopback: Origin.isLoopback(baseURL.value), mayExceed: file?.jikan.allowsAbovePublished ?? false)
    rateLimits = try limits.windows(
      choice.setting("SYNCCTL_JIKAN_RATE_LIMITS", file?.jikan.rateLimits?.joined(separator: ",")))
  }

  private static func provider(_ setting: Setting<String>?) throws(SyncError) -> Setting<JikanProvider> {
    guard let setting else { return Setting(.tenrai, .standard) }
    guard let provider = JikanProvider(rawValue: setting.value) else {
      throw SyncError(
        .configuration, "\(setting.origin): there is no Jikan provider \(Excerpt.of(setting.value, scalars: 40))",
        hint: "known: \(JikanProvider.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return Setting(provider, setting.origin)
  }

  private static func baseURL(
    _ setting: Setting<String>?, _ provider: JikanProvider
  ) throws(SyncError) -> Setting<String> {
    guard let setting = setting ?? provider.defaultBaseURL.map({ Setting($0, .standard) }) else {
      throw SyncError(
        .configuration, "provider jikan needs the base URL of your instance (the public api.jikan.moe has ended)",
        hint: "set SYNCCTL_JIKAN_BASE_URL, e.g. http://localhost:8080/v4")
    }
    return Setting(try Origin.checked(setting, example: "https://api.tenrai.org/v1"), setting.origin)
  }
}
