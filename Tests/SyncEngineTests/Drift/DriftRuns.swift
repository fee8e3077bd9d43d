import SyncCore
import SyncEngine
import SyncTestKit

struct DriftRuns {
  let settings: DriftSettings
  private let upstream: DriftingUpstream
  private let store = MemoryStore()
  private var generator: SeededGenerator
  /// Ids that were in the mirror but not in the list when the walk began.
  private var missingAtStart: Set<Int64> = []
  private var vanishedBefore: Set<Int64> = []
  private var publishedBefore: Set<Int64> = []
  private(set) var vanished = 0
  private(set) var returned = 0
  private(set) var guarded = 0
  private(set) var resumed = 0
  private(set) var confirmed = 0

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    settings = DriftSettings(&generator)
    upstream = DriftingUpstream(
      DriftingList(settings, SeededGenerator(seed: generator.next())), Recognition.allCases[Int(seed % 3)])
    self.generator = generator
  }

  mutating func run() async throws {
    for number in 0..<4 {
      if number > 0 {
        let shrinks = Int.random(in: 0..<6, using: &generator) == 0
        let changes = Int.random(in: 0...12, using: &generator)
        upstream.withList { list in
          for _ in 0..<changes { list.change() }
          if shrinks { list.shrink(by: 60) }
        }
      }
      try await walk()
    }
  }

  private mutating func walk() async throws {
    upstream.watch()
    let ids = upstream.withList { $0.ids }
    vanishedBefore = await store.vanished
    publishedBefore = await store.published
    missingAtStart = await Set(store.rows.keys).subtracting(ids)
    var pieces = Int.random(in: 0..<3, using: &generator) == 0 ? Int.random(in: 1...4, using: &generator) : 0
    while true {
      var options = StreamRun.Options()
      if pieces > 0 { options.maxPages = Int.random(in: 1...4, using: &generator) }
      pieces -= 1
      let report = try await run(options)
      if report.certificate?.endedBy == .maxPages {
        resumed += 1
        continue
      }
      guard report.error?.code == .guarded else { return try await check(report) }
      guarded += 1
      try await checkUntouched(report)
      options.maxPages = nil
      options.confirms = report.id
      return try await check(run(options))
    }
  }

  private mutating func run(_ options: StreamRun.Options) async throws -> RunReport {
    let clock = ManualClock(isAutomatic: true)
    let report = try await StreamRun(
      stream: upstream, fetcher: .forTests(upstream, clock: clock), store: store, clock: clock, observer: { _ in }
    ).run(options)
    let counters = report.counters
    confirmed += counters.notModified + counters.identical
    let outcomes =
      counters.inserted + counters.updated + counters.unchanged + counters.duplicates + counters.quarantined
    guard counters.rowsSeen == outcomes else {
      throw DriftViolation(rule: .counts, text: "one item has one outcome: \(counters)")
    }
    return report
  }

  private func checkUntouched(_ report: RunReport) async throws {
    let new = await store.vanished.subtracting(vanishedBefore)
    if !new.isEmpty { throw DriftViolation(rule: .vanished, text: "\(new) vanished although the guard stopped it") }
    if await store.published != publishedBefore {
      throw DriftViolation(rule: .published, text: "published although the guard stopped the run")
    }
  }

  private mutating func check(_ report: RunReport) async throws {
    let vanishedNow = await store.vanished
    let new = vanishedNow.subtracting(vanishedBefore)
    let throughout = upstream.withList { $0.throughout }
    let wrong = new.intersection(throughout.union(upstream.there))
    if !wrong.isEmpty { throw DriftViolation(rule: .vanished, text: "\(wrong) vanished, but are there") }
    let isComplete = report.certificate?.complete == true && report.error == nil
    // Only this run's counter is checked, because an earlier run of the walk can have marked items as vanished.
    if report.counters.vanished > 0, settings.kind == .list || !isComplete {
      throw DriftViolation(rule: .vanished, text: "\(new) vanished in a run that proves nothing: \(report.status)")
    }
    if settings.kind == .list, report.certificate?.mayPublish == true, report.error == nil {
      let published = await store.published
      let missed = isComplete && settings.mode == .shown ? throughout.subtracting(published) : []
      if published.count != report.certificate?.distinctKeys || !missed.isEmpty {
        throw DriftViolation(
          rule: .published, text: "\(published.count) published, without \(missed); \(report.certificate as Any)")
      }
    }
    guard settings.kind == .catalogue, isComplete else { return }
    let still = vanishedNow.intersection(throughout)
    if !still.isEmpty { throw DriftViolation(rule: .vanished, text: "\(still) are listed, but marked as vanished") }
    let appeared = upstream.withList { $0.appeared }
    let left = missingAtStart.subtracting(appeared).subtracting(vanishedNow)
    if !left.isEmpty { throw DriftViolation(rule: .vanished, text: "\(left) are removed, but not marked as vanished") }
    vanished += new.count
    returned += vanishedBefore.subtracting(vanishedNow).count
  }
}
