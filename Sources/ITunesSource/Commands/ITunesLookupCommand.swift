import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

struct ITunesLookupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup", abstract: "Show everything about items, by their ids.",
    usage: "syncctl itunes lookup <id> ... [<options>]",
    discussion: """
      Queries the service even for items that the mirror has, unless --offline is given. --entity also fetches \
      related items: the songs of an album, the albums of an artist. Unknown ids are reported with exit \
      status 1; the other items are shown.

      Examples:
        syncctl itunes lookup 1440833098
        syncctl itunes lookup 909253 --entity album --country us
        syncctl itunes lookup 1440833098 1440833099 --offline --format json
      """)

  @OptionGroup var storefront: StorefrontOptions

  @Argument(help: ArgumentHelp("Ids of tracks, albums, artists, podcasts, apps, … .", valueName: "id"))
  var words: [String]

  @Option(
    help: "Also fetch what belongs to the items: song, album, musicVideo, podcastEpisode, …",
    completion: .list(ITunesVocabulary.entities(of: nil)))
  var entity: String?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    let lookup = try ITunesLookup(country: storefront.country, .ids(try ids()), entity: entity)
    guard case .ids(let ids) = lookup.identity else { return }
    let configuration = try common.configuration()
    if storefront.offline {
      streams.note("from the mirror; the service was not queried")
    } else {
      let stream = ITunesStream(lookup, baseURL: try configuration.itunes.baseURL.value)
      try await ITunesQuestion.ask(stream, configuration, said: streams)
    }
    let found = try await Context(configuration: configuration).withExistingMirror { database in
      let found = try await self.found(ids, country: lookup.country, in: database)
      try await ITunesQuestion.note(found.lookups(ids, isOffline: storefront.offline), in: database, said: streams)
      return found
    }
    try streams.printUnlessClosed(Self.listing(found), output)
    let missing = ids.filter { !found.ids.contains($0) }
    for id in missing {
      let isMirrored = found.left.contains(id)
      let advice = isMirrored ? "the mirror has it: --offline shows it" : "check the id, or give another --country"
      streams.fail("\(id): not found in \(lookup.country)", hint: advice)
    }
    if !missing.isEmpty { throw ExitStatus(value: SyncError.Code.missing.exitStatus) }
  }

  private func ids() throws(SyncError) -> [Int64] {
    var ids: [Int64] = []
    for word in words {
      guard let id = Int64(word) else {
        throw SyncError(
          .usage, "\(Excerpt.of(word, scalars: 40)) is not an iTunes id", hint: "ids are whole numbers from 1")
      }
      ids.append(id)
    }
    return ids
  }

  private func found(_ ids: [Int64], country: String, in database: Database) async throws -> ITunesFound {
    let absent = storefront.offline ? [] : try await ITunesQueries.absent(ids, country: country, in: database)
    let present = ids.filter { !absent.contains($0) }
    let rows = try await ITunesQueries.items(present, country: country, in: database)
    let left = absent.isEmpty ? rows : try await ITunesQueries.items(Array(absent), country: country, in: database)
    var found = ITunesFound(items: rows, country: country, left: absent.isEmpty ? [] : left.itemIDs)
    guard let entity else { return found }
    let kind = ITunesChoice.items(media: nil, entity: entity)
    let children = try await ITunesQueries.children(
      of: present, country: country, classes: kind.classes.map(\.rawValue), kinds: kind.kinds, in: database)
    found.children = try await ITunesQueries.items(children, country: country, in: database)
    return found
  }

  /// Returns all items. Tables describe each item in a text, followed by rows of related items.
  private static func listing(_ found: ITunesFound) -> Listing {
    let all = RowSet(columns: found.items.columns, rows: Array(found.items.rows) + Array(found.children?.rows ?? []))
    let children =
      found.children.map { Listing.itunes($0, emptyMessage: "Nothing belongs to it.") }
      ?? Listing(columns: [], emptyMessage: "")
    let hasBoth = !found.items.rows.isEmpty && !children.rows.isEmpty
    return Listing.itunes(all, emptyMessage: "").inTables { _ in
      children.headed { width in
        let blocks = found.items.namedRows.map { ITunesItemText(row: $0).lines(width: width) }
        return Array(blocks.joined(separator: [""])) + (hasBoth ? [""] : [])
      }
    }
  }
}

struct ITunesFound: Sendable {
  let items: RowSet
  let country: String
  /// The mirrored ids that the service did not return.
  let left: Set<Int64>
  var children: RowSet?

  var ids: Set<Int64> { items.itemIDs }

  func lookups(_ ids: [Int64], isOffline: Bool) -> [ITunesQueries.Lookup] {
    let rows = items.namedRows
    return ids.map { id in
      let found = rows.filter { $0["id"] == "\(id)" }
      return ITunesQueries.Lookup(
        action: isOffline ? .show : .lookup, country: country, id: id, itemClass: found.first?["class"],
        results: found.count)
    }
  }
}

extension RowSet {
  fileprivate var itemIDs: Set<Int64> { Set(namedRows.compactMap { $0["id"].flatMap { Int64($0) } }) }
}
