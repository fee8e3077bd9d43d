package import ArgumentParser
package import SyncCore
package import SyncEngine
package import SyncPostgres
package import SyncWeb
package import Yams

/// A service that is mirrored, with its settings. `docs/adding-a-source.md` shows how to add a source.
package protocol Source: Sendable {
  var definition: SourceDefinition { get }

  var settings: [ShownSetting] { get }

  /// Returns the streams that a word of the user means: usually the stream with this name, or several for the name of a
  /// group. Never empty.
  /// - Throws: `SyncError` `.usage` for an unknown word. The hint suggests the nearest name.
  func streamNames(_ word: String) throws(SyncError) -> [String]
  /// Whether the word is a name of streams of this source. It is asked if the user gives no `--source`.
  func knowsStream(_ word: String) -> Bool
  /// Returns the names that errors and shell completion can suggest for a word.
  func suggestions(for word: String) -> [String]
  /// Returns the source's hint for an unknown word; `nil` for the default hint, which suggests similar names.
  func advice(for word: String) -> String?
  /// The streams of a run for which the user names no stream; `nil` if only the service knows the streams' names.
  var defaultStreams: [String]? { get }
  /// The description of a stream; `nil` if the source has no such stream.
  func description(of stream: String) -> StreamDescription?
  /// Whether later runs update the stream. A search that a user ran once is not updated.
  func keepsStream(_ name: String) -> Bool

  /// Whether an empty list is worth a warning.
  func expectsItems(_ stream: String) -> Bool

  var services: [Service] { get }
  /// Returns the request with which `doctor` checks the service. Sends nothing.
  func probe() throws(SyncError) -> Probe
  /// Passes the selected streams to `SourceRun.update`. `Runner.runSource` calls it once in a run.
  /// - Throws: `SyncError` if the source as a whole failed. `run` collects the errors of single streams.
  func mirror(_ selection: StreamSelection, _ run: inout SourceRun) async throws

  /// Stores settings that the database applies, such as a retention time. Called after migrations, before a run and by
  /// `syncctl migrate`.
  /// - Parameter said: Gets a sentence for the user about each setting that was changed or cannot be changed.
  func storeSettings(in database: Database, _ said: (String) -> Void) async throws

  /// The pages of `syncctl web` that show the source's data.
  var web: WebPart { get }

  /// Returns the mirrored items whose titles match, with one group for each kind of items. Groups without a hit are
  /// omitted, so a mirror without data of the source has none.
  /// - Throws: `SyncError` if a query failed. The search of the other sources goes on.
  func search(_ request: SearchRequest, in database: Database) async throws -> [SearchGroup]
}

extension Source {
  /// Stores nothing, for sources without settings that the database applies.
  package func storeSettings(in database: Database, _ said: (String) -> Void) async throws {}
  package var web: WebPart { WebPart() }
  /// Returns no groups, for sources whose items have no titles.
  package func search(_ request: SearchRequest, in database: Database) async throws -> [SearchGroup] { [] }
  /// Returns `nil`, so that errors suggest similar names.
  package func advice(for word: String) -> String? { nil }
  /// Returns `true`, for sources whose runs update all streams.
  package func keepsStream(_ name: String) -> Bool { true }
  /// Returns `true`, so that a run warns about an empty list.
  package func expectsItems(_ stream: String) -> Bool { true }

  package var id: SourceID { definition.id }
  package var name: String { definition.name }
}

/// A source that is a Swift type. Declared sources are values instead.
package protocol CompiledSource: Source {
  static var definition: SourceDefinition { get }
}

extension CompiledSource {
  package static var name: String { definition.name }
  package var definition: SourceDefinition { Self.definition }
}

