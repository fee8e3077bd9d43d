import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

extension FavoritesCommand {
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write collections to standard output, for favorites import.",
      usage: "syncctl favorites export [<options>]",
      discussion: """
        Notes and times are exact; CSV is not guarded against formulas, so that it comes back as it was.

        Examples:
          syncctl favorites export > favorites.ndjson
          syncctl favorites export --collection owned --format csv
        """)

    @Option(name: .long, help: "ndjson, json or csv.", completion: .list(["ndjson", "json", "csv"]))
    var format: OutputFormat = .ndjson

    @Option(name: .long, help: "The collection to export; all without it.", completion: Completion.collections)
    var collection: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
      guard format != .table else {
        throw SyncError(.usage, "a table cannot be read back", hint: "give ndjson, json or csv as --format")
      }
      let chosen = try collection.map { (name) throws(SyncError) in try FavoriteWords.collection(name) }
      let rows = try await Context(configuration: try common.configuration()).withExistingMirror { database in
        try await Favorites.export(chosen, in: database)
      }
      try StandardStreams().print(Listing(rows, emptyMessage: ""), as: format, guardsFormulas: false)
    }
  }

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read collections that favorites export wrote.",
      discussion: """
        Reads NDJSON, JSON or CSV. Items need not be mirrored yet. An item that is already in its collection \
        keeps its note. Lines that cannot be read are reported and skipped, and the exit status is then 1; all \
        others are added, all of them or none.

        Examples:
          syncctl favorites import favorites.ndjson
          syncctl favorites export | ssh elsewhere syncctl favorites import -
        """)

    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"))
    var file: String

    @OptionGroup var common: CommonOptions

    /// Faults that are told one by one.
    private static let shownFaults = 20

    func run() async throws {
      let contents = try FavoritesFile.read(
        try UserFile.text(
          file, atMost: Limits.favoritesFileBytes, hint: "give a file that favorites export wrote, or -"))
      let streams = StandardStreams()
      let added = try await Context(configuration: try common.configuration()).withExistingMirror(
        .edit, writing: { streams.note($0) }
      ) { database in
        try await Favorites.insert(contents.records, in: database)
      }
      for fault in contents.faults.prefix(Self.shownFaults) { streams.warn(fault) }
      if contents.faults.count > Self.shownFaults {
        streams.warn("and \(HumanFormat.count(contents.faults.count - Self.shownFaults)) more that cannot be read")
      }
      let kept = contents.records.count - added
      try streams.print(
        line: "\(HumanFormat.count(added)) added, \(HumanFormat.count(kept)) already there, "
          + "\(HumanFormat.count(contents.faults.count)) not read")
      if !contents.faults.isEmpty { throw ExitStatus(value: 1) }
    }
  }
}
