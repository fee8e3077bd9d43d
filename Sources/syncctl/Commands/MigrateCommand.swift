import ArgumentParser
import SyncCore
import SyncPostgres

struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring the database's schema up to date.",
    discussion: """
      All pending steps are applied in one transaction, or none. syncctl run does this by itself.

      Examples:
        syncctl migrate --status
        syncctl migrate --dry-run
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  @Flag(name: .long, help: "Show every step and whether it was applied; change nothing.")
  var status = false

  @Flag(name: .long, help: "Show the steps that would be applied; change nothing.")
  var dryRun = false

  func run() async throws {
    let streams = StandardStreams()
    try await Context(configuration: try common.configuration()).withDatabase(makes: !status && !dryRun) { database in
      let migrator = Migrator(database)
      if status {
        try streams.print(
          listing(try await migrator.status(), empty: "This syncctl has no migrations."), as: output.format)
      } else if dryRun {
        let pending = try await migrator.status().filter { $0.appliedAt == nil }
        try streams.print(listing(pending, empty: "Nothing to do: the schema is up to date."), as: output.format)
      } else {
        let applied = try await migrator.migrate()
        try streams.print(listing(applied, empty: "Nothing to do: the schema is up to date."), as: output.format)
      }
    }
  }

  private func listing(_ steps: [Migrator.Step], empty: String) -> Listing {
    Listing(
      columns: [Column("version"), Column("name"), Column("applied_at", title: "applied at")],
      rows: steps.map { [.int(Int64($0.version)), .text($0.name), $0.appliedAt.map { .time($0) } ?? .null] },
      emptyMessage: empty)
  }
}