/// What the program must know of a source before it reads the source's settings.
package struct SourceDefinition: Sendable {
  /// The name in `--source`, the configuration and stream ids.
  package let id: SourceID
  /// The texts for the help of commands.
  package var help: SourceHelp
  /// `nil` for a source that the configuration file declares.
  package var sample: SampleConfiguration?
  /// The keys of the source's settings; `nil` if the source checks its keys itself.
  package var keys: [String]?
  /// The kinds of items that a user can mark as favorites.
  package var favorites: any FavoriteKinds
  /// Top-level commands of the source, such as `pokedex`.
  package var commands: [any ParsableCommand.Type] = []
  /// Subcommands of `rankings`. The first command of all sources is the default.
  package var rankings: [any ParsableCommand.Type] = []
  /// Subcommands of `rankings movers`.
  package var movers: [any ParsableCommand.Type] = []
  /// Subcommands of `rankings history`, which take an entry's id.
  package var listHistories: [any ParsableCommand.Type] = []
  /// Command lines that users are likely to try, with their meanings.
  package var guesses: [Guess] = []
  /// Whether `run --refresh` can fetch again what the mirror has of the source.
  package var canRefresh = false
  /// Tables that the role `syncctl_reader` is not allowed to read.
  package var personalTables: [String] = []
  /// Lowercase names of response headers that only this source reads.
  package var headers: Set<String> = []
  /// The paths of the members that have the address of the next page, from the root of an answer. Servers of recordings
  /// change these addresses. Empty if requests never follow links.
  package var nextLinks: [[String]] = []
  /// The tables of a declared source, which `syncctl migrate` creates.
  package var tables: [DeclaredTable] = []
  /// Reads a file that the service has exported, such as a user's list, for `favorites import`.
  ///
  /// The first argument is the whole text of the file, which begins with `<`, as XML does. The second argument is the
  /// collection that the favorites are imported into; `nil` means the source's default collection. Returns `nil` if the
  /// service has no export. Throws `SyncError` `.usage` if the text is not an export of the service.
  package var exported: @Sendable (String, String?) throws(SyncError) -> FavoritesFile.Contents? = { _, _ in nil }
  /// Creates the source from its settings. Sends no request. Throws `SyncError` if a setting is invalid.
  package let source: @Sendable (SourceSettings) throws(SyncError) -> any Source
  /// Returns the mappings of all documents that the mirror can have of the source. Reads from the database which
  /// streams or tables exist, unless the mappings are always the same.
  package let mappings: @Sendable (Database) async throws -> [any DocumentMapping]

  package var name: String { id.rawValue }

  /// Creates a definition without commands, statements and settings of its own. Set the other properties afterwards.
  /// `source` and `mappings` are the properties of these names.
  package init(
    _ id: SourceID, help: SourceHelp, favorites: any FavoriteKinds,
    source: @escaping @Sendable (SourceSettings) throws(SyncError) -> any Source,
    mappings: @escaping @Sendable (Database) async throws -> [any DocumentMapping]
  ) {
    self.id = id
    self.help = help
    self.favorites = favorites
    self.source = source
    self.mappings = mappings
  }
}

/// A way to declare sources in the configuration file: `sources: { NAME: { type: TYPE, … } }`.
package protocol SourceKind: Sendable {
  /// The word for this kind in a declaration's `type`.
  static var type: String { get }
  /// Top-level commands for sources of this kind.
  static var commands: [any ParsableCommand.Type] { get }

  /// Returns the definition of the source that a node below `sources` of the file declares.
  /// - Throws: `SyncError` `.configuration` that names the line.
  static func definition(_ id: SourceID, _ node: Node, in file: ConfigurationFile) throws(SyncError) -> SourceDefinition
}

/// A source's texts for the help of commands.
package struct SourceHelp: Sendable {
  let content: String
  let runs: [String]
  /// Each paragraph is a single line. Lists are at most 76 columns wide.
  let streams: String
  let rankings: [String]

  /// - Parameters:
  ///   - content: A noun phrase for the mirrored items, as in "mirror the top anime and manga".
  ///   - runs: The arguments of example commands, without `syncctl`.
  ///   - streams: The text about the source's streams. Each paragraph is a single line.
  ///   - rankings: The arguments of examples for `rankings`, without `syncctl`.
  package init(content: String, runs: [String], streams: String, rankings: [String] = []) {
    self.content = content
    self.runs = runs
    self.streams = streams
    self.rankings = rankings
  }
}

