import ArgumentParser
import SyncCore
import SyncPostgres

/// The command `syncctl search`.
struct SearchCommand: ListingCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "search", abstract: "Find anything that is mirrored by words of its title.",
      usage: "syncctl search <words> ... [<options>]",
      discussion: """
        Searches the titles of all sources in all their languages, and favorites with their notes. Case, accents \
        and the width of letters are ignored. The results are grouped by kind, and each has the command that shows \
        it: exact titles first, then titles that begin with the words, then the other titles, the most popular first. \
        Typing errors are tolerated only if nothing else is found. No service is queried.

        Exit status 1: nothing was found.

        Examples:
          syncctl search bebop
          syncctl search 進撃の巨人
          syncctl search thunder punch --limit 0 --format json
        """)
  }

  @Argument(help: ArgumentHelp("Words of a title, in any script.", valueName: "words"))
  var words: [String]

  @OptionGroup var limit: LimitOptions<FiveRows>
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    guard let request = SearchRequest(words.joined(separator: " "), limit: try limit.rows()) else {
      throw SyncError(.usage, "there is nothing to search for", hint: "give words of a title")
    }
    let configuration = try common.configuration()
    let options = Database.Options(statementTimeout: Limits.pageStatementTimeout)
    let found = try await Context(configuration: configuration).withExistingMirror(options: options) { database in
      try await MirrorSearch.run(request, configuration.sources, readsNotes: true, in: database)
    }
    for failure in found.failures { StandardStreams().warn(failure) }
    guard !found.parts.isEmpty else {
      throw SyncError(
        .missing, "nothing in the mirror is called \(Excerpt.of(request.text, scalars: 60))",
        hint: "give fewer words, or another spelling; syncctl status shows what is mirrored")
    }
    return Self.listing(found)
  }

  static func listing(_ found: MirrorSearch) -> Listing {
    let columns = [
      Column("group"), Column("source"), Column("kind"), Column("id"), Column("title", fit: .title),
      Column("subtitle", title: "japanese", fit: .text), Column("match", fit: .text), Column("detail", fit: .text),
      Column("command"),
    ]
    let rows = found.parts.flatMap { part in
      part.group.hits.map { hit -> [Cell] in
        let (source, kind) = part.place(of: hit)
        return [
          .text(part.group.title), .text(source), .text(kind), .int(hit.id), .text(hit.title),
          .text(orNil: hit.subtitle?.text), .text(orNil: hit.match), .text(orNil: hit.detail),
          .text("syncctl \(hit.command)"),
        ]
      }
    }
    var listing = Listing(columns: columns, rows: rows).laidOut(
      hiding: ["group", "source", "kind", "id"], ifEmpty: ["subtitle", "match", "detail"], below: "command",
      leaving: ["subtitle"], ["detail"], ["match"]
    ).sectioned(by: "group", found.parts.map(\.group.title))
    listing.sectionTotals = Dictionary(
      found.parts.map { ($0.group.title, $0.group.total) }, uniquingKeysWith: { first, _ in first })
    listing.total = found.total
    return listing
  }
}

/// A standard limit of 5 rows.
enum FiveRows: StandardLimit {
  static let rows = 5
}

extension MirrorSearch.Part {
  /// Returns the source and the kind of an item.
  func place(of hit: SearchHit) -> (source: String, kind: String) {
    if let source { return (source, hit.kind) }
    let parts = hit.kind.split(separator: "/").map(String.init)
    return (parts.first ?? "", parts.last ?? "")
  }
}

extension Cell {
  fileprivate static func text(orNil text: String?) -> Cell {
    text.flatMap { $0.isEmpty ? nil : .text($0) } ?? .null
  }
}
