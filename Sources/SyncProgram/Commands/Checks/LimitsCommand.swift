import ArgumentParser
import SyncCore
import SyncPostgres

struct LimitsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "limits", abstract: "Show the use of each rate limit, and end pauses.",
      discussion: """
        Examples:
          syncctl limits
          syncctl limits resume \(Registry.names.first ?? "SOURCE")
        """,
      subcommands: [List.self, Resume.self], defaultSubcommand: List.self)
  }

  struct List: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the shared rate limits, with the requests that count against them, and pauses.",
      usage: "syncctl limits list [<options>]",
      discussion: """
        Example:
          syncctl limits --format json
        """)

    @OptionGroup var output: FormatOptions
    @OptionGroup var common: CommonOptions

    func listing() async throws -> Listing {
      let configuration = try common.configuration()
      let budgets = configuration.sources.flatMap { source -> [RequestLimits.Budget] in
        source.services.map { (source: type(of: source).name, origin: $0.origin, windows: $0.limits) }
      }
      let rows = try await Context(configuration: configuration).withExistingMirror {
        try await RequestLimits.list(budgets, in: $0)
      }
      return Listing(
        rows, emptyMessage: "No source is configured.",
        titles: ["requests": "of", "window_seconds": "in (s)", "paused_until": "pause ends"]
      ).laidOut(leaving: ["origin"])
    }
  }

  struct Resume: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        abstract: "End a pause that a service has demanded; requests that already wait are not affected.",
        discussion: """
          Example:
            syncctl limits resume \(Registry.names.first ?? "SOURCE")
          """)
    }

    @Argument(help: "Name of the source.", completion: .list(Registry.names))
    var source: String

    @OptionGroup var common: CommonOptions

    func run() async throws {
      let id = try Registry.source(source).id
      let configuration = try common.configuration()
      let origins = configuration.sources.filter { type(of: $0).id == id }.flatMap(\.services).map(\.origin)
      let wasPaused = try await Context(configuration: configuration).withExistingMirror(.edit) {
        try await RequestLimits.endPauses(of: origins, in: $0)
      }
      StandardStreams().note("\(source): \(wasPaused ? "the pause has ended" : "was not paused")")
    }
  }
}