/// A setting of a source as the user sees it, with its origin.
package struct ShownSetting: Sendable {
  let name: String
  let value: String
  let origin: SettingOrigin
  /// The value that a variable of the environment can set, which recordings store; `nil` if it is only displayed.
  let text: String?

  /// Creates a setting from its text.
  /// - Parameters:
  ///   - name: The path in the configuration file, such as `sources.NAME.base_url`. A recording uses its last part as
  ///     the key.
  ///   - value: The value's text for the user.
  ///   - origin: The place that sets the value.
  ///   - isText: Whether a recording stores the value's text. The configuration file must accept this text.
  package init(_ name: String, _ value: String, _ origin: SettingOrigin, isText: Bool = true) {
    self.name = name
    self.value = value
    self.origin = origin
    text = isText ? value : nil
  }

  /// Shows rate limits, such as `3/1s,60/60s`. An empty array is shown as `none (loopback)`, because only a loopback
  /// address can have no limits. A recording does not store this text. As in all of these initializers, `name` is the
  /// path in the configuration file, such as `sources.NAME.rate_limits`.
  package init(_ name: String, _ limits: Setting<[RateWindow]>) {
    let text = limits.value.map(\.description).joined(separator: ",")
    self.init(name, text.isEmpty ? "none (loopback)" : text, limits.origin, isText: false)
  }

  /// Shows a retention time, such as `90d`. `nil` is shown as `forever`.
  package init(_ name: String, keptFor time: Setting<Duration?>) {
    self.init(name, time.value?.configured ?? "forever", time.origin)
  }

  /// Shows a duration in the configuration's format, such as `6h`.
  package init(_ name: String, _ time: Setting<Duration>) { self.init(name, time.value.configured, time.origin) }

  /// Shows a list of names, or `none`. A recording does not store this text.
  package init(_ name: String, names: [String], _ origin: SettingOrigin) {
    self.init(name, names.isEmpty ? "none" : names.joined(separator: ", "), origin, isText: false)
  }
}

/// A server that a source sends requests to, with the rate limits that these requests obey.
package struct Service: Sendable {
  let name: String
  let baseURL: String
  /// Empty if the service has no limit.
  let limits: [RateWindow]
  let remark: String?
  var origin: String { Origin.server(of: baseURL) }

  /// - Parameters:
  ///   - name: The service's name in the line "NAME at URL", which a run prints.
  ///   - limits: Empty if the service has no limit.
  ///   - remark: A text in parentheses after the limits.
  package init(_ name: String, baseURL: String, limits: [RateWindow], remark: String? = nil) {
    self.remark = remark
    self.name = name
    self.baseURL = baseURL
    self.limits = limits
  }
}

/// The single request that checks whether a source's service answers, for the command `doctor`.
///
/// `read` returns the answer's text for the user. It throws an error if the answer is not usable.
package struct Probe: Sendable {
  let request: UpstreamRequest
  let limits: [RateWindow]
  /// The access tokens that the request needs.
  private(set) var tokens: AccessTokens?
  let read: @Sendable (UpstreamResponse, UpstreamRequest) throws -> String

  /// - Parameters:
  ///   - limits: The rate limits of the request's server.
  ///   - read: Returns the answer's text for the user. Its second argument is `request`.
  package init(
    _ request: UpstreamRequest, limits: [RateWindow],
    read: @escaping @Sendable (UpstreamResponse, UpstreamRequest) throws -> String
  ) {
    self.request = request
    self.limits = limits
    self.read = read
  }

  /// Creates a probe that requests the stream's first page. If the answer has no page, the probe throws the service's
  /// own error, or an error that says so.
  ///
  /// - Parameters:
  ///   - limits: The rate limits of the stream's server.
  ///   - tokens: The access tokens that the request needs.
  ///   - read: Returns the text for the user. It is called for each page that has a list, even an empty list.
  package init(
    of stream: some PagedStream, limits: [RateWindow], tokens: AccessTokens? = nil,
    read: @escaping @Sendable (Page) -> String
  ) {
    self.init(stream.request(stream.description.firstPage), limits: limits) { response, request in
      let hint = "check the base URL (syncctl config)"
      let page = try stream.read(response, to: request)

      switch page {
      case .items: return read(page)
      case .ignored: return "\(stream.description.id) answers, but the declaration ignores the answer"
      case .refused(let error): throw error
      case .notFound: throw SyncError(.upstream, "\(request.url) answered 404", hint: hint)
      case .pageCap: throw SyncError(.upstream, "\(request.url): the service allows no page 1", hint: hint)
      }
    }
    self.tokens = tokens
  }
}
