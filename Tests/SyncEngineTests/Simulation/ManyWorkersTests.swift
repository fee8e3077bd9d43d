import SyncCore
import SyncTestKit
import Testing

@testable import SyncEngine

/// Checks the simulated figures of docs/growing.md.
@Suite("Many workers", .timeLimit(.minutes(1)))
struct ManyWorkersTests {
  private struct Expected: Sendable {
    let workers: Int
    /// The number of database calls per second while no job is due.
    let calls: ClosedRange<Double>
    /// The time from the due time of ten jobs until the last one starts.
    let latestStart: ClosedRange<Duration>
    let mostRunning: ClosedRange<Int>
    /// The number of processes that get no permit, because they would wait longer than `Limits.longestPermitWait`.
    let refused: ClosedRange<Int>
  }

  private static let table = [
    // One worker runs the ten jobs of a source one after the other, for two seconds each.
    Expected(
      workers: 1, calls: 1...1.2, latestStart: .seconds(18) ... .milliseconds(18_200), mostRunning: 1...1,
      refused: 0...0),
    Expected(
      workers: 10, calls: 10...12, latestStart: .zero ... .milliseconds(100), mostRunning: 10...10, refused: 0...0),
    Expected(
      workers: 100, calls: 100...120, latestStart: .zero ... .milliseconds(500), mostRunning: 10...10, refused: 0...0),
    // A database that serves 1,000 calls per second is busy with polls.
    Expected(
      workers: 1000, calls: 900...1001, latestStart: .milliseconds(200) ... .seconds(5), mostRunning: 5...10,
      refused: 100...160),
  ]

  @Test("each due run starts once, and idle workers poll in proportion to their number")
  func dueRuns() async {
    let fleets = await onNewThreads(Self.table.count, from: [(Expected, Fleet)]()) { number, all in
      let fleet = Fleet()
      fleet.work(Self.table[number].workers)
      all.append((Self.table[number], fleet))
    }
    for (expected, fleet) in fleets.joined() {
      let name = "\(expected.workers) workers"
      #expect(fleet.problem == nil, "\(name)")
      #expect(fleet.starts.map(\.job).sorted() == Fleet.jobs.map(\.name).sorted(), "\(name)")
      #expect(fleet.endings.allSatisfy { $0.hasSuffix(" done") } && fleet.endings.count == 10, "\(name)")
      #expect(expected.calls.contains(fleet.quietCalls), "\(name): \(fleet.quietCalls)")
      let latest = fleet.starts.map(\.lateness).max() ?? .zero
      #expect(expected.latestStart.contains(latest), "\(name): \(latest)")
      #expect(expected.mostRunning.contains(fleet.mostRunning), "\(name): \(fleet.mostRunning)")
    }
  }

  @Test("any number of processes keeps a limit of 60 per minute, and their shares are equal")
  func permits() async {
    let fleets = await onNewThreads(Self.table.count, from: [(Expected, Fleet)]()) { number, all in
      let fleet = Fleet()
      fleet.request(Self.table[number].workers)
      all.append((Self.table[number], fleet))
    }
    for (expected, fleet) in fleets.joined() {
      let name = "\(expected.workers) processes"
      #expect(fleet.problem == nil, "\(name)")
      // A window of 60 s is padded to 61.2 s, so five windows begin in 300 s.
      #expect(fleet.shares.reduce(0, +) == 300, "\(name)")
      let (least, most) = (fleet.shares.min() ?? 0, fleet.shares.max() ?? 0)
      #expect(fleet.shares.count == expected.workers && most - least <= 1, "\(name): \(least) to \(most)")
      #expect(expected.refused.contains(fleet.refused), "\(name): \(fleet.refused)")
    }
  }
}

/// Many processes with one database. The database serves one call at a time, in the order of arrival.
private final class Fleet: @unchecked Sendable {
  // `@unchecked Sendable`, because one thread runs all tasks of a world.

  static let jobs = (0..<10).map { number in
    ScheduledJob(
      JobDescription(name: "job\(number)", source: "jikan", streams: [], schedule: "every 30s", timeZone: "UTC"),
      schedule: .every(.seconds(30)), zone: UTCRules())
  }
  private static let callTime: Duration = .milliseconds(1)
  private static let runTime: Duration = .seconds(2)
  /// No job is due in this period, and all workers have started.
  private static let quiet: Range<Duration> = .seconds(12) ..< .seconds(28)

  private(set) var problem: String?
  private(set) var starts: [(job: String, lateness: Duration)] = []
  private(set) var mostRunning = 0
  private(set) var shares: [Int] = []
  private(set) var refused = 0

  private let world = World(seed: 1, keepsTrace: false)
  private let databaseClock = ManualClock()
  private let store: MemoryJobStore
  private var freeAt: Duration = .zero
  private var calls = 0
  private var running = 0
  private var liveTasks = 0

  init() { store = MemoryJobStore(databaseClock) }

