package import SyncCore
import SyncPostgres

@testable import SyncEngine

/// Returns an invented hash of the usual length. The store only compares hashes.
package func contentHash(_ text: String, version: UInt8 = 1) -> [UInt8] {
  (Array(text.utf8) + Array(repeating: 0, count: 32)).prefix(32) + [version]
}

package protocol PagedItem: Sendable { var item: PageItem { get } }

extension PageItem: PagedItem {
  package var item: PageItem { self }
}

extension [RejectedItem] {
  package static func unusable(_ keys: [Int64], unreadable: Int = 0) -> [RejectedItem] {
    (keys.map { $0 as Int64? } + [Int64?](repeating: nil, count: unreadable)).map { key in
      RejectedItem(key: key, reason: "wrong_type", detail: "a number", excerpt: "{}")
    }
  }
}

package struct Media: PagedItem {
  package let id: Int64
  /// The values are JSON.
  package var members: [String: String]
  package var version: UInt8 = 1

  package init(_ id: Int64, _ changes: [String: String?] = [:]) {
    self.id = id
    members = [
      "mal_id": "\(id)", "title": "\"Title \(id)\"", "type": "\"TV\"", "status": "\"Finished Airing\"",
      "airing": "false", "aired": #"{"from":"2009-04-05T00:00:00+00:00","to":null}"#, "year": "2009", "score": "8.5",
      "scored_by": "\(1000 + id)", "rank": "\(id)", "popularity": "\(id)", "members": "\(5000 + id)",
      "favorites": "\(id)",
    ]
    for (name, value) in changes { members[name] = value }
  }

  package func with(_ changes: [String: String?]) -> Media {
    var copy = self
    for (name, value) in changes { copy.members[name] = value }
    return copy
  }

  package static func items(_ ids: ClosedRange<Int64>) -> [Media] { ids.map { Media($0) } }

  package static let counters: Set<String> = [
    "score", "scored", "scored_by", "rank", "popularity", "members", "favorites",
  ]

  package var document: String { Self.text(members) }

  package var item: PageItem {
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

package struct WalkedList {
  package let store: any WalkStore
  package let stream: StreamDescription
  package let open: OpenWalk
  package var counters = RunCounters()
  package private(set) var warnings: [String] = []
  private var readings: Int
  private var seen: Set<Int64> = []

  package init(
    _ store: any WalkStore, _ stream: StreamDescription, fresh: Bool = false, confirming confirmed: String? = nil
  ) async throws {
    self.store = store
    self.stream = stream
    open = try await store.open(stream, fresh: fresh, confirming: confirmed)
    readings = open.pages.count
    seen = Set(open.pages.flatMap { $0.keys ?? [] })
  }

  /// `number` is the reading's position in the walk, and the default of `page`. `age` is the request's age.
  package mutating func commit(
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

  package mutating func confirm(_ number: Int, _ page: CachedPage, age: Duration = .zero) async throws {
    var added = RunCounters()
    added.pages = 1
    added.notModified = 1
    added.rowsSeen = page.keys.count
    added.unchanged = page.keys.count
    let stored = StoredPage(number: number, page: number, keys: page.keys, unreadable: 0, claim: page.claim)
    let commit = PageCommit(
      page: stored,
      origin: PageCommit.Origin(address: page.address, validators: page.validators, cachedReading: page.reading),
      rows: [], rejected: [], confirmed: page.keys, counters: added, requestedAt: .zero - age)
    try await self.commit(commit)
  }

  package mutating func commit(_ reading: PageCommit) async throws { try await commit([reading]) }

  @discardableResult
  package mutating func commit(_ waiting: [PageCommit]) async throws -> Int {
    let committed = try await store.commit(waiting, after: counters, of: open, stream: stream)
    counters += committed.counters
    if let warning = committed.warning { warnings.append(warning) }
    readings += committed.readings
    return committed.readings
  }

  package func cachedPages() async throws -> [CachedPage] {
    try await store.cachedPages(in: open, stream: stream, after: 0, limit: 10_000).pages
  }

  package mutating func lookUp(_ number: Int, found: [Media] = [], gone: [Int64] = [], age: Duration = .zero)
    async throws
  {
    try await commit(reading(number, page: nil, found, rejected: [], gone: gone, claim: PageClaim(), age: age))
  }

  package mutating func reading(
    _ number: Int, page: Int?, _ items: [any PagedItem], rejected: [RejectedItem], gone: [Int64] = [],
    claim: PageClaim, age: Duration, origin: PageCommit.Origin? = nil
  ) -> PageCommit {
    let entries = items.map { Page.Entry.item($0.item) } + rejected.map { Page.Entry.rejected($0) }
    let stored = StoredPage(number: number, page: page, found: entries.map(\.key), claim: claim)
    defer { seen.formUnion(items.map(\.item.key)) }
    return PageCommit(of: entries, gone: gone, as: stored, origin: origin, earlierKeys: seen, requestedAt: .zero - age)
  }

  package func finish(
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
  package static func run(_ mirror: StoredMirror, _ pages: [[Media]]) async throws -> RunReport {
    try await run(mirror, .topAnime, pages)
  }

  @discardableResult
  package static func run(_ mirror: StoredMirror, _ stream: StreamDescription, _ pages: [[Media]]) async throws
    -> RunReport
  {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
    for (index, page) in pages.enumerated() { try await walk.commit(index + 1, page) }
    return try await walk.finish()
  }
}

extension Certificate {
  package static let sample = Certificate(
    complete: true, endedBy: .notFound, claimedTotal: 3, distinctKeys: 3, repeats: 0, drift: 0, rewalked: 0,
    holes: [], unreadable: 0, evidence: .total)
}

extension StreamDescription {
  package static let topAnime = StreamDescription.list()

  package static func list(
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

  package static func catalogue(
    _ kind: String = "anime", origin: String = "https://api.example/v1", pageSize: Int = 25
  ) -> StreamDescription {
    StreamDescription(
      id: StreamID(source: "jikan", name: "\(kind)-catalog"), provider: "tenrai", origin: origin, pageSize: pageSize,
      method: .catalogue(pageCap: nil), absence: .questionsItem(.wholeList),
      sql: StreamSQL(folder: "jikan", scope: [kind]))
  }
}
