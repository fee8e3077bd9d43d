import SyncCore

/// The mirror as the engine sees it, kept in memory: one lease, rows by key, walks that can be resumed.
actor MemoryStore: WalkStore {
  /// Runs before a commit takes effect; what it throws is the commit's error.
  typealias Hook = @Sendable (PageCommit) async throws -> Void

  private let onCommit: Hook
  private let finishError: SyncError?
  private var walkPages: [StoredPage] = []
  private var walkID: Int64 = 0
  private var runs = 0
  private var isLeased = false
  /// Content by key.
  private(set) var rows: [Int64: [UInt8]] = [:]
  private(set) var commits: [PageCommit] = []
  private(set) var endings: [WalkEnding] = []
  private(set) var published: Set<Int64> = []

  init(finishError: SyncError? = nil, onCommit: @escaping Hook = { _ in }) {
    self.finishError = finishError
    self.onCommit = onCommit
  }

  func open(_ stream: StreamDescription, fresh: Bool) throws -> OpenWalk {
    guard !isLeased else { throw SyncError(.tryLater, "\(stream.id): the lease is held") }
    isLeased = true
    runs += 1
    if fresh || endings.last?.isResumable != true {
      walkPages = []
      walkID += 1
    }
    return OpenWalk(runID: "run-\(runs)", walkID: walkID, generation: Int64(runs), pages: walkPages)
  }

  func commit(_ commit: PageCommit, of walk: OpenWalk, stream: StreamDescription) async throws -> RunCounters {
    try await onCommit(commit)
    precondition(isLeased && walk.generation == Int64(runs), "a write without the lease")
    precondition(commit.page.number == (walkPages.last?.number ?? 0) + 1, "a page was left out")
    precondition(Set(commit.rows.map(\.item.key)).count == commit.rows.count, "a key twice in one statement")
    var counters = commit.counters
    for row in commit.rows {
      let old = rows.updateValue(row.item.contentHash, forKey: row.item.key)
      if row.isDuplicate { continue }
      switch old {
      case nil: counters.inserted += 1
      case row.item.contentHash: counters.unchanged += 1
      default: counters.updated += 1
      }
    }
    walkPages.append(commit.page)
    commits.append(commit)
    return counters
  }

  func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) throws -> RunReport {
    precondition(!Task.isCancelled, "a ledger row that is open must be closed")
    if let finishError { throw finishError }
    isLeased = false
    endings.append(ending)
    if ending.publishes { published = Set(walkPages.compactMap(\.keys).joined()) }
    return RunReport(
      id: walk.runID, stream: stream.id, status: ending.status, counters: ending.counters, walBytes: 0,
      duration: .zero, certificate: ending.certificate, error: ending.error)
  }
}
