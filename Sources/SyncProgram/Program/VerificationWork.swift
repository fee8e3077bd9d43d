import SyncCore
import SyncEngine
import SyncPostgres
import Synchronization

/// Verifies sources, repairs them if wanted, and keeps what was found.
struct VerificationWork: Sendable {
  let configuration: Configuration
  let choice: StreamChoice
  var extent = Extent.local
  var repairs = false
  /// A person has seen that there are more differences than usual.
  var isConfirmed = false
  /// A stream that has published nothing is no error.
  var isPartial = false
  let reporter: RunReporter
  let clock: SystemClock

  /// What the mirror is compared with.
  enum Extent: Equatable {
    /// With itself.
    case local
    /// And with some of what the upstream has, or all of it.
    case sample(SampleSize)
    case upstream

    var mode: VerificationRecord.Mode {
      switch self {
      case .local: .local
      case .sample: .sample
      case .upstream: .upstream
      }
    }
  }

  /// What a verification came to.
  struct Outcome: Sendable {
    var records: [VerificationRecord] = []
    /// How far the upstream was read.
    var upstream = Runner.Outcome()
  }

  typealias Report = @Sendable (MirrorDifference) throws -> Void

  private var announcer: Announcer { reporter.announcer }
  /// Differences from the upstream are written by a run.
  private var runs: Bool { repairs && extent == .upstream }

  /// - Parameter report: told of each difference. What it throws ends the work.
  func run(_ report: @escaping Report) async throws -> Outcome {
    let context = Context(configuration: configuration)
    return try await context.withExistingMirror(
      repairs || extent != .local ? .edit : .question, options: context.runOptions(announcer.note),
      writing: repairs ? announcer.note : nil
    ) { database in
      var outcome = Outcome()
      if extent != .local { try await UpstreamDifferences.checkRights(in: database) }
      for (source, selection) in choice.of(configuration.sources) {
        if extent == .local {
          outcome.records.append(try await verify(type(of: source), selection, in: database, report))
        } else {
          try await compare(source, selection, in: database, &outcome, report)
        }
      }
      if extent != .local, outcome.upstream.reports.isEmpty, outcome.upstream.refusals.isEmpty {
        throw SyncError(
          .missing, "nothing that is mirrored can be compared with its upstream", hint: "syncctl run fills the mirror")
      }
      return outcome
    }
  }

  /// One source, with what its upstream has besides. A verification that could not be finished is kept as what it was:
  /// one of the mirror alone.
  private func compare(
    _ source: any Source, _ selection: StreamSelection, in database: Database, _ outcome: inout Outcome,
    _ report: @escaping Report
  ) async throws {
    let kind = type(of: source)
    let start = clock.now()
    var local = try await found(kind, selection, in: database, report)
    if repairs { try guardRepair(local.outcome, of: kind.id) }
    if runs { local.repaired = try await repair(kind, local.outcome, in: database) }
    let names = try await streams(of: source, selection, in: database)
    let found = UpstreamFindings(local.outcome, database, report)
    var upstream = Runner.Outcome()
    if !names.isEmpty, !outcome.upstream.isOver {
      var runner = Runner(
        configuration: configuration, choice: StreamChoice(kind.id, names), maxPages: nil, isFull: true, waits: false,
        adoptsOrigin: false, refreshes: false, confirms: nil,
        changes: ChangeReceiver(isDry: !runs, take: found.take, hasFailed: { found.failure != nil }),
        reporter: reporter, clock: clock)
      if case .sample(let size) = extent { runner.sample = size }
      runner.announceServices()
      upstream = try await runner.run(in: database)
      if let failure = found.failure { throw failure }
      try Task.checkCancellation()
    }
    outcome.upstream.reports += upstream.reports
    outcome.upstream.refusals += upstream.refusals
    var whole = found.outcome
    whole.checked.requests += upstream.reports.reduce(0) { $0 + $1.counters.requests }
    if repairs, !runs { local.repaired = try await repair(kind, whole, in: database) }
    let record = VerificationRecord(
      source: kind.id, mode: extent.mode, streams: local.streams, time: clock.now() - start, outcome: whole,
      repaired: local.repaired)
    await keep(upstream.isSteady ? record : local, in: database)
    outcome.records.append(record)
  }

  /// The chosen streams that have published, and that runs fetch.
  private func streams(
    of source: any Source, _ selection: StreamSelection, in database: Database
  ) async throws -> [String] {
    let published = try await UpstreamDifferences.streams(of: type(of: source).id, in: database)
    if case .named(let names) = selection { return names.filter(published.contains) }
    let kept = published.filter(source.keepsStream)
    let others = published.count - kept.count
    if others > 0 {
      let streams = others == 1 ? "1 stream is" : "\(others) streams are"
      announcer.note("\(type(of: source).name): \(streams) not configured, and not compared with the upstream")
    }
    return kept
  }

  /// One source, in a mirror that is open.
  func verify(
    _ source: any Source.Type, _ selection: StreamSelection, in database: Database,
    _ report: (MirrorDifference) throws -> Void
  ) async throws -> VerificationRecord {
    var record = try await found(source, selection, in: database, report)
    if repairs {
      try guardRepair(record.outcome, of: source.id)
      record.repaired = try await repair(source, record.outcome, in: database)
    }
    await keep(record, in: database)
    return record
  }

