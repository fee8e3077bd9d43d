import SyncCore
import SyncSources

/// How iTunes and Apple's charts are reached, how often they may be asked, and what they are asked for.
struct ITunesConfiguration: Sendable {
  let baseURL: Setting<String>
  let chartsBaseURL: Setting<String>
  /// Of each of the two hosts; empty for none, which only loopback may have.
  let rateLimits: Setting<[RateWindow]>
  let chartLimits: Setting<[RateWindow]>
  let searches: [ITunesSearch]
  let lookups: [ITunesLookup]
  /// A few of one storefront, where the file names nothing at all.
  let charts: Setting<[ITunesChart]>

  /// - Throws: `SyncError` `.configuration`.
  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    let standard = Setting(ITunes.defaultBaseURL, .standard)
    let url = choice.setting("SYNCCTL_ITUNES_BASE_URL", file?.itunes.baseURL) ?? standard
    baseURL = Setting(try Origin.checked(url, example: ITunes.defaultBaseURL), url.origin)
    // Who plays the one, or stands before it, does so for the other.
    let charts =
      choice.setting("SYNCCTL_ITUNES_CHARTS_BASE_URL", file?.itunes.chartsBaseURL)
      ?? (url.origin == .standard ? Setting(ITunes.defaultChartsBaseURL, .standard) : url)
    chartsBaseURL = Setting(try Origin.checked(charts, example: ITunes.defaultChartsBaseURL), charts.origin)
    let limits = choice.setting("SYNCCTL_ITUNES_RATE_LIMITS", file?.itunes.rateLimits?.joined(separator: ","))
    rateLimits = try Self.rules(ITunes.publishedLimits, baseURL.value).windows(limits)
    chartLimits = try Self.rules(ITunes.chartLimits, chartsBaseURL.value).windows(limits)
    searches = file?.itunes.searches ?? []
    lookups = file?.itunes.lookups ?? []
    if let file, let configured = file.itunes.charts {
      self.charts = Setting(configured, .file(file.path))
    } else {
      self.charts = Setting(searches.isEmpty && lookups.isEmpty ? try ITunesChart.defaults() : [], .standard)
    }
  }

  private static func rules(_ published: [RateWindow], _ baseURL: String) -> RateLimits {
    RateLimits(
      source: "itunes", standard: published, published: published, isLoopback: Origin.isLoopback(baseURL),
      mayExceed: false)
  }

  /// All that is configured, as streams in the order in which they are run.
  var streams: [ITunesStream] {
    charts.value.map { ITunesStream($0, baseURL: chartsBaseURL.value) }
      + searches.map { ITunesStream($0, baseURL: baseURL.value) }
      + lookups.map { ITunesStream($0, baseURL: baseURL.value) }
  }
}
