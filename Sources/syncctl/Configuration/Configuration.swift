import Foundation
import LibPQ
import SyncCore
import SyncPostgres
import SyncSources

/// Everything that is configured, each value with its origin.
struct Configuration: Sendable {
  enum Database: Sendable, Equatable {
    case url(String)
    /// libpq's own variables, service file and defaults.
    case libpq
    /// The machine's own PostgreSQL with its data in this folder.
    case embedded(dataDirectory: String)
  }

  let file: Setting<String>?
  let database: Setting<Database>
  let runs: RunsConfiguration
  let history: HistoryConfiguration
  let jikan: JikanConfiguration

  /// - Throws: `SyncError` `.configuration`.
  static func load(configFlag: String?, environment: [String: String]) throws(SyncError) -> Configuration {
    let located = ConfigurationFile.locate(flag: configFlag, environment: environment)
    let file: ConfigurationFile?
    if let located {
      file = try ConfigurationFile(path: located.value)
    } else {
      file = nil
    }
    return Configuration(
      file: located, database: database(file, environment), runs: try RunsConfiguration(file, environment),
      history: try HistoryConfiguration(file, environment), jikan: try JikanConfiguration(file, environment))
  }

  private static func database(_ file: ConfigurationFile?, _ environment: [String: String]) -> Setting<Database> {
    for name in ["SYNCCTL_DATABASE_URL", "DATABASE_URL"] {
      if let url = environment[name], !url.isEmpty { return Setting(.url(url), .environment(name)) }
    }
    // The environment beats the file, libpq's variables included.
    for name in ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE", "PGPORT", "PGUSER"] {
      if let value = environment[name], !value.isEmpty { return Setting(.libpq, .environment(name)) }
    }
    if let file, let url = file.databaseURL {
      return Setting(.url(url), .file(file.path))
    }
    let folder = EmbeddedCluster.defaultDataDirectory(environment: environment)
    let origin = environment["SYNCCTL_DATA_DIR"].map { _ in SettingOrigin.environment("SYNCCTL_DATA_DIR") }
    return Setting(.embedded(dataDirectory: folder), origin ?? .standard)
  }
}

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
    let fileLimits = file?.jikan.rateLimits?.joined(separator: ",")
    rateLimits = try Self.limits(
      choice.setting("SYNCCTL_JIKAN_RATE_LIMITS", fileLimits), provider: provider.value,
      isLoopback: Origin.isLoopback(baseURL.value), mayExceed: file?.jikan.allowsAbovePublished ?? false)
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
    return Setting(try Origin.checked(setting), setting.origin)
  }

  private static func limits(
    _ setting: Setting<String>?, provider: JikanProvider, isLoopback: Bool, mayExceed: Bool
  ) throws(SyncError) -> Setting<[RateWindow]> {
    let published = provider.publishedLimits
    guard let setting else { return Setting(isLoopback ? [] : published, .standard) }
    if setting.value == "none" {
      guard isLoopback else {
        throw SyncError(
          .configuration, "\(setting.origin): no limit at all is only for services on this machine",
          hint: "give limits such as 3/1s,60/60s")
      }
      return Setting([], setting.origin)
    }
    var windows: [RateWindow] = []
    for text in setting.value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let window = RateWindow(text) else {
        throw SyncError(
          .configuration, "\(setting.origin): \(Excerpt.of(String(text), scalars: 40)) is not a rate limit",
          hint: "write them as REQUESTS/TIME, e.g. 3/1s,60/60s,40000/1d")
      }
      windows.append(window)
    }
    if isLoopback || mayExceed { return Setting(windows, setting.origin) }
    for window in windows {
      if let ceiling = published.first(where: { $0.interval == window.interval && $0.requests < window.requests }) {
        throw SyncError(
          .configuration, "\(setting.origin): \(window) is above the published \(ceiling) of \(provider.rawValue)",
          hint: "lower it, or set sources.jikan.allow_above_published: true for an instance of your own")
      }
    }
    // Lower limits add to the published ones, they do not replace them: 60/60s alone would allow 60 at once.
    return Setting(windows + published, setting.origin)
  }
}

/// Base URLs.
enum Origin {
  /// - Returns: the URL without slashes at the end.
  /// - Throws: `SyncError` for anything but http(s) with a host and without credentials or query.
  static func checked(_ setting: Setting<String>) throws(SyncError) -> String {
    let text = String(setting.value.reversed().drop { $0 == "/" }.reversed())
    // The text itself is never repeated: it may hold a password.
    guard let url = URLComponents(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme),
      let host = url.host, !host.isEmpty, url.query == nil, url.fragment == nil
    else {
      throw SyncError(
        .configuration, "\(setting.origin): that is not a base URL",
        hint: "give one such as https://api.tenrai.org/v1")
    }
    guard url.user == nil, url.password == nil else {
      throw SyncError(
        .configuration, "\(setting.origin): a base URL must not hold a user or a password", hint: "remove them")
    }
    return text
  }

  /// Scheme, host and port: whose rate limits they are.
  static func server(of baseURL: String) -> String {
    guard var url = URLComponents(string: baseURL) else { return baseURL }
    url.path = ""
    return url.string?.lowercased() ?? baseURL
  }

  static func isLoopback(_ baseURL: String) -> Bool {
    guard let host = URLComponents(string: baseURL)?.host else { return false }
    return host == "localhost" || host == "[::1]" || host == "::1"
      || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
  }
}
