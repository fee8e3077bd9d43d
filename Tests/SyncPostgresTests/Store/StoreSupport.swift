import Foundation
import LibPQ
import SyncCore
import SyncTestKit
import Testing

@testable import SyncEngine
@testable import SyncPostgres

struct StoredMirror: Sendable {
  let database: Database
  let test: TestDatabase
  /// The connection for the test's own statements: `database`, unless the code under test has a restricted role.
  let owner: Database

  init(database: Database, test: TestDatabase, owner: Database? = nil) {
    self.database = database
    self.test = test
    self.owner = owner ?? database
  }

  static func connected<R: Sendable>(
    to test: TestDatabase, options: Database.Options = Database.Options(), _ body: (StoredMirror) async throws -> R
  ) async throws -> R {
    try await Database.with(test.productSettings, applicationName: "test", options: options) { database in
      guard ProductRole.name != nil else { return try await body(StoredMirror(database: database, test: test)) }
      return try await Database.with(test.settings, applicationName: "owner") { owner in
        try await body(StoredMirror(database: database, test: test, owner: owner))
      }
    }
  }

  /// The same mirror, but the test's own statements use the connection of the code under test.
  var alone: StoredMirror { StoredMirror(database: database, test: test) }

  func other<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    try await Database.with(test.productSettings, applicationName: "other", body)
  }

  func grant() async throws { try await ThrowawayPostgres.shared().grant(in: test) }

  func asRole<R: Sendable>(_ role: String, _ body: (StoredMirror) async throws -> R) async throws -> R {
    var settings = test.settings
    settings["options"] = "-c role=\(role)"
    return try await Database.with(settings, applicationName: role) {
      try await body(StoredMirror(database: $0, test: test))
    }
  }

  /// Runs `sql` in a second session, and then `body`. The second session commits only when `body` waits for it.
  func blocked<R: Sendable>(by sql: String, _ body: @escaping @Sendable () async throws -> R) async throws -> R {
    let written = Gate()
    // The semaphore is safe here, because it blocks only the connection's own thread.
    let goesOn = DispatchSemaphore(value: 0)
    defer { goesOn.signal() }
    let writing = Task {
      try await Database.with(test.settings, applicationName: "person") { database in
        try await database.write { connection in
          defer { written.open() }
          _ = try connection.query(SQL(trusted: sql))
          written.open()
          goesOn.wait()
        }
      }
    }
    await written.pass()
    let running = Task { try await body() }
    try await other { watcher in
      try await waitUntil("something to wait for the other session") {
        try await watcher.rows(
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).rows.first?[0] == "1"
      }
    }
    goesOn.signal()
    try await writing.value
    return try await running.value
  }

  func execute(_ sql: String, _ parameters: [PGParameter] = []) async throws {
    try await owner.write { connection in _ = try connection.query(SQL(trusted: sql), parameters) }
  }

  func rows(_ sql: String, _ parameters: [PGParameter] = []) async throws -> [[String?]] {
    try await owner.rows(SQL(trusted: sql), parameters).rows
  }

  func value(_ sql: String, _ parameters: [PGParameter] = []) async throws -> String? {
    try await rows(sql, parameters).first?.first ?? nil
  }

  /// Expects the query's rows, with `|` between fields and ∅ for NULL.
  func expect(
    _ sql: String, with parameters: [PGParameter] = [], _ expected: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await rows(sql, parameters).map { row in row.map { $0 ?? "∅" }.joined(separator: "|") }
    #expect(found == expected, "\(sql)", sourceLocation: sourceLocation)
  }

  /// Attributes all leases to a killed process, so that the next run takes them at once.
  func abandonLeases() async throws {
    // No process has this id, because it is above the kernel's largest pid (4,194,304).
    try await execute(
      "UPDATE sync.stream_state SET lease_owner = lease_owner || '{\"pid\": 5000000}' WHERE lease_owner IS NOT NULL")
  }

  func expireLeases() async throws {
    try await execute("UPDATE sync.stream_state SET lease_expires_at = clock_timestamp() - interval '1 s'")
  }

  /// Returns all row versions of the source's tables. Equal results show that nothing was written, locked or moved.
  func rowVersions() async throws -> [[String?]] {
    try await rows(
      """
      SELECT 'media', kind, mal_id::text, xmin::text, xmax::text, ctid::text FROM jikan.media
      UNION ALL SELECT 'counters', kind, mal_id::text, xmin::text, xmax::text, ctid::text FROM jikan.media_counters
      UNION ALL SELECT 'ranking', kind, mal_id::text, xmin::text, xmax::text, ctid::text FROM jikan.ranking
      ORDER BY 1, 2, 3
      """)
  }

  enum Preparation { case migrated, empty, ownServer }

  static func with<R: Sendable>(_ preparation: Preparation = .migrated, _ body: (StoredMirror) async throws -> R)
    async throws -> R
  {
    guard preparation == .ownServer else {
      let server = try await ThrowawayPostgres.shared()
      return try await lend(preparation == .empty ? server.makeDatabase() : server.makeProductDatabase(), server, body)
    }
    let server = try await ThrowawayPostgres.start(keepsCommits: false)
    do {
      let result = try await lend(try await server.makeProductDatabase(), server, body)
      try await server.stop()
      return result
    } catch {
      try? await server.stop(.immediate)
      throw error
    }
  }

  private static func lend<R: Sendable>(
    _ test: TestDatabase, _ server: ThrowawayPostgres, _ body: (StoredMirror) async throws -> R
  ) async throws -> R {
    let result = try await connected(to: test, body)
    try await server.drop(test)
    return result
  }
}

