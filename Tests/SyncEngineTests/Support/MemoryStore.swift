import SyncCore
import Testing

actor MemoryStore: WalkStore {
  /// Runs before a commit takes effect; a thrown error is the commit's error.
  typealias Hook = @Sendable (PageCommit) async throws -> Void

  private struct Walk {
    let id: Int64
    let pageSize: Int
    let isFull: Bool
    /// The names of the lists when the walk began. `nil` in a stream of one list.
    let lists: Set<String>?
    var isOpen = true
    var readings: [(commit: PageCommit, at: Int)] = []

    var pages: [StoredPage] { readings.map(\.commit.page) }
  }

  private let onCommit: Hook
  private let finishError: SyncError?
  private let leaseTTL: Duration?
  private let onRenew: @Sendable () async throws -> Void
  private var walks: [Walk] = []
  private var runs: [(walkID: Int64, isGuarded: Bool)] = []
  private var isLeased = false
  private(set) var rows: [Int64: [UInt8]] = [:]
  private(set) var commits: [PageCommit] = []
  /// For each commit, the number of stored readings.
  private(set) var batches: [Int] = []
  private(set) var endings: [WalkEnding] = []
  private(set) var published: Set<Int64> = []
  /// The published keys of each list in the order of their places, in a stream of several lists.
  private(set) var places: [String: [Int64]] = [:]
  /// `places` before the last publication.
  private var placesBefore: [String: [Int64]] = [:]
  private var basis: Int64?
  private var now = 0
  private var changedAt: [Int64: Int] = [:]
  private(set) var vanished: Set<Int64> = []
  private var members: [Int64: [String]] = [:]
  private var hasControls = false

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
    let place = try confirmed.map { try guardedWalk(of: $0) } ?? resumeOrStart(stream, fresh: fresh)
    isLeased = true
    for other in walks.indices { walks[other].isOpen = other == place }
    let walk = walks[place]
    let lists = stream.lists.map { _ in WalkedLists(walk.pages) }
    runs.append((walkID: walk.id, isGuarded: false))
    return OpenWalk(
      runID: "run-\(runs.count)", walkID: walk.id, generation: Int64(runs.count), leaseTTL: leaseTTL,
      pages: lists?.replayed ?? walk.pages, endedLists: lists?.endedLists, isConfirmed: confirmed != nil,
      basis: fresh || basis == walk.id ? nil : basis, isFull: walk.isFull, databaseTime: 0)
  }

  private func guardedWalk(of id: String) throws -> Int {
    guard let number = Int(id.dropFirst("run-".count)), runs.indices.contains(number - 1) else {
      throw SyncError(.missing, "there is no run \(id)")
    }
    let run = runs[number - 1]
    guard run.isGuarded, let place = walks.firstIndex(where: { $0.id == run.walkID }) else {
      throw SyncError(.usage, "run \(id) was not stopped by the guard")
    }
    return place
  }

  private func resumeOrStart(_ stream: StreamDescription, fresh: Bool) -> Int {
    let unfinished = walks.firstIndex { $0.isOpen && $0.pageSize == stream.pageSize }
    if !fresh, let unfinished { return unfinished }
    let lists = stream.lists.map { Set($0.lists.map(\.name)) }
    walks.append(Walk(id: Int64(walks.count + 1), pageSize: stream.pageSize, isFull: fresh, lists: lists))
    return walks.count - 1
  }

  private func passFence(_ walk: OpenWalk) throws -> Int {
    guard isLeased, walk.generation == Int64(runs.count), let place = walks.firstIndex(where: { $0.id == walk.walkID })
    else { throw SyncError(.tryLater, "another process has taken over the lease") }
    return place
  }

  func cachedPages(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) -> (pages: [CachedPage], last: Int?) {
    let readings = walks.first { $0.id == walk.basis }?.readings ?? []
    let looked = readings.filter { $0.commit.page.number > reading }.prefix(limit)
    let pages = looked.compactMap { commit, at -> CachedPage? in
      guard let origin = commit.origin, let keys = commit.page.keys,
        keys.allSatisfy({ rows[$0] != nil && !vanished.contains($0) && (changedAt[$0] ?? 0) <= at }),
        !readings.contains(where: {
          $0.commit.page.number > commit.page.number && $0.commit.page.page == commit.page.page
            && $0.commit.page.list?.name == commit.page.list?.name
        })
      else { return nil }
      return CachedPage(
        address: origin.address, reading: commit.page.number, validators: origin.validators,
        digest: origin.digest, keys: keys, claim: commit.page.claim)
    }
    return (pages, looked.last?.commit.page.number)
  }

  func overwrite(_ key: Int64, with content: [UInt8]) {
    now += 1
    changedAt[key] = now
    rows[key] = content
  }

  func release() { isLeased = false }

  /// Makes the last walk what it was after `count` readings, as if its process had been killed then. Items stay.
  func cut(to count: Int) {
    guard let last = walks.indices.last else { return }
    walks[last].readings = Array(walks[last].readings.prefix(count))
    walks[last].isOpen = true
    places = placesBefore
    published = Set(places.values.joined())
    isLeased = false
  }

  /// All readings of the last walk.
  var readings: [StoredPage] { walks.last?.pages ?? [] }

  func renew(_ walk: OpenWalk, stream: StreamDescription) async throws {
    _ = try passFence(walk)
    try await onRenew()
  }

  func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed {
    for reading in readings { try await onCommit(reading) }
    let place = try passFence(walk)
    guard readings[0].page.number == walks[place].readings.count + 1 else {
      throw SyncError(.tryLater, "the database has lost commits of this run")
    }
    batches.append(readings.count)
    let added = readings.reduce(into: RunCounters()) { $0 += commit($1, of: place) }
    return Committed(readings: readings.count, counters: added)
  }

  private func commit(_ commit: PageCommit, of place: Int) -> RunCounters {
    #expect(Set(commit.rows.map(\.item.key)).count == commit.rows.count, "a key twice in one statement")
    var counters = commit.counters
    now += 1
    walks[place].readings.append((commit, now))
    for row in commit.rows {
      let key = row.item.key
      let old = rows.updateValue(row.item.contentHash, forKey: key)
      let isBack = vanished.remove(key) != nil
      let isSame = old == row.item.contentHash && !isBack
      if !isSame { changedAt[key] = now }
      if row.isDuplicate { continue }
      switch (old, isSame) {
      case (nil, _): counters.inserted += 1
      case (_, true): counters.unchanged += 1
      case (_, false): counters.updated += 1
      }
    }
    vanished.formUnion(commit.gone)
    counters.vanished += commit.gone.count
    commits.append(commit)
    return counters
  }

  /// Keys of documents that earlier walks fetched within the TTL.
  var freshKeys: Set<Int64> = []

  func keepFresh(_ keys: Set<Int64>) { freshKeys = keys }

  func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) -> Set<Int64> {
    freshKeys.intersection(keys).filter { rows[$0] != nil && !vanished.contains($0) }
  }

  /// Sets the texts of an item's key, which a lookup of the item receives.
  func name(_ key: Int64, members: [String]) { self.members[key] = members }

  /// From now on, `missing` also returns the first and the last item that the walk met.
  func addControls() { hasControls = true }

  func missing(in walk: OpenWalk, stream: StreamDescription) throws -> [MissingItem] {
    let stored = walks.first { $0.id == walk.walkID }
    let walked = Set((stored?.pages ?? []).compactMap(\.keys).joined())
    let seen = walked.union(keptKeys(stored))
    let missing = rows.keys.filter { !seen.contains($0) && !vanished.contains($0) }.sorted()
    let live = rows.count - vanished.count
    if !walk.isConfirmed, stream.absence.shrinkGuard?.refuses(removing: missing.count, of: live) == true {
      throw SyncError(.guarded, "\(missing.count) of \(live) are missing")
    }
    let met = hasControls ? rows.keys.filter { walked.contains($0) && !vanished.contains($0) } : []
    let controls = Set([met.min(), met.max()].compactMap(\.self))
    return (missing + controls).sorted().map { key in
      MissingItem(
        key: key, members: members[key] ?? [], isControl: controls.contains(key), isListed: published.contains(key))
    }
  }

  /// The published keys of the lists that a walk did not read wholly. They are not missing.
  private func keptKeys(_ walk: Walk?) -> Set<Int64> {
    guard let walk, let lists = walk.lists else { return [] }
    let whole = Set(WalkedLists(walk.pages).ended.filter { $0.ending.certificate.isWhole }.map(\.name))
    return Set(lists.subtracting(whole).flatMap { places[$0] ?? [] })
  }

  /// The published keys of each list after the publication of a walk. A list that the walk did not read to its end
  /// keeps its places. The places of lists that the stream did not have when the walk began are removed.
  private func places(after walk: Walk) -> [String: [Int64]]? {
    guard let lists = walk.lists else { return nil }
    let walked = WalkedLists(walk.pages)
    return walked.ended.reduce(into: places.filter { lists.contains($0.key) }) { places, list in
      if list.ending.publishes { places[list.name] = walked.places(of: list) }
    }
  }

  func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) throws -> RunReport {
    #expect(!Task.isCancelled, "a ledger row that is open must be closed")
    if let finishError { throw finishError }
    let place = try passFence(walk)
    var ending = ending
    let pages = walks[place].pages
    if ending.publishes ? pages.count != ending.readings : pages.count < ending.readings {
      ending = ending.failed(SyncError(.tryLater, "the database has lost commits of this run"))
    }
    if ending.publishes {
      let readings = ending.publishedReadings ?? 0..<Int.max
      let listed = pages.filter { $0.page != nil && readings.contains($0.number) }
      let newPlaces = places(after: walks[place])
      let keys = newPlaces.map { Set($0.values.joined()) } ?? Set(listed.compactMap(\.keys).joined())
      if refuses(keys, of: walk, stream) {
        let error = SyncError(.guarded, "publishing \(keys.count) of \(published.count)")
        ending = WalkEnding(
          status: .failed, certificate: ending.certificate, counters: ending.counters, error: error,
          readings: ending.readings, publishes: false, isResumable: false)
      } else {
        published = keys
        placesBefore = places
        places = newPlaces ?? [:]
        basis = walk.walkID
      }
    }
    isLeased = false
    walks[place].isOpen = ending.isResumable
    runs[runs.count - 1].isGuarded = ending.error?.code == .guarded
    endings.append(ending)
    return RunReport(
      id: walk.runID, stream: stream.id, status: ending.status, counters: ending.counters, walBytes: 0,
      duration: .zero, certificate: ending.certificate, error: ending.error, warning: ending.warning)
  }

  private func refuses(_ keys: Set<Int64>, of walk: OpenWalk, _ stream: StreamDescription) -> Bool {
    guard case .endsEntry(let rule) = stream.absence, !walk.isConfirmed else { return false }
    return rule.refuses(removing: published.subtracting(keys).count, of: published.count)
  }
}
