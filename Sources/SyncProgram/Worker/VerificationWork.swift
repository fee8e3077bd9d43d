import SyncCore
import SyncPostgres

struct VerificationWork: Sendable {
  let configuration: Configuration
  let choice: StreamChoice
  var repairs = false
  var isConfirmed = false
  var isPartial = false
  let announcer: Announcer
  let clock: SystemClock

  func run(_ report: (MirrorDifference) throws -> Void) async throws -> [VerificationRecord] {
    let context = Context(configuration: configuration)
    return try await context.withExistingMirror(
      repairs ? .edit : .question, options: context.runOptions(announcer.note)
    ) { database in
      if repairs { try await context.tell(database, announcer.note) }
      var records: [VerificationRecord] = []
      for (source, selection) in choice.of(configuration.sources) {
        records.append(try await verify(source, selection, in: database, report))
      }
      return records
    }
  }

  func verify(
    _ source: any Source, _ selection: StreamSelection, in database: Database,
    _ report: (MirrorDifference) throws -> Void
  ) async throws -> VerificationRecord {
    let start = clock.now()
    let mappings = try await source.definition.mappings(database)
    let streams: [String]? = if case .named(let names) = selection { names } else { nil }
    var said = start
    let verification = Verification(database, source: source.id, mappings, streams: streams, isPartial: isPartial)
    let outcome = try await verification.run(
      progress: { checked in
        guard clock.now() - said >= .seconds(10) else { return }
        said = clock.now()
        announcer.note("\(source.name): verified \(HumanFormat.count(checked.documents)) documents …")
      }, report: report)
    var record = VerificationRecord(
      source: source.id, streams: streams, time: clock.now() - start, outcome: outcome, repaired: Repair.Tally())
    if repairs, !outcome.plan.isEmpty {
      try guardRepair(outcome, of: source.id)
      record.repaired = try await Repair(
        database, source: source.id, mappings, ttl: configuration.runs.leaseTTL.value
      ).apply(outcome.plan)
      tell(record.repaired, outcome, source.name)
    }
    await keep(record, in: database)
    return record
  }

  /// Throws an error if too many documents differ, because a fault of the program is then more likely than wrong rows.
  private func guardRepair(_ outcome: Verification.Tally, of source: SourceID) throws(SyncError) {
    guard !isConfirmed, ShrinkGuard.wholeList.refuses(removing: outcome.plan.count, of: outcome.checked.documents)
    else { return }
    throw SyncError(
      .guarded,
      "\(source): \(outcome.plan.count) of \(outcome.checked.documents) documents differ; nothing was repaired",
      hint: "check the differences; if they are real, add --confirm")
  }

  private func tell(_ repaired: Repair.Tally, _ outcome: Verification.Tally, _ source: String) {
    var parts = ["documents derived again: \(repaired.derived)", "noted for the next run: \(repaired.noted)"]
    if outcome.plan.lasting > 0 { parts.append("differences that cannot be repaired: \(outcome.plan.lasting)") }
    announcer.note("\(source): \(parts.joined(separator: ", "))")
    if let refused = repaired.refused.first {
      announcer.warn(
        "\(source): documents that could not be derived: \(repaired.refused.count); the first is "
          + "\(refused.key.map(String.init) ?? "–"): \(refused.reason), \(refused.detail)")
    }
  }

  /// On a standby or with a read-only role, the verification succeeds without a stored result.
  private func keep(_ record: VerificationRecord, in database: Database) async {
    do {
      // On a read-only server, the write would wait for a new primary.
      guard try await !database.isReadOnly() else {
        announcer.note("the result was not stored in sync.verification: the server is read-only")
        return
      }
      try await record.keep(in: database)
    } catch {
      announcer.note("the result was not stored in sync.verification: \(error)")
    }
  }
}

extension VerificationRecord {
  static func checked(_ records: [VerificationRecord]) -> String {
    records.reduce(into: Verification.Checked()) { $0 += $1.outcome.checked }.json
  }

  static func summary(_ records: [VerificationRecord]) -> Listing {
    Listing(
      columns: [
        Column("source"), Column("documents"), Column("lists"), Column("entries"), Column("intervals"), Column("runs"),
        Column("differences"), Column("derived"), Column("noted"), Column("seconds"),
      ],
      rows: records.map { record in
        let checked = record.outcome.checked
        let numbers = [
          checked.documents, checked.lists, checked.entries, checked.intervals, checked.runs,
          record.outcome.differences, record.repaired.derived, record.repaired.noted,
        ]
        return [.text(record.source.rawValue)] + numbers.map { .int(Int64($0)) }
          + [.number(String((record.time / .milliseconds(100)).rounded() / 10))]
      }
    ).laidOut(
      hiding: records.contains { $0.repaired != Repair.Tally() } ? [] : ["derived", "noted"],
      leaving: ["runs"], ["intervals"], ["lists"])
  }
}
