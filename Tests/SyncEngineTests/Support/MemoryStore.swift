import SyncCore
import Testing

/// The mirror as the engine sees it, kept in memory: one lease, rows by key, walks that can be resumed.
actor MemoryStore: WalkStore {
  /// Runs before a commit takes effect; what it throws is the commit's error.
  typealias Hook = @Sendable (PageCommit) async throws -> Void

  private let onCommit: Hook
  private let finishError: SyncError?
  private let leaseTTL: Duration?
  /// Runs at each heartbeat; what it throws is the heartbeat's error.
  private let onRenew: @Sendable () async throws -> Void
  private var walkPages: [StoredPage] = []
  private var walkID: Int64 = 0
  private var runs = 0
  private var isLeased = false
  /// Content by key.
  private(set) var rows: [Int64: [UInt8]] = [:]
  private(set) var commits: [PageCommit] = []
  private(set) var endings: [WalkEnding] = []
  private(set) var published: Set<Int64> = []
  /// The readings of the current walk and of the one published last, with the time of their commit.
  private var readings: [(commit: PageCommit, at: Int)] = []
  private var basis: [(commit: PageCommit, at: Int)] = []
  private var now = 0
  /// When each row was last written.
  private var changedAt: [Int64: Int] = [:]

  init(
    finishError: SyncError? = nil, leaseTTL: Duration? = nil, onCommit: @escaping Hook = { _ in },
    onRenew: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.finishError = finishError
    self.leaseTTL = leaseTTL
    self.onRenew = onRenew
    self.onCommit = onCommit
  }

  func open(_ stream: StreamDescription, fresh: Bool, confirming confirmed: String?) throws -> OpenWalk {
    guard !isLeased else { throw SyncError(.leaseHeld, "\(stream.id): the lease is held") }
    isLeased = true
    runs += 1
    if confirmed == nil, fresh || endings.last?.isResumable != true {
      walkPages = []
      readings = []
      walkID += 1
    }
    return OpenWalk(
      runID: "run-\(runs)", walkID: walkID, generation: Int64(runs), leaseTTL: leaseTTL, pages: walkPages,
      isConfirmed: confirmed != nil, basis: fresh || basis.isEmpty ? nil : 1, isFull: fresh)
  }

  func known(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) -> (pages: [KnownPage], last: Int?) {
    let looked = basis.filter { $0.commit.page.number > reading }.prefix(limit)
    let pages = looked.compactMap { commit, at -> KnownPage? in
      guard let origin = commit.origin, let keys = commit.page.keys,
        keys.allSatisfy({ rows[$0] != nil && !vanished.contains($0) && (changedAt[$0] ?? 0) <= at }),
        !basis.contains(where: {
          $0.commit.page.number > commit.page.number && $0.commit.page.page == commit.page.page
        })
      else { return nil }
      return KnownPage(
        address: origin.address, reading: commit.page.number, validators: origin.validators, keys: keys,
        claim: commit.page.claim)
    }
    return (pages, looked.last?.commit.page.number)
  }

  /// Another stream writes an item that this one has too.
  func overwrite(_ key: Int64, with content: [UInt8]) {
    now += 1
    changedAt[key] = now
    rows[key] = content
  }

  /// Lets go of a lease that a test took.
  func release() { isLeased = false }

  func renew(_ walk: OpenWalk, stream: StreamDescription) async throws { try await onRenew() }

  func commit(_ commit: PageCommit, of walk: OpenWalk, stream: StreamDescription) async throws -> RunCounters {
    try await onCommit(commit)
    #expect(isLeased && walk.generation == Int64(runs), "a write without the lease")
    #expect(commit.page.number == (walkPages.last?.number ?? 0) + 1, "a page was left out")
    #expect(Set(commit.rows.map(\.item.key)).count == commit.rows.count, "a key twice in one statement")
    var counters = commit.counters
    now += 1
    readings.append((commit, now))
    for row in commit.rows {
      if rows[row.item.key] != row.item.contentHash { changedAt[row.item.key] = now }
      let old = rows.updateValue(row.item.contentHash, forKey: row.item.key)
      vanished.remove(row.item.key)
      if row.isDuplicate { continue }
      switch old {
      case nil: counters.inserted += 1
      case row.item.contentHash: counters.unchanged += 1
      default: counters.updated += 1
      }
    }
    vanished.formUnion(commit.gone)
    counters.vanished += commit.gone.count
    walkPages.append(commit.page)
    commits.append(commit)
    return counters
  }

  /// Documents that earlier walks had within their time to live.
  var freshKeys: Set<Int64> = []

  func keepFresh(_ keys: Set<Int64>) { freshKeys = keys }

  func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) -> Set<Int64> {
    freshKeys.intersection(keys).filter { rows[$0] != nil && !vanished.contains($0) }
  }

  /// Keys of rows that are marked as gone.
  private(set) var vanished: Set<Int64> = []

  func missing(in walk: OpenWalk, stream: StreamDescription) throws -> [Int64] {
    let seen = Set(walkPages.compactMap(\.keys).joined())
    let missing = rows.keys.filter { !seen.contains($0) && !vanished.contains($0) }.sorted()
    let live = rows.count - vanished.count
    if !walk.isConfirmed, stream.absence.shrinkGuard?.refuses(removing: missing.count, of: live) == true {
      throw SyncError(.guarded, "\(missing.count) of \(live) are missing")
    }
    return missing
  }

  func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) throws -> RunReport {
    #expect(!Task.isCancelled, "a ledger row that is open must be closed")
    if let finishError { throw finishError }
    isLeased = false
    endings.append(ending)
    if ending.publishes { basis = readings }
    if ending.publishes {
      let readings = ending.publishedReadings ?? 0..<Int.max
      published = Set(walkPages.filter { readings.contains($0.number) }.compactMap(\.keys).joined())
    }
    return RunReport(
      id: walk.runID, stream: stream.id, status: ending.status, counters: ending.counters, walBytes: 0,
      duration: .zero, certificate: ending.certificate, error: ending.error)
  }
}
