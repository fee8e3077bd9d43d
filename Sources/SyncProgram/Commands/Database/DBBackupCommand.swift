import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

struct DBBackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Write a backup of the database, in pg_dump's custom format.",
    discussion: """
      Backs up all of the embedded PostgreSQL, or the syncctl schemas of a configured database. The backup is a \
      consistent snapshot; runs and workers can continue. The file gets its name when it is complete, and only \
      its owner can read it.

      Examples:
        syncctl db backup mirror.dump
        syncctl db backup - | ssh elsewhere 'cat > mirror.dump'
      """)

  @Argument(help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"))
  var file: String

  @Flag(help: "Overwrite the file if it exists.")
  var force = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    guard file != "-" || !streams.output.isTerminal else {
      throw SyncError(
        .usage, "a backup cannot be written to a terminal", hint: "give a file, or redirect standard output")
    }
    let context = try common.context()
    let isWhole = context.embeddedCluster != nil
    let (file, force) = (file, force)
    _ = try await Signals.stopping(onFirst: { streams.note("stopping …") }) {
      try await context.withDatabase { database in
        try await Backup(database, environment: ProcessInfo.processInfo.environment)
          .write(to: file, overwrites: force, whole: isWhole)
        if file != "-" { streams.note("backup of \(database.place) written to \(file)") }
      }
    }
  }
}

struct DBRestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Read a backup into the database, all of it or nothing.",
    discussion: """
      Restores into an empty database; the embedded PostgreSQL is set up if necessary. --replace drops the \
      existing mirror, including favorites, in the same transaction. If other objects depend on the mirror or are \
      in its schemas, the command names them, and drops them only with --drop-dependents. Rights of other roles \
      are not restored: run sql/roles.sql afterwards. A backup can contain any statement, so restore only \
      backups that you trust.

      Examples:
        syncctl db restore mirror.dump
        SYNCCTL_DATA_DIR=/srv/mirror syncctl db restore mirror.dump
      """)

  @Argument(help: ArgumentHelp("The file that db backup wrote; - for standard input.", valueName: "file"))
  var file: String

  @Flag(help: "Drop the existing schemas of syncctl first.")
  var replace = false

  @Flag(help: "With --replace, also drop other objects in these schemas or that depend on them.")
  var dropDependents = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    let context = try common.context()
    let (file, replace, dropDependents) = (file, replace, dropDependents)
    _ = try await Signals.stopping(onFirst: { streams.note("stopping: the database is not changed …") }) {
      let backup = try BackupFile(reading: file)
      defer { backup.close() }
      try await context.withDatabase(writing: { streams.note($0) }) { database in
        let dropped = try await Backup(database, environment: ProcessInfo.processInfo.environment)
          .restore(from: backup, replacing: replace, droppingDependents: dropDependents)
        for name in dropped { streams.note("dropped: \(name)") }
        streams.note("restored into \(database.place)")
        let pending = try await Migrator(database).status().filter { !$0.isApplied }
        if !pending.isEmpty { streams.note("\(pending.summary) pending; syncctl migrate applies them") }
      }
    }
  }
}
