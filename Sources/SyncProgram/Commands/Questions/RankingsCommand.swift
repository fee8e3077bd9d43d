import ArgumentParser

struct RankingsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "rankings",
      abstract: "Show rankings from the mirror, as they are and as they were.",
      discussion: """
        Examples:
        \(Registry.examples(Registry.sources.flatMap { $0.help.rankings }))
        """,
      subcommands: Registry.sources.flatMap { $0.rankings })
  }
}

extension StandardStreams {
  /// Says that a question about a time before the history is answered from its beginning.
  package func noteBeginning(of history: String) { note("the history begins at \(history); shown from there") }
}