  private func found(
    _ source: any Source.Type, _ selection: StreamSelection, in database: Database,
    _ report: (MirrorDifference) throws -> Void
  ) async throws -> VerificationRecord {
    let start = clock.now()
    let mappings = try await source.mappings(in: database)
    let streams: [String]? = if case .named(let names) = selection { names } else { nil }
    var said = start
    let verification = Verification(
      database, source: source.id, mappings, streams: streams, isPartial: isPartial)
    let outcome = try await verification.run(
      progress: { checked in
        guard clock.now() - said >= .seconds(10) else { return }
        said = clock.now()
        announcer.note("\(source.name): verified \(HumanFormat.count(checked.documents)) documents …")
      }, report: report)
    return VerificationRecord(
      source: source.id, mode: .local, streams: streams, time: clock.now() - start, outcome: outcome,
      repaired: Repair.Outcome())
  }

  private func repair(
    _ source: any Source.Type, _ outcome: Verification.Outcome, in database: Database
  ) async throws -> Repair.Outcome {
    guard !outcome.plan.isEmpty else { return Repair.Outcome() }
    let mappings = try await source.mappings(in: database)
    let repaired = try await Repair(
      database, source: source.id, mappings, ttl: configuration.runs.leaseTTL.value
    ).apply(outcome.plan)
    tell(repaired, outcome, source.name)
    return repaired
  }

  /// A fault of the program would find that all of a mirror is wrong. Upstreams differ in any number of items.
  private func guardRepair(_ outcome: Verification.Outcome, of source: SourceID) throws(SyncError) {
    guard !isConfirmed,
      ShrinkGuard.wholeList.refuses(removing: outcome.plan.count, of: outcome.checked.documents)
    else { return }
    throw SyncError(
      .guarded,
      "\(source): \(outcome.plan.count) of \(outcome.checked.documents) documents differ; nothing was repaired",
      hint: "look at the differences; if they are real, add --confirm")
  }

  private func tell(_ repaired: Repair.Outcome, _ outcome: Verification.Outcome, _ source: String) {
    var parts = ["documents derived again: \(repaired.derived)", "noted for the next run: \(repaired.noted)"]
    if outcome.plan.lasting > 0 { parts.append("differences that cannot be repaired: \(outcome.plan.lasting)") }
    announcer.note("\(source): \(parts.joined(separator: ", "))")
    if let refused = repaired.refused.first {
      announcer.warn(
        "\(source): documents that could not be derived: \(repaired.refused.count); the first is "
          + "\(refused.key.map(String.init) ?? "–"): \(refused.reason), \(refused.detail)")
    }
  }

  /// A standby, and a role that only reads, can verify as well.
  private func keep(_ record: VerificationRecord, in database: Database) async {
    do {
      // A write would wait until another server has taken over, once for each source.
      guard try await !database.isReadOnly() else {
        announcer.note("the result is not kept in sync.verification: the server is read-only")
        return
      }
      try await record.keep(in: database)
    } catch {
      announcer.note("the result is not kept in sync.verification: \(error)")
    }
  }
}

/// What the mirror and the upstream differ in, with what the mirror alone has shown.
private final class UpstreamFindings: Sendable {
  private struct State {
    var outcome: Verification.Outcome
    var failure: (any Error)?
  }

  private let state: Mutex<State>
  private let database: Database
  private let report: VerificationWork.Report

  init(_ outcome: Verification.Outcome, _ database: Database, _ report: @escaping VerificationWork.Report) {
    state = Mutex(State(outcome: outcome))
    self.database = database
    self.report = report
  }

  var outcome: Verification.Outcome { state.withLock { $0.outcome } }
  /// Why no more can be reported, mostly because the reader has ended.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// - Throws: `CancellationError` when no more can be reported, because continuing is useless.
  @Sendable func take(_ changes: [PlannedChange], of stream: StreamDescription) async throws {
    let found = try await UpstreamDifferences.of(changes, stream, in: database)
    try state.withLock { state in
      guard state.failure == nil else { throw CancellationError() }
      let new = state.outcome.add(found.differences, in: found.space)
      do {
        for difference in new { try report(difference) }
      } catch {
        state.failure = error
        throw CancellationError()
      }
    }
  }
}

extension VerificationRecord {
  /// How much was compared in all, as JSON.
  static func checked(_ records: [VerificationRecord]) -> String {
    records.reduce(into: Verification.Checked()) { $0 += $1.outcome.checked }.json
  }

  /// A line per source.
  static func summary(_ records: [VerificationRecord]) -> Listing {
    Listing(
      columns: [
        Column("source"), Column("documents"), Column("lists"), Column("entries"), Column("intervals"), Column("runs"),
        Column("requests"), Column("differences"), Column("derived"), Column("noted"), Column("seconds"),
      ],
      rows: records.map { record in
        let checked = record.outcome.checked
        let numbers = [
          checked.documents, checked.lists, checked.entries, checked.intervals, checked.runs,
          checked.requests, record.outcome.differences, record.repaired.derived, record.repaired.noted,
        ]
        return [.text(record.source.rawValue)] + numbers.map { .int(Int64($0)) }
          + [.number(String((record.time / .milliseconds(100)).rounded() / 10))]
      }
    ).laidOut(
      hiding: Set(records.contains { $0.repaired != Repair.Outcome() } ? [] : ["derived", "noted"])
        .union(records.contains { $0.outcome.checked.requests > 0 } ? [] : ["requests"]),
      leaving: ["runs"], ["intervals"], ["lists"])
  }
}
