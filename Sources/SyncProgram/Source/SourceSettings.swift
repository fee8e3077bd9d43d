package import SyncCore
package import Yams

/// A source's settings below `sources.<name>` in the file. Variables `SYNCCTL_<NAME>_<KEY>` override the file.
package struct SourceSettings {
  package let definition: SourceDefinition
  package let history: HistoryConfiguration
  package let file: ConfigurationFile?
  private let nodes: [String: Node]
  package let environment: [String: String]
  /// Whether a variable of the environment sets a setting of the source.
  let hasVariable: Bool

  init(
    _ source: SourceDefinition, _ history: HistoryConfiguration, _ file: ConfigurationFile?,
    _ environment: [String: String]
  ) throws(SyncError) {
    definition = source
    self.history = history
    self.file = file
    self.environment = environment
    var nodes: [String: Node] = [:]
    if let file, let node = file.sources[source.id.rawValue] {
      if let keys = source.keys {
        for (key, value) in try file.members(node, at: "sources.\(source.id)", keys: keys) { nodes[key] = value }
      } else {
        for key in Self.declaredKeys { nodes[key] = node.mapping?[key] }
      }
    }
    self.nodes = nodes
    hasVariable = Self.keys(of: source).contains { key in
      environment[Self.variable(of: source.id, key)]?.isEmpty == false
    }
  }

  package var source: SourceID { definition.id }

  static func keys(of source: SourceDefinition) -> [String] { source.keys ?? declaredKeys }

  /// The settings of a declared source that the environment can override.
  private static let declaredKeys = ["base_url", "rate_limits", secretsKey]
  /// The key of a declared source for requests without secrets, which only the environment can set.
  package static let secretsKey = "secrets"

  /// Creates the settings of a source that no configuration file names, from the environment and the defaults.
  /// - Throws: `SyncError` `.configuration` if a setting of the history is invalid.
  package init(alone source: SourceDefinition, _ environment: [String: String]) throws(SyncError) {
    try self.init(source, HistoryConfiguration(nil, environment), nil, environment)
  }

  /// Returns the setting's text and origin; `nil` if neither the environment nor the file sets the key.
  ///
  /// An empty variable counts as absent. The file's value is checked even if a variable overrides it.
  ///
  /// - Throws: `SyncError` `.configuration` if the file's value is not a scalar, or is empty.
  package func text(_ key: String) throws(SyncError) -> Setting<String>? {
    var value: String?
    if let file, let node = nodes[key] { value = try file.text(node, at: path(key)) }
    return setting(key, value)
  }

  private func setting(_ key: String, _ value: String?) -> Setting<String>? {
    SettingChoice(file: file, environment: environment).setting(Self.variable(of: source, key), value)
  }

  /// Hyphens become underscores, because shells cannot export a variable with a hyphen in its name.
  static func variable(of source: SourceID, _ key: String) -> String {
    "SYNCCTL_\(source)_\(key)".uppercased().replacing("-", with: "_")
  }

  /// Returns the file's value for the key (default: false). Variables of the environment cannot set a flag.
  ///
  /// - Throws: `SyncError` `.configuration` if the value is not a Boolean.
  package func flag(_ key: String) throws(SyncError) -> Bool {
    guard let file, let node = nodes[key] else { return false }
    guard let value = node.bool else { throw file.fault(path(key), "must be true or false") }
    return value
  }

  /// Returns the URL for the key, or `standard` if the key is not set, without slashes at its end.
  /// - Throws: `SyncError` `.configuration` unless the URL is HTTP(S) with a host and without credentials and query.
  package func baseURL(_ key: String = "base_url", standard: String) throws(SyncError) -> Setting<String> {
    let setting = try text(key) ?? Setting(standard, .standard)
    return Setting(try Origin.checked(setting, path(key), example: standard), setting.origin)
  }

  /// Returns the number for the key, or `standard` if the key is not set.
  ///
  /// - Throws: `SyncError` `.configuration` if the text is not a whole number in `range`.
  package func number(_ key: String, standard: Int, _ range: ClosedRange<Int>) throws(SyncError) -> Setting<Int> {
    try text(key).number(path(key), standard: standard, range)
  }

  /// Returns the time for the key, such as `90s` or `6h`, or `standard` if the key is not set.
  ///
  /// - Throws: `SyncError` `.configuration` if the text is not a time in `range`.
  package func duration(
    _ key: String, standard: Duration, _ range: ClosedRange<Duration>
  ) throws(SyncError) -> Setting<Duration> {
    try text(key).duration(path(key), standard: standard, range)
  }

  /// Returns the limits of the key `rate_limits` and the published limits. Without the key, returns `standard`, or no
  /// limit for a loopback address.
  /// - Parameters:
  ///   - baseURL: The URL of the service. Only a loopback address can have no limit.
  ///   - standard: The limits without the key.
  ///   - published: The service's published limits. A loopback address or the key `raised` disables these limits.
  ///   - service: The service's name in errors (default: the source's name).
  ///   - raised: The key that disables `published`, for a user's own instance of the service.
  ///   - declared: The limits of a declaration, as a text. The key overrides them.
  /// - Throws: `SyncError` `.configuration` for an invalid limit, or a limit above the published one.
  package func rateLimits(
    of baseURL: String, standard: [RateWindow], published: [RateWindow] = [], service: String? = nil,
    raisedBy raised: String? = nil, declared: String? = nil
  ) throws(SyncError) -> Setting<[RateWindow]> {
    let key = path("rate_limits")
    let isLoopback = Origin.isLoopback(baseURL)
    let mayExceed = try raised.map { (name) throws(SyncError) in try flag(name) } ?? false

    var value = declared
    if let file, let node = nodes["rate_limits"] { value = try file.joined(node, at: key) }
    guard let setting = setting("rate_limits", value) else { return Setting(isLoopback ? [] : standard, .standard) }

    func refusal(_ problem: String, hint: String) -> SyncError {
      SyncError(.configuration, "\(setting.origin): \(key): \(problem)", hint: hint)
    }

    if setting.value == "none" {
      guard isLoopback else {
        throw refusal("only services on this machine can have no limit", hint: "give limits such as 3/1s,60/60s")
      }
      return Setting([], setting.origin)
    }

    var windows: [RateWindow] = []
    for text in setting.value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let window = RateWindow(text) else {
        throw refusal(
          "\(Excerpt.of(String(text), scalars: 40)) is not a rate limit",
          hint: "write them as REQUESTS/TIME, e.g. 3/1s,60/60s,40000/1d")
      }
      windows.append(window)
    }

    if isLoopback || mayExceed { return Setting(windows, setting.origin) }

    for window in windows {
      if let ceiling = published.first(where: { $0.interval == window.interval && $0.requests < window.requests }) {
        throw refusal(
          "\(window) is above the published \(ceiling) of \(service ?? source.rawValue)",
          hint: "lower it" + (raised.map { ", or set \(path($0)): true for an instance of your own" } ?? ""))
      }
    }
    // The published limits still apply, because the configured limits can omit one of the published windows.
    return Setting(windows + published, setting.origin)
  }

  /// Returns the key's path in the configuration file, for error messages.
  package func path(_ key: String) -> String { "sources.\(source).\(key)" }

  package var fileOrigin: SettingOrigin { file.map { .file($0.path) } ?? .standard }

  /// Returns the file's YAML for the key; `nil` if the file does not set the key. Ignores variables.
  package func node(_ key: String) -> Node? { nodes[key] }
}