extension StoredMirror {
  /// Connects to `test`, or to a new database, through a proxy as the code under test, and directly as a superuser.
  ///
  /// - Parameter port: The port behind the proxy; `nil` for the server's port.
  static func behindProxy(
    _ test: TestDatabase? = nil, port: UInt16? = nil, servesAll: Bool = true, options: Database.Options = .init(),
    _ body: (FaultProxy, _ mirror: StoredMirror, _ direct: StoredMirror) async throws -> Void
  ) async throws {
    let test = if let test { test } else { try await ThrowawayPostgres.shared().makeProductDatabase() }
    let proxy = try FaultProxy(serverPort: port ?? UInt16(test.tcpPort), servesAll: servesAll)
    var settings = test.productTCPSettings
    settings["port"] = "\(proxy.port)"
    try await Database.with(test.settings, applicationName: "direct") { direct in
      try await Database.with(settings, applicationName: "cut", options: options) { database in
        try await body(proxy, StoredMirror(database: database, test: test), StoredMirror(database: direct, test: test))
      }
    }
  }
}

struct MirrorForEachTest: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal fileprivate static var current: StoredMirror?

  let preparation: StoredMirror.Preparation

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await StoredMirror.with(preparation) { mirror in
      try await Self.$current.withValue(mirror) { try await function() }
    }
  }
}

var mirror: StoredMirror {
  guard let mirror = MirrorForEachTest.current else { preconditionFailure("the test lacks the trait .mirror") }
  return mirror
}

extension Trait where Self == MirrorForEachTest {
  static var mirror: Self { Self(preparation: .migrated) }
  static var emptyMirror: Self { Self(preparation: .empty) }
  static var ownServer: Self { Self(preparation: .ownServer) }
}

extension Trait where Self == ConditionTrait {
  static func ownersAlone(_ matter: String) -> Self {
    .enabled(if: ProductRole.name == nil, "the owner alone \(matter)")
  }
}

/// Returns an invented hash of the usual length. The store only compares hashes.
func contentHash(_ text: String, version: UInt8 = 1) -> [UInt8] {
  (Array(text.utf8) + Array(repeating: 0, count: 32)).prefix(32) + [version]
}

protocol PagedItem: Sendable { var item: PageItem { get } }

extension PageItem: PagedItem {
  var item: PageItem { self }
}

extension [RejectedItem] {
  static func unusable(_ keys: [Int64], unreadable: Int = 0) -> [RejectedItem] {
    (keys.map { $0 as Int64? } + [Int64?](repeating: nil, count: unreadable)).map { key in
      RejectedItem(key: key, reason: "wrong_type", detail: "a number", excerpt: "{}")
    }
  }
}

struct Media: PagedItem {
  let id: Int64
  /// The values are JSON.
  var members: [String: String]
  var version: UInt8 = 1

