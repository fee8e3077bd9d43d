import ArgumentParser
package import SyncCore
package import SyncPostgres

struct RankingsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let rankings = Registry.sources.flatMap { $0.rankings }
    let shared: [any ParsableCommand.Type] = rankings.isEmpty ? [] : [MoversCommand.self, ListHistoryCommand.self]
    return CommandConfiguration(
      commandName: "rankings", abstract: "Show current and past rankings from the mirror.",
      discussion: """
        Examples:
        \(Registry.examples(Registry.sources.flatMap { $0.help.rankings }))
        """, subcommands: rankings + shared, defaultSubcommand: rankings.first)
  }
}

struct MoversCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let movers = Registry.sources.flatMap { $0.movers }
    return CommandConfiguration(
      commandName: "movers", abstract: "Show which entries have moved in a list since a time.",
      discussion: """
        Examples:
        \(Registry.examples(movers.map { "rankings movers \($0._commandName) --since 24h" }))
        """, subcommands: movers, defaultSubcommand: movers.first)
  }
}

struct ListHistoryCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let histories = Registry.sources.flatMap { $0.listHistories }
    return CommandConfiguration(
      commandName: "history", abstract: "Show the history of one entry of a list.",
      discussion: """
        Examples:
        \(Registry.examples(histories.map { "rankings history \($0._commandName) ID" }))
        """, subcommands: histories)
  }
}

/// The option `--since`, where an answer about the past begins (default: 7 days ago).
package struct SinceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A date, a time, or an age such as 24h, 7d or 2w.", valueName: "time"))
  package var since = "7d"

  package init() {}

  /// Returns the option's time. Throws `SyncError` `.usage` if the text is not a time.
  package func moment() throws(SyncError) -> Moment { try Moment(since, option: "--since") }
}

extension StandardStreams {
  /// Notes that the answer begins later than the user asked, because the history does. Call it only for such an answer.
  ///
  /// - Parameter history: The time of the first publication, as shown to the user.
  package func noteBeginning(of history: String) { note("the history begins at \(history); shown from there") }
}
