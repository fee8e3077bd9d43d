import SyncCore

/// The database that all processes of a world share. Its server can be slow, fail or lose commits.
///
/// The rules of the store are implemented a second time from the documents. The checks read `writes`, because a
/// failover does not undo `writes`.
@dynamicMemberLookup
final class VirtualDatabase: @unchecked Sendable {
  // `@unchecked Sendable`, because one thread runs all tasks of a world.

  struct StreamState {
    var owner: VirtualProcess?
    var generation: Int64 = 0
    var expiresAt: Duration = .zero
    var walkID: Int64?
    var cursor: Int?
  }

  struct WalkRow {
    let id: Int64
    let list: Int
    let pageSize: Int
    let isFull: Bool
    let startedAt: Duration
    var isFinished = false
    var pages: [StoredPage] = []
  }

  struct RunRow {
    let id: Int
    let list: Int
    let walkID: Int64
    let generation: Int64
    let process: Int
    let openedAt: Duration
    let resumedPages: Int
    let isFresh: Bool
    var status = RunStatus.running
    var ending: WalkEnding?
  }

  struct Publication {
    let run: Int
    let walkID: Int64
    let keys: [Int64]
  }

  struct Write {
    enum Kind {
      case open, renew, commit, finish
    }

    let kind: Kind
    let time: Duration
    let list: Int
    let generation: Int64
    let leaseGeneration: Int64
    let process: Int
    let page: StoredPage?
    let rows: [(key: Int64, version: Int)]
    let transaction: Int
    /// The request's time on the world's clock.
    let requestedAt: Duration
    /// The times of the request and of the write on the server's clock, in microseconds.
    let requestTime: Int64
    let databaseTime: Int64
    var isForgotten = false
  }

  /// The state that a failover can undo.
  struct Tables {
    var states: [StreamState]
    var walks: [WalkRow] = []
    var runs: [RunRow] = []
    var rows: [[Int64: Int]]
    /// The request time of each row's content, in microseconds of the server's clock.
    var requested: [[Int64: Int64]]
    var published: [Publication?]
  }

  let world: World
  let leaseTTL: Duration
  /// Whether each process can see that another process has ended, as on one machine.
  let isOneMachine: Bool
  var faults: DatabaseFaults
  private(set) var clockLag: Duration = .zero
  private var tables: Tables
  /// The tables before each write, in worlds where a failover undoes writes.
  private var history: [Tables]?
  private(set) var writes: [Write] = []
  /// The number of all opened runs, including undone runs, so that no id is used again.
  private(set) var lastRun = 0
  /// The times at which writes were undone.
  private(set) var forgot: [Duration] = []
  private var transactions = 0
  private var quickInTime = 16
  /// Ids of processes. A refused process found a lease held. A fenced process lost its lease.
  private(set) var failed: Set<Int> = []
  private(set) var delayed: Set<Int> = []
  var refused: Set<Int> = []
  var fenced: Set<Int> = []

  init(world: World, lists: Int, faults: DatabaseFaults) {
    self.world = world
    self.faults = faults
    leaseTTL = .seconds(world.pick(of: [2, 10, 90, 90]) ?? 90)
    isOneMachine = world.happens(0.5)
    tables = Tables(
      states: Array(repeating: StreamState(), count: lists), rows: Array(repeating: [:], count: lists),
      requested: Array(repeating: [:], count: lists), published: Array(repeating: nil, count: lists))
  }

  subscript<Value>(dynamicMember path: WritableKeyPath<Tables, Value>) -> Value {
    get { tables[keyPath: path] }
    _modify { yield &tables[keyPath: path] }
  }

  func nextRun() -> Int {
    lastRun += 1
    return lastRun
  }

  func keepHistory() { history = [] }

  func forget(last count: Int) {
    guard let history, let before = history.suffix(count).first else { return }
    world.note(.databaseForgets, 0, count)
    world.cover(.databaseForgot)
    let lost = Set(writes.lazy.filter { !$0.isForgotten }.map(\.transaction)).sorted().suffix(count)
    for place in writes.indices where lost.contains(writes[place].transaction) { writes[place].isForgotten = true }
    self.history = history.dropLast(count)
    tables = before
    forgot.append(world.now)
  }

  func record(
    _ kind: Write.Kind, _ list: Int, _ generation: Int64, _ process: VirtualProcess, _ commit: PageCommit?,
    of walk: OpenWalk? = nil
  ) {
    writes.append(
      Write(
        kind: kind, time: world.now, list: list, generation: generation,
        leaseGeneration: tables.states[list].generation,
        process: process.id, page: commit?.page,
        rows: commit?.rows.map { ($0.item.key, Self.version($0.item)) } ?? [], transaction: transactions,
        requestedAt: commit.map { world.now - (process.clock.now() - $0.requestedAt) } ?? world.now,
        requestTime: commit.flatMap { walk?.requestTime($0.requestedAt) } ?? microseconds, databaseTime: microseconds))
  }

  static func version(_ item: PageItem) -> Int { Int(String(decoding: item.document, as: UTF8.self)) ?? -1 }

  var now: Duration { world.now - clockLag }
  var microseconds: Int64 { Int64(now / .microseconds(1)) }

