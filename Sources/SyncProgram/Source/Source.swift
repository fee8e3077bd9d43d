package import ArgumentParser
package import SyncCore
package import SyncPostgres

/// A service that syncctl mirrors: everything that the shared program needs to know of it.
///
/// A value is the source as it is configured. `docs/adding-a-source.md` makes one, step by step.
package protocol Source: Sendable {
  /// The name in `--source`, in the configuration file and in ids of streams.
  static var id: SourceID { get }
  static var help: SourceHelp { get }
  static var sample: SampleConfiguration { get }
  /// The keys that the configuration file may have below `sources.<id>`.
  static var keys: [String] { get }
  /// The kinds of favorites.
  static var favorites: any FavoriteKinds { get }
  /// Reads a list that users of the service exported there as XML.
  ///
  /// - Parameter collection: The collection of its entries; `nil` for the source's own default.
  /// - Returns: `nil` if the service has no such export.
  /// - Throws: `SyncError` `.usage` if the text is not such an export.
  static func favorites(exported text: String, into collection: String?) throws(SyncError) -> FavoritesFile.Contents?
  /// Paths below `sql/` and texts; empty for files that are built into the program.
  static var sql: [String: String] { get }
  static var commands: [any ParsableCommand.Type] { get }
  /// Commands of its own below `rankings`.
  static var rankings: [any ParsableCommand.Type] { get }
  /// Commands of its own below `rankings movers`, named by what moves.
  static var movers: [any ParsableCommand.Type] { get }
  static var listHistories: [any ParsableCommand.Type] { get }
  static var guesses: [Guess] { get }
  /// Whether `run --refresh` fetches all mirrored items again.
  static var canRefresh: Bool { get }
  /// Its tables with the user's own rows, which the role `syncctl_reader` does not read.
  static var personalTables: [String] { get }
  /// Names in lower case of headers of answers that only this source reads.
  static var headers: Set<String> { get }

  /// - Throws: `SyncError` `.configuration`.
  init(_ settings: SourceSettings) throws(SyncError)

  var settings: [ShownSetting] { get }

  /// The names of the streams that a word of the user stands for.
  ///
  /// - Throws: `SyncError` `.usage` with the nearest name.
  func streamNames(_ word: String) throws(SyncError) -> [String]
  /// Whether the word names streams of this source without `--source`.
  func knowsStream(_ word: String) -> Bool
  /// Known words that are similar, the most usual first.
  func suggestions(for word: String) -> [String]
  /// Advice for a word that nearly names streams; `nil` if a suggestion is enough.
  func advice(for word: String) -> String?
  /// The streams of a run without `--stream`; `nil` if only the service knows them.
  var defaultStreams: [String]? { get }
  /// Whether runs fetch the stream again; single questions are not repeated.
  func keepsStream(_ name: String) -> Bool

  var services: [Service] { get }
  /// One request that shows whether the source can be reached.
  func probe() throws(SyncError) -> Probe
  /// Fetches the chosen streams.
  ///
  /// - Throws: `SyncError` for what concerns no single stream.
  func run(_ selection: StreamSelection, _ run: inout SourceRun) async throws

  /// Writes configured values that the database itself applies, such as a retention time.
  ///
  /// - Parameter said: receives one line for each change.
  func storeSettings(in database: Database, _ said: (String) -> Void) async throws

  /// The rules that derive columns from stored documents.
  static func mappings(in database: Database) async throws -> [any DocumentMapping]
}

extension Source {
  package static func favorites(
    exported text: String, into collection: String?
  ) throws(SyncError) -> FavoritesFile.Contents? { nil }
  package static var sql: [String: String] { [:] }
  package static var commands: [any ParsableCommand.Type] { [] }
  package static var rankings: [any ParsableCommand.Type] { [] }
  package static var movers: [any ParsableCommand.Type] { [] }
  package static var listHistories: [any ParsableCommand.Type] { [] }
  package static var guesses: [Guess] { [] }
  package static var canRefresh: Bool { false }
  package static var headers: Set<String> { [] }
  package static var personalTables: [String] { [] }
  package func storeSettings(in database: Database, _ said: (String) -> Void) async throws {}
  package func advice(for word: String) -> String? { nil }
  package func keepsStream(_ name: String) -> Bool { true }

  package static var name: String { id.rawValue }
}

package struct SourceHelp: Sendable {
  /// The content of a run without `--stream`, e.g. `the top anime and manga`.
  let content: String
  let runs: [String]
  /// Help about streams: paragraphs on one line, lists of at most 76 columns.
  let streams: String
  let rankings: [String]

  package init(content: String, runs: [String], streams: String, rankings: [String] = []) {
    self.content = content
    self.runs = runs
    self.streams = streams
    self.rankings = rankings
  }
}

package struct ShownSetting: Sendable {
  /// The full key in the configuration file.
  let name: String
  let value: String
  let origin: SettingOrigin
  /// The value as the file takes it; `nil` if it is shown in other words.
  let text: String?

  package init(_ name: String, _ value: String, _ origin: SettingOrigin, isText: Bool = true) {
    (self.name, self.value, self.origin) = (name, value, origin)
    text = isText ? value : nil
  }

  package init(_ name: String, _ limits: Setting<[RateWindow]>) {
    let text = limits.value.map(\.description).joined(separator: ",")
    self.init(name, text.isEmpty ? "none (loopback)" : text, limits.origin, isText: false)
  }

  /// - Parameter keptFor: nil for forever.
  package init(_ name: String, keptFor time: Setting<Duration?>) {
    self.init(name, time.value?.configured ?? "forever", time.origin)
  }

  package init(_ name: String, _ time: Setting<Duration>) { self.init(name, time.value.configured, time.origin) }

  package init(_ name: String, names: [String], _ origin: SettingOrigin) {
    self.init(name, names.isEmpty ? "none" : names.joined(separator: ", "), origin, isText: false)
  }
}

package struct Service: Sendable {
  let name: String
  let baseURL: String
  /// Empty for none.
  let limits: [RateWindow]
  /// The server whose budget and pauses count.
  var origin: String { Origin.server(of: baseURL) }

  package init(_ name: String, baseURL: String, limits: [RateWindow]) {
    self.name = name
    self.baseURL = baseURL
    self.limits = limits
  }
}

package struct Probe: Sendable {
  let request: UpstreamRequest
  let limits: [RateWindow]
  let read: @Sendable (UpstreamResponse, UpstreamRequest) throws -> String

  package init(
    _ request: UpstreamRequest, limits: [RateWindow],
    read: @escaping @Sendable (UpstreamResponse, UpstreamRequest) throws -> String
  ) {
    self.request = request
    self.limits = limits
    self.read = read
  }

  package init(
    of stream: some PagedStream, limits: [RateWindow], read: @escaping @Sendable (Page) -> String
  ) {
    self.init(stream.request(PageAddress(page: 1, size: stream.description.pageSize)), limits: limits) {
      response, request in
      let page = try stream.read(response, to: request)
      guard case .items = page else {
        throw SyncError(.upstream, "\(request.url) answered 404", hint: "check the base URL (syncctl config)")
      }
      return read(page)
    }
  }
}

/// Which streams of a source a command line or a job names.
package enum StreamSelection: Sendable, Equatable {
  /// The default streams.
  case all
  /// Each once, in the order in which they are run.
  case named([String])
}