  var endings: [String] { store.endings }
  var quietCalls: Double { Double(calls) / ((Self.quiet.upperBound - Self.quiet.lowerBound) / .seconds(1)) }

  /// Starts the workers, lets ten jobs become due once after 30 seconds, and stops the workers when all jobs have run.
  func work(_ workers: Int) {
    simulate(.seconds(52)) {
      (1...workers).map { number in
        let process = VirtualProcess(id: number, world: world)
        let worker = Worker(
          store: QueuedJobStore(fleet: self, process: process), runner: SleepingRunner(fleet: self, process: process),
          clock: process.clock, chance: { 0.5 }, table: { (jobs: Self.jobs, version: 1) }, observer: { _ in })
        start(on: process) { try? await worker.work() }
        return process
      }
    }
  }

  /// Requests permits of one origin in each process for 300 seconds.
  func request(_ workers: Int) {
    let windows = [RateWindow(requests: 3, interval: .seconds(1)), RateWindow(requests: 60, interval: .seconds(60))]
    // The processes share the clock, because a local budget has only one.
    let clock = VirtualProcess(id: 0, world: world).clock
    let budget = LocalRateBudget(windows: windows, clock: clock)
    simulate(.seconds(300)) {
      (1...workers).map { number in
        let process = VirtualProcess(id: number, world: world)
        let limiter = RateLimiter(budget: budget, clock: VirtualClock(process: process, offset: clock.offset))
        start(on: process) { [self] in
          var taken = 0
          do {
            while true {
              try await limiter.permit()
              taken += 1
            }
          } catch let error as SyncError where error.code == .tryLater {
            refused += 1
          } catch {}
          shares.append(taken)
        }
        return process
      }
    }
  }

  private func simulate(_ time: Duration, _ launch: () -> [VirtualProcess]) {
    do throws(World.Violation) {
      try world.queue.bound { () throws(World.Violation) in
        let processes = launch()
        var isOver = false
        world.after(time) { isOver = true }
        try world.run { isOver }
        for process in processes { process.terminate() }
        try world.run { [self] in liveTasks == 0 }
      }
    } catch {
      problem = "\(error)"
    }
  }

  private func start(on process: VirtualProcess, _ body: @escaping @Sendable () async -> Void) {
    liveTasks += 1
    process.task = Task(executorPreference: world.queue) { [self] in
      await body()
      process.end()
      liveTasks -= 1
    }
  }

  func serve<R: Sendable>(
    _ process: VirtualProcess, _ call: @Sendable (MemoryJobStore) async throws -> R
  ) async throws -> R {
    if Self.quiet.contains(world.now) { calls += 1 }
    freeAt = max(freeAt, world.now) + Self.callTime
    try await process.clock.sleep(for: freeAt - world.now)
    databaseClock.set(world.now)
    return try await call(store)
  }

  func run(_ run: TakenJobRun, on process: VirtualProcess) async {
    starts.append((run.key.job, world.now - .seconds(run.key.nominalAt)))
    running += 1
    mostRunning = max(mostRunning, running)
    try? await process.clock.sleep(for: Self.runTime)
    running -= 1
  }
}

private struct SleepingRunner: JobRunner {
  let fleet: Fleet
  let process: VirtualProcess

  func run(_ job: ScheduledJob, _ run: TakenJobRun) async -> JobResult {
    await fleet.run(run, on: process)
    return JobResult(exitStatus: 0, error: nil, isCertified: true)
  }
}

private struct QueuedJobStore: JobStore {
  let fleet: Fleet
  let process: VirtualProcess

  func register(_ jobs: [JobDescription], replacing: Bool) async throws {
    try await fleet.serve(process) { try await $0.register(jobs, replacing: replacing) }
  }

  func board(of jobs: [JobDescription]) async throws -> JobBoard {
    try await fleet.serve(process) { try await $0.board(of: jobs) }
  }

  func record(_ firings: [JobFiring]) async throws {
    try await fleet.serve(process) { try await $0.record(firings) }
  }

  func take(_ jobs: [String]) async throws -> TakenJobRun? {
    // Like `PostgresJobStore`, which queries nothing for an empty list.
    guard !jobs.isEmpty else { return nil }
    return try await fleet.serve(process) { try await $0.take(jobs) }
  }

  func renew(_ run: TakenJobRun) async throws {
    try await fleet.serve(process) { try await $0.renew(run) }
  }

  func end(_ run: TakenJobRun, _ ending: JobEnding) async throws {
    try await fleet.serve(process) { try await $0.end(run, ending) }
  }

  func release(_ run: TakenJobRun, after pause: Duration, error: String?, isFailure: Bool) async throws {
    try await fleet.serve(process) { try await $0.release(run, after: pause, error: error, isFailure: isFailure) }
  }

  func recordWorker(isStopped: Bool) async throws {
    try await fleet.serve(process) { try await $0.recordWorker(isStopped: isStopped) }
  }

  func prune() async throws {
    try await fleet.serve(process) { try await $0.prune() }
  }
}
