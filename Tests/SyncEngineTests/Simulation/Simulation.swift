import SyncCore
import SyncEngine

/// Simulates one world from a seed. Processes run the engine with a faulty upstream and a faulty database. Then the
/// faults end, and further runs must repair everything.
final class Simulation: @unchecked Sendable {
  // `@unchecked Sendable`, because one thread runs all tasks of a world.

  struct Run {
    enum Outcome {
      case report(RunReport)
      case thrown(any Error)
    }

    let process: VirtualProcess
    let list: Int
    let options: StreamRun.Options
    let startedAt: Duration
    var outcome: Outcome?
    var finishedEvents = 0
    var messages: [String] = []
  }

  let world: World
  let upstream: VirtualUpstream
  let database: VirtualDatabase
  let budget: VirtualBudget
  private(set) var runs: [Run] = []
  private(set) var processes: [VirtualProcess] = []
  private var liveTasks = 0

  init(seed: UInt64, keepsTrace: Bool = false) {
    world = World(seed: seed, keepsTrace: keepsTrace)
    let lists = (0..<(world.happens(0.2) ? 2 : 1)).map { [world] in VirtualList(name: "list\($0)", in: world) }
    let faults = world.happens(0.1) ? UpstreamFaults() : UpstreamFaults(lists: lists, in: world)
    upstream = VirtualUpstream(world: world, lists: lists, faults: faults)
    let databaseFaults = world.happens(0.4) ? DatabaseFaults() : DatabaseFaults(in: world)
    database = VirtualDatabase(world: world, lists: lists.count, faults: databaseFaults)
    budget = VirtualBudget(database: database, windows: Scenario.windows(in: world))
  }

  func run() throws(World.Violation) {
    try world.queue.bound { () throws(World.Violation) in
      Scenario.schedule(self)
      try world.run { [self] in isCalm && liveTasks == 0 }
      Checks(self).all()
      for list in upstream.lists.indices { try converge(list) }
      Checks(self).all()
      if let violation = world.violation { throw violation }
    }
  }

  @discardableResult
  func launch(lists: [Int], _ options: StreamRun.Options) -> VirtualProcess {
    if processes.contains(where: \.isAlive) { world.cover(.secondProcess) }
    let process = VirtualProcess(id: processes.count + 1, world: world)
    processes.append(process)
    world.note(.launch, process.id, lists.count)
    if options.maxPages != nil { world.cover(.maxPages) }
    if options.isFull { world.cover(.fullRun) }
    let fetcher = Fetcher(
      transport: VirtualTransport(process: process, upstream: upstream),
      limiter: RateLimiter(budget: budget.handle(of: process), clock: process.clock), clock: process.clock,
      chance: { [world] in Double.random(in: 0..<1, using: &world.chance) })
    liveTasks += 1
    process.task = Task(executorPreference: world.queue) { [self] in
      for list in lists where process.isAlive { await run(list, process, fetcher, options) }
      process.end()
      liveTasks -= 1
    }
    return process
  }

  private func run(_ list: Int, _ process: VirtualProcess, _ fetcher: Fetcher, _ options: StreamRun.Options) async {
    let number = runs.count
    runs.append(Run(process: process, list: list, options: options, startedAt: world.now))
    process.run = number
    let store = VirtualStore(
      process: process, database: database,
      lists: Dictionary(uniqueKeysWithValues: upstream.lists.enumerated().map { ($1.stream.id, $0) }),
      onCommit: { [self] in Checks(self).committed($0, $1) })
    let run = StreamRun(
      stream: upstream.stream(list), fetcher: fetcher, store: store, clock: process.clock,
      observer: { [self] in observe($0, number) })
    let outcome: Run.Outcome
    do {
      outcome = .report(try await run.run(options))
    } catch {
      outcome = .thrown(error)
    }
    guard process.isAlive else { return }
    runs[number].outcome = outcome
    world.note(.end, process.id, list, text: "\(outcome)")
    Checks(self).ended(runs[number], number)
  }

  private func observe(_ event: RunEvent, _ number: Int) {
    switch event {
    case .waiting(_, .permit): break
    case .waiting(_, .retry(let error, _)), .waitingForLease(_, let error):
      runs[number].messages.append(error.description)
    case .finished: runs[number].finishedEvents += 1
    case .opened, .page, .documents: break
    }
  }

  private(set) var isCalm = false

  func calm() {
    world.note(.calm, 0)
    isCalm = true
    upstream.faults = UpstreamFaults()
    database.faults = DatabaseFaults()
    for process in processes where process.state == .frozen {
      if world.happens(0.5) { process.kill() } else { process.thaw() }
    }
  }

  /// Runs a list. If this run only finishes an old walk with holes, runs the list again.
  private func converge(_ list: Int) throws(World.Violation) {
    // The run waits until the lease and all pauses end. Pauses last longer if the database's clock was set back.
    let state = database.states[list]
    let lease = state.owner == nil ? .zero : state.expiresAt - database.now
    let silence = (budget.pauses.map(\.until).max() ?? .zero) - world.now + database.clockLag
    var isQuiet = false
    world.after(max(lease, silence) + .seconds(1)) { isQuiet = true }
    try world.run { isQuiet }
    for _ in 0..<2 {
      launch(lists: [list], StreamRun.Options())
      try world.run { [self] in liveTasks == 0 }
      if Checks(self).isWhole(list, runs.last) { return }
    }
    world.violate(
      .convergence, "list \(list) is not whole after two runs without faults: \(String(describing: runs.last))")
    if let violation = world.violation { throw violation }
  }
}