  init(_ id: Int64, _ changes: [String: String?] = [:]) {
    self.id = id
    members = [
      "mal_id": "\(id)", "title": "\"Title \(id)\"", "type": "\"TV\"", "status": "\"Finished Airing\"",
      "airing": "false", "aired": #"{"from":"2009-04-05T00:00:00+00:00","to":null}"#, "year": "2009", "score": "8.5",
      "scored_by": "\(1000 + id)", "rank": "\(id)", "popularity": "\(id)", "members": "\(5000 + id)",
      "favorites": "\(id)",
    ]
    for (name, value) in changes { members[name] = value }
  }

  func with(_ changes: [String: String?]) -> Media {
    var copy = self
    for (name, value) in changes { copy.members[name] = value }
    return copy
  }

  static func items(_ ids: ClosedRange<Int64>) -> [Media] { ids.map { Media($0) } }

  static let counters: Set<String> = ["score", "scored", "scored_by", "rank", "popularity", "members", "favorites"]

  var document: String { Self.text(members) }

  var item: PageItem {
    let content = members.map { Self.counters.contains($0.key) ? ($0.key, "") : ($0.key, $0.value) }
    let counters = Self.text(members.filter { Self.counters.contains($0.key) })
    return PageItem(
      key: id, document: Array(document.utf8),
      contentHash: contentHash("\(Self.text(Dictionary(uniqueKeysWithValues: content)).utf8.fnv1a)", version: version),
      counterHash: Int64(bitPattern: counters.utf8.fnv1a), counters: Array(counters.utf8))
  }

  private static func text(_ members: [String: String]) -> String {
    "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }
}

struct WalkedList {
  let store: any WalkStore
  let stream: StreamDescription
  let open: OpenWalk
  var counters = RunCounters()
  private var readings: Int
  private var seen: Set<Int64> = []

  init(
    _ store: any WalkStore, _ stream: StreamDescription, fresh: Bool = false, confirming confirmed: String? = nil
  ) async throws {
    self.store = store
    self.stream = stream
    open = try await store.open(stream, fresh: fresh, confirming: confirmed)
    readings = open.pages.count
    seen = Set(open.pages.flatMap { $0.keys ?? [] })
  }

  /// `number` is the reading's position in the walk, and the default of `page`. `age` is the request's age.
  mutating func commit(
    _ number: Int, page: Int? = nil, _ items: [any PagedItem], rejected: [RejectedItem] = [],
    claim: PageClaim = PageClaim(), age: Duration = .zero, etag: String? = nil, address: PageAddress? = nil
  ) async throws {
    let origin = Validators(etag: etag, lastModified: nil).map {
      PageCommit.Origin(
        address: address ?? PageAddress(page: number, size: stream.pageSize, direction: .forward), validators: $0)
    }
    let commit = reading(
      number, page: page ?? number, items, rejected: rejected, claim: claim, age: age, origin: origin)
    try await self.commit(commit)
  }

  mutating func confirm(_ number: Int, _ page: KnownPage, age: Duration = .zero) async throws {
    var added = RunCounters()
    added.pages = 1
    added.notModified = 1
    added.rowsSeen = page.keys.count
    added.unchanged = page.keys.count
    let stored = StoredPage(number: number, page: number, keys: page.keys, unreadable: 0, claim: page.claim)
    let commit = PageCommit(
      page: stored, origin: PageCommit.Origin(address: page.address, validators: page.validators, known: page.reading),
      rows: [], rejected: [], confirmed: page.keys, counters: added, requestedAt: .zero - age)
    try await self.commit(commit)
  }

  mutating func commit(_ reading: PageCommit) async throws { try await commit([reading]) }

  @discardableResult
  mutating func commit(_ waiting: [PageCommit]) async throws -> Int {
    let committed = try await store.commit(waiting, after: counters, of: open, stream: stream)
    counters += committed.counters
    readings += committed.readings
    return committed.readings
  }

  func known() async throws -> [KnownPage] {
    try await store.known(in: open, stream: stream, after: 0, limit: 10_000).pages
  }

  mutating func lookUp(_ number: Int, found: [Media] = [], gone: [Int64] = [], age: Duration = .zero) async throws {
    try await commit(reading(number, page: nil, found, rejected: [], gone: gone, claim: PageClaim(), age: age))
  }

