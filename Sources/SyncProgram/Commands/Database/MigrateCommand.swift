import ArgumentParser
import SyncCore
import SyncPostgres

struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring the database's schema and the columns of stored documents up to date.",
    usage: "syncctl migrate [<options>]",
    discussion: """
      Applies all pending steps in one transaction: migrations, then functions and views if they have changed. \
      Then it creates and changes the tables of declared sources (type: rest_api). \
      syncctl run does so, too, except in a database without a mirror whose address is from DATABASE_URL or \
      libpq's variables: there, migrate must create the mirror first.

      If this version derives other columns, documents that an older syncctl stored are read again, without a \
      request. They do not count as changed. The command can be stopped at any time; the next migrate resumes.

      Examples:
        syncctl migrate --status
        syncctl migrate --drop-columns
        syncctl migrate --dry-run
      """)

  @Flag(help: "Show every step and whether it was applied; change nothing.")
  var status = false

  @Flag(help: "Show the steps that would be applied; change nothing.")
  var dryRun = false

  @Flag(help: "Drop columns of declared sources that are no longer declared, and derive changed ones again.")
  var dropColumns = false

  @Flag(help: "Delete the older of two rows of a declared source whose keys differ only in their spelling.")
  var mergeKeys = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    try output.check(listing([], empty: ""))
    let declared = DeclaredSchema(Registry.sources.flatMap(\.tables))
    let streams = StandardStreams()
    let context = try common.context()
    guard status || dryRun else {
      return try await context.withDatabase(writing: { streams.note($0) }) { database in
        let applied = try await Migrator(database).migrate()
        let changes = try await declared.migrate(
          in: database, dropsColumns: dropColumns, mergesKeys: mergeKeys)
        try streams.print(
          listing(
            applied, empty: changes.isEmpty ? "Nothing to do: the schema is up to date." : "No migration was pending."),
          output)
        for change in changes { streams.note("\(change.table): \(change.text)") }
        try await context.setRetention(in: database) { streams.note($0) }
        do { try await Migrator(database).expectUsable() } catch let error as SyncError {
          return streams.warn("\(error)")
        }
        try await derive(StoredDocuments.rederivation(in: database), streams)
      }
    }
    try await context.withDatabase { database in
      let migrator = Migrator(database)
      let steps = try await migrator.status()
      let pending = steps.filter { !$0.isApplied }
      let changes = try await declared.pending(in: database, dropsColumns: dropColumns)
      let none =
        status
        ? "This syncctl has no migrations."
        : changes.contains(where: \.isDone)
          ? "No migration is pending." : "Nothing to do: the schema is up to date."
      try streams.print(listing(status ? steps : pending, empty: none), output)
      if dryRun { try await migrator.expectNoForeignSchema() }
      for change in changes { streams.note("\(change.isDone ? "pending: " : "")\(change.table): \(change.text)") }
      // A pending migration may add the columns that `rederivation` reads.
      guard pending.isEmpty else { return }
      let rederivation = try await StoredDocuments.rederivation(in: database)
      for waiting in try await rederivation.waiting() { streams.note("\(waiting.text) to be read again") }
    }
  }

  private func derive(_ rederivation: Rederivation, _ streams: StandardStreams) async throws {
    for waiting in try await rederivation.waiting() { streams.note("reading \(waiting.text) again …") }
    for outcome in try await rederivation.derive() {
      streams.note("\(outcome.name): \(HumanFormat.count(outcome.derived)) documents read again")
      if let first = outcome.firstRefused {
        streams.warn(
          "\(outcome.name): \(HumanFormat.count(outcome.refused)) documents cannot be read by this version and stay "
            + "as they are, the first of them \(first.key ?? 0) (\(first.reason), \(first.detail)); a run replaces "
            + "them with the upstream's documents")
      }
      if let first = outcome.firstDamaged {
        streams.warn(
          "\(outcome.name): \(HumanFormat.count(outcome.damaged)) documents do not match their hash and were not read "
            + "again, the first of them \(first); the next run fetches them, except vanished documents")
      }
    }
  }

  private func listing(_ steps: [Migrator.Step], empty: String) -> Listing {
    Listing(
      columns: [Column("version"), Column("name"), Column("applied_at", title: "applied at")],
      rows: steps.map { step in
        [step.version.map { .int(Int64($0)) } ?? .null, .text(step.name), step.appliedAt.map { .time($0) } ?? .null]
      }, emptyMessage: empty)
  }
}

extension Rederivation.Waiting {
  var text: String { "\(HumanFormat.count(documents)) documents of \(name) from another version" }
}
