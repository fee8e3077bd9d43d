import ArgumentParser
import SyncCore
import SyncPostgres

extension FavoritesCommand {
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write collections to standard output, for favorites import.",
      usage: "syncctl favorites export [<options>]",
      discussion: """
        Notes, times and imported values are exported unchanged; in CSV they are not guarded against formulas, so \
        that an import restores them exactly. favorites import ignores title and url, which are for readers.

        Examples:
          syncctl favorites export > favorites.ndjson
          syncctl favorites export --collection owned --format csv
        """)

    @Option(help: "ndjson, json or csv.", completion: .list(["ndjson", "json", "csv"]))
    var format: OutputFormat = .ndjson

    @Option(help: "The collection to export (default: all).", completion: Completion.collections)
    var collection: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
      guard format != .table else {
        throw SyncError(.usage, "a table cannot be read back", hint: "give ndjson, json or csv as --format")
      }
      let chosen = try collection.map { (name) throws(SyncError) in try FavoriteWords.collection(name) }
      let rows = try await common.context().withExistingMirror { database in
        try await Favorites.check(collection: chosen, in: database)
        return try await Favorites.export(chosen, in: database)
      }
      // The protection against CSV formulas changes the text. Only these two columns are protected, because an import
      // ignores them.
      let listing = Listing(rows, emptyMessage: "").inCSV { $0.guarding("title", "url") }
      try StandardStreams().print(listing, as: format, guardsFormulas: false)
    }
  }

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read collections from favorites export, or a list from MyAnimeList.",
      usage: "syncctl favorites import <file> [<options>]",
      discussion: """
        Reads NDJSON, JSON or CSV, or the XML of MyAnimeList's Export List page, also compressed with gzip. Items \
        need not be mirrored yet. An item that is already in its collection keeps its note. Unreadable lines are \
        reported and skipped, with exit status 1; the other lines are added in one transaction.

        A MyAnimeList list is added to the collection myanimelist, or to that of --collection, with status, score, \
        progress, dates, tags and comments (as notes). A later export replaces them, except for notes. If an entry \
        is listed twice, the later one is used. Unreadable values of an entry are omitted and reported, with exit \
        status 1.

        Examples:
          syncctl favorites import favorites.ndjson
          syncctl favorites import animelist.xml.gz --collection anime
          syncctl favorites export | ssh elsewhere syncctl favorites import -
        """)

    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"))
    var file: String

    @Option(
      help: "The collection for a MyAnimeList list (default: myanimelist).", completion: Completion.collections)
    var collection: String?

    @OptionGroup var common: CommonOptions

    private static let shownFaults = 20

    func run() async throws {
      let chosen = try collection.map { (name) throws(SyncError) in try FavoriteWords.collection(name) }
      let text = try UserFile.text(
        file, atMost: Limits.favoritesFileBytes, hint: "give a file that favorites export wrote, or -"
      ) { GzipFile.isGzip($0) ? try GzipFile.unpacked($0, limit: Limits.favoritesFileBytes) : $0 }
      let contents = try FavoritesFile.read(text, into: chosen)
      let streams = StandardStreams()
      let imported = try await common.context().withExistingMirror(.edit) { database in
        try await Favorites.insert(contents.records, isNewer: contents.isNewer, in: database)
      }
      let faults = contents.faults + contents.remarks
      for fault in faults.prefix(Self.shownFaults) { streams.warn(fault) }
      if faults.count > Self.shownFaults {
        streams.warn("and \(HumanFormat.count(faults.count - Self.shownFaults)) more like these")
      }
      if contents.repeated > 0 {
        streams.note("listed again: \(HumanFormat.count(contents.repeated)); the last entry with the same id is used")
      }
      if imported.missing > 0 {
        streams.note(
          "not mirrored yet: \(HumanFormat.count(imported.missing)); favorites list shows such items as missing until "
            + "a run has fetched them")
      }
      let counts = [
        "\(HumanFormat.count(imported.added)) added",
        imported.updated > 0 ? "\(HumanFormat.count(imported.updated)) updated" : nil,
        "\(HumanFormat.count(contents.records.count - imported.added - imported.updated)) already there",
        "\(HumanFormat.count(contents.faults.count)) not read",
      ]
      try streams.print(line: counts.compactMap(\.self).joined(separator: ", "))
      if !faults.isEmpty { throw ExitStatus(value: 1) }
    }
  }
}