  mutating func reading(
    _ number: Int, page: Int?, _ items: [any PagedItem], rejected: [RejectedItem], gone: [Int64] = [],
    claim: PageClaim, age: Duration, origin: PageCommit.Origin? = nil
  ) -> PageCommit {
    let entries = items.map { Page.Entry.item($0.item) } + rejected.map { Page.Entry.rejected($0) }
    let stored = StoredPage(
      number: number, page: page, keys: entries.compactMap(\.key), unreadable: rejected.count { $0.key == nil },
      claim: claim)
    defer { seen.formUnion(items.map(\.item.key)) }
    return PageCommit(of: entries, gone: gone, as: stored, origin: origin, known: seen, requestedAt: .zero - age)
  }

  func finish(
    _ status: RunStatus = .complete, publishes: Bool = true, publishedReadings: Range<Int>? = nil,
    isResumable: Bool = false, error: SyncError? = nil
  ) async throws -> RunReport {
    try await store.finish(
      open, stream: stream,
      ending: WalkEnding(
        status: status, certificate: .sample, counters: counters, error: error, readings: readings,
        publishes: publishes, publishedReadings: publishedReadings, isResumable: isResumable))
  }

  @discardableResult
  static func run(_ mirror: StoredMirror, _ pages: [[Media]]) async throws -> RunReport {
    try await run(mirror, .topAnime, pages)
  }

  @discardableResult
  static func run(_ mirror: StoredMirror, _ stream: StreamDescription, _ pages: [[Media]]) async throws -> RunReport {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
    for (index, page) in pages.enumerated() { try await walk.commit(index + 1, page) }
    return try await walk.finish()
  }
}

extension Certificate {
  static let sample = Certificate(
    complete: true, endedBy: .notFound, claimedTotal: 3, distinctKeys: 3, repeats: 0, drift: 0, rewalked: 0,
    holes: [], unreadable: 0)
}

extension StreamDescription {
  static let topAnime = StreamDescription.list()

  static func list(
    _ name: String = "top-anime", kind: String = "anime", subtype: String = "all", filter: String = "none",
    provider: String = "tenrai", origin: String = "https://api.example/v1", pageSize: Int = 25,
    shrinkGuard: ShrinkGuard = .wholeList, absence: Absence? = nil, publishing: [String] = [], mappingVersion: Int = 1,
    witness: String? = nil, expectedSpan: String? = nil
  ) -> StreamDescription {
    StreamDescription(
      id: StreamID(source: "jikan", name: name), provider: provider, origin: origin, pageSize: pageSize,
      absence: absence ?? .endsEntry(shrinkGuard),
      sql: StreamSQL(folder: "jikan", scope: [kind, subtype, filter], publishing: publishing),
      mappingVersion: mappingVersion, witness: witness.map { UpstreamRequest(url: $0) }, expectedSpan: expectedSpan)
  }

  static func catalogue(
    _ kind: String = "anime", origin: String = "https://api.example/v1", pageSize: Int = 25
  ) -> StreamDescription {
    StreamDescription(
      id: StreamID(source: "jikan", name: "\(kind)-catalog"), provider: "tenrai", origin: origin, pageSize: pageSize,
      method: .catalogue(pageCap: nil), absence: .questionsItem(.wholeList),
      sql: StreamSQL(folder: "jikan", scope: [kind]))
  }
}

func column(_ name: String, _ rows: RowSet) throws -> [String?] {
  let place = try #require(rows.columns.firstIndex { $0.name == name }, "no column \(name)")
  return rows.rows.map { $0[place] }
}

func syncError(_ body: () async throws -> Void) async -> SyncError? {
  do { try await body() } catch { return error as? SyncError }
  return nil
}

@discardableResult
func expectError(
  _ code: SyncError.Code, _ words: String? = nil, hint: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> SyncError? {
  let error = await syncError(body)
  #expect(error?.code == code, "\(error as Any)", sourceLocation: sourceLocation)
  if let words { #expect(error?.message.contains(words) == true, "\(error as Any)", sourceLocation: sourceLocation) }
  if let hint { #expect(error?.hint?.contains(hint) == true, "\(error as Any)", sourceLocation: sourceLocation) }
  return error
}