  func setClockBack(by duration: Duration) {
    world.note(.databaseClock, 0, Int(duration.nanoseconds))
    world.cover(.databaseClockSetBack)
    clockLag += duration
  }

  /// Runs a transaction for a process. The transaction takes effect at one instant or not at all. A lost connection
  /// only delays the result, because the real store finds out whether the transaction took effect.
  ///
  /// - Parameter isQuick: Whether the statement is so short that it is never slow.
  func transaction<R: Sendable>(
    _ name: String, for process: VirtualProcess, isQuick: Bool = false, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await process.call { call in
      world.note(.databaseCall, process.id, text: name)
      send(Transaction(name: name, isQuick: isQuick, start: world.now, call: call, body: body))
    }
  }

  private struct Transaction<R: Sendable> {
    let name: String
    let isQuick: Bool
    let start: Duration
    let call: Call<R>
    let body: () throws -> R
  }

  private func send<R>(_ transaction: Transaction<R>) {
    let down = faults.downUntil - world.now
    guard down > .zero else {
      return world.after(delay(of: transaction)) { [self] in
        if !transaction.call.isWithdrawn { arrive(transaction) }
      }
    }
    world.cover(.databaseDown)
    delayed.insert(transaction.call.process.id)
    let left = transaction.start + Limits.reconnectDeadline - world.now
    if down <= left { return sendAgain(transaction, after: down + world.pick(milliseconds: 1...500)) }
    world.cover(.databaseDownTooLong)
    failed.insert(transaction.call.process.id)
    world.after(left) {
      transaction.call.answer(.failure(SyncError(.database, "the database is unavailable", disposition: .stopRun)))
    }
  }

  private func sendAgain<R>(_ transaction: Transaction<R>, after delay: Duration) {
    delayed.insert(transaction.call.process.id)
    world.after(delay) { [self] in
      // The process itself sends the transaction again, so a dead or frozen process does nothing.
      transaction.call.process.whenRunning { [self] in
        if !transaction.call.isWithdrawn { send(transaction) }
      }
    }
  }

  private func arrive<R>(_ transaction: Transaction<R>) {
    let call = transaction.call
    if faults.downUntil > world.now { return sendAgain(transaction, after: .milliseconds(50)) }
    if isStruck(transaction, faults.lostBefore) {
      world.cover(.commitRetried)
      return sendAgain(transaction, after: world.pick(milliseconds: 10...3000))
    }
    if world.happens(faults.refusal) {
      world.cover(.databaseError)
      failed.insert(call.process.id)
      return call.answer(.failure(SyncError(.database, "the disk is full", disposition: .stopRun)))
    }
    if !call.process.isAlive { world.cover(.killInFlightCommit) }
    call.isTooLateToCancel = true
    let (before, count) = (history == nil ? nil : tables, writes.count)
    transactions += 1
    let result = Result { try transaction.body() }
    if let before, writes.count > count { history?.append(before) }
    world.note(.databaseEffect, call.process.id, text: "\(transaction.name): \(result)")
    var delay = delay(of: transaction)
    if isStruck(transaction, faults.lostAfter) {
      world.cover(.commitAcknowledgementLost)
      delayed.insert(call.process.id)
      delay += world.pick(milliseconds: 10...3000)
    }
    world.after(delay) { [self] in
      world.note(.databaseAnswer, call.process.id, text: transaction.name)
      call.answer(result)
    }
  }

  /// Whether the connection is lost. After many late permits in a row, a limiter would discard no more permits. So at
  /// least 16 budget statements succeed between two losses.
  private func isStruck<R>(_ transaction: Transaction<R>, _ probability: Double) -> Bool {
    guard transaction.isQuick else { return world.happens(probability) }
    quickInTime += 1
    guard quickInTime > 16, world.happens(probability) else { return false }
    quickInTime = 0
    return true
  }

  private func delay<R>(of transaction: Transaction<R>) -> Duration {
    if transaction.isQuick { return world.pick(milliseconds: 0...2) }
    if world.happens(faults.slow) {
      world.cover(.slowDatabase)
      delayed.insert(transaction.call.process.id)
      return world.pick(milliseconds: 500...30_000)
    }
    return world.pick(milliseconds: 0...20)
  }
}

struct DatabaseFaults {
  private(set) var lostBefore = 0.0
  private(set) var lostAfter = 0.0
  /// The probability of a fault that the store cannot repair.
  private(set) var refusal = 0.0
  private(set) var slow = 0.0
  private(set) var downUntil: Duration = .zero

  init() {}

  init(in world: World) {
    func rate(_ highest: Double, in share: Double) -> Double {
      world.happens(share) ? Double.random(in: 0..<highest, using: &world.chance) : 0
    }
    lostBefore = rate(0.2, in: 0.3)
    lostAfter = rate(0.2, in: 0.3)
    refusal = rate(0.02, in: 0.2)
    slow = rate(0.2, in: 0.2)
  }

  mutating func goDown(for duration: Duration, in world: World) {
    world.note(.databaseDown, 0, Int(duration.nanoseconds))
    downUntil = max(downUntil, world.now + duration)
  }
}
