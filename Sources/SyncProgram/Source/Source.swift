package import ArgumentParser
package import SyncCore
package import SyncPostgres

/// A mirrored service, as configured. `docs/adding-a-source.md` shows how to add one.
package protocol Source: Sendable {
  /// The name in `--source`, the configuration and stream ids.
  static var id: SourceID { get }
  static var help: SourceHelp { get }
  static var sample: SampleConfiguration { get }
  /// The allowed keys below `sources.<id>`.
  static var keys: [String] { get }
  static var favorites: any FavoriteKinds { get }
  /// Reads the service's own XML export.
  ///
  /// - Parameter collection: `nil` for the source's default.
  /// - Returns: `nil` if the service has no export.
  /// - Throws: `SyncError` `.usage` for any other text.
  static func favorites(exported text: String, into collection: String?) throws(SyncError) -> FavoritesFile.Contents?
  /// Paths below `sql/` and texts; empty for built-in files.
  static var sql: [String: String] { get }
  static var commands: [any ParsableCommand.Type] { get }
  static var rankings: [any ParsableCommand.Type] { get }
  static var movers: [any ParsableCommand.Type] { get }
  static var listHistories: [any ParsableCommand.Type] { get }
  static var guesses: [Guess] { get }
  /// Whether `run --refresh` fetches every mirrored item.
  static var canRefresh: Bool { get }
  /// Tables that the role `syncctl_reader` cannot read.
  static var personalTables: [String] { get }
  /// Lowercase names of response headers that only this source reads.
  static var headers: Set<String> { get }

  /// - Throws: `SyncError` `.configuration`.
  init(_ settings: SourceSettings) throws(SyncError)

  var settings: [ShownSetting] { get }

  /// The streams that a user's word means.
  ///
  /// - Throws: `SyncError` `.usage` with the nearest name.
  func streamNames(_ word: String) throws(SyncError) -> [String]
  /// Whether the word names streams without `--source`.
  func knowsStream(_ word: String) -> Bool
  /// Similar words, the most usual first.
  func suggestions(for word: String) -> [String]
  /// `nil` if a suggestion is enough.
  func advice(for word: String) -> String?
  /// `nil` if only the service knows them.
  var defaultStreams: [String]? { get }
  /// Whether runs repeat the stream; single questions are not repeated.
  func keepsStream(_ name: String) -> Bool

  var services: [Service] { get }
  func probe() throws(SyncError) -> Probe
  /// - Throws: `SyncError` for errors of the whole source.
  func run(_ selection: StreamSelection, _ run: inout SourceRun) async throws

  /// Writes settings that the database applies, such as a retention time.
  func storeSettings(in database: Database, _ said: (String) -> Void) async throws

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
  /// The default content, e.g. `the top anime and manga`.
  let content: String
  let runs: [String]
  /// Paragraphs on one line, and lists with at most 76 columns.
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
  let name: String
  let value: String
  let origin: SettingOrigin
  /// The value for the file; `nil` if it is only shown.
  let text: String?

  package init(_ name: String, _ value: String, _ origin: SettingOrigin, isText: Bool = true) {
    (self.name, self.value, self.origin) = (name, value, origin)
    text = isText ? value : nil
  }

  package init(_ name: String, _ limits: Setting<[RateWindow]>) {
    let text = limits.value.map(\.description).joined(separator: ",")
    self.init(name, text.isEmpty ? "none (loopback)" : text, limits.origin, isText: false)
  }

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
  /// Empty for no limit.
  let limits: [RateWindow]
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

package enum StreamSelection: Sendable, Equatable {
  case all
  /// Each once, in the order of the run.
  case named([String])
}
