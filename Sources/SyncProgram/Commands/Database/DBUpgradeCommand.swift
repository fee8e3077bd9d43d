import ArgumentParser
import SyncCore
import SyncPostgres

struct DBUpgradeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Move the embedded PostgreSQL's data to the newest major version that is installed.",
    discussion: """
      The server that wrote the data and the new one must both be installed. The data are dumped and restored; \
      meanwhile no other command can use them. The old database is kept until --remove-old removes it. \
      SYNCCTL_PG_BINDIR=OLD/bin:NEW/bin names server programs that are not found automatically.

      Examples:
        syncctl db upgrade
        syncctl db upgrade --remove-old
      """)

  @Flag(name: .long, help: "Remove the databases that earlier upgrades have kept; upgrade nothing.")
  var removeOld = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    try await DBCommand.withCluster(common) { cluster in
      if removeOld {
        let removed = try await cluster.removeKept()
        if removed.isEmpty { streams.note("no old database is kept in \(cluster.location.folder)") }
        for folder in removed { try streams.print(line: "removed \(folder)") }
        return
      }
      let (upgrade, _) = try await Signals.stopping(
        onFirst: { streams.note("stopping: the old database stays as it is …") }, { try await cluster.upgrade() })
      guard let upgrade else {
        return try streams.print(line: "nothing to do: no newer PostgreSQL is installed than the one of the data")
      }
      try streams.print(line: "upgraded from PostgreSQL \(upgrade.from) to \(upgrade.to)")
      streams.note("the old database is kept in \(upgrade.kept); syncctl db upgrade --remove-old removes it")
      streams.note("to go back to it: syncctl db stop, then rename that folder to postgres")
    }
  }
}
