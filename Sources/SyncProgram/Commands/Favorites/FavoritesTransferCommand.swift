import ArgumentParser
import SyncCore
import SyncPostgres

extension FavoritesCommand {
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write collections to standard output, for favorites import.",
      usage: "syncctl favorites export [<options>]",
      discussion: """
        Notes, times and what an import brought are exact; in CSV they are not guarded against formulas, so that \
        they come back as they were. title and url are for people: favorites import ignores them.

        Examples:
          syncctl favorites export > favorites.ndjson
          syncctl favorites export --collection owned --format csv
        """)

    @Option(help: "ndjson, json or csv.", completion: .list(["ndjson", "json", "csv"]))
    var format: OutputFormat = .ndjson

    @Option(help: "The collection to export; all without it.", completion: Completion.collections)
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
      // Only titles and addresses are guarded, because an import ignores them.
      let listing = Listing(rows, emptyMessage: "")
      try StandardStreams().print(
        format == .csv ? listing.guarding("title", "url") : listing, as: format, guardsFormulas: false)
    }
  }

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read collections that favorites export wrote, or a list of MyAnimeList.",
      usage: "syncctl favorites import <file> [<options>]",
      discussion: """
        Reads NDJSON, JSON or CSV, or the XML that MyAnimeList's page Export List gives, packed by gzip or not. \
        Items need not be mirrored yet. An item that is already in its collection keeps its note. Lines that cannot \
        be read are reported and skipped, and the exit status is then 1; all others are added, all of them or none.

        A list of MyAnimeList goes into the collection myanimelist, or into that of --collection, with status, \
        score, progress, dates, tags and comments (as notes). A later export replaces them, except for notes. If an \
        entry is listed twice, the later one is taken. Of an entry with a value that cannot be read, the rest is \
        kept; this is reported too, with exit status 1.

        Examples:
          syncctl favorites import favorites.ndjson
          syncctl favorites import animelist.xml.gz --collection anime
          syncctl favorites export | ssh elsewhere syncctl favorites import -
        """)

    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"))
    var file: String

    @Option(
      help: "The collection for a list of MyAnimeList; myanimelist without it.", completion: Completion.collections)
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
        streams.note(
          "listed again: \(HumanFormat.count(contents.repeated)); of entries with the same id, the last one is taken")
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
