import ArgumentParser
import SyncCore
import SyncPostgres
import SyncProgram

protocol MediaCommands: Sendable {
  static var kind: JikanKind { get }
  static var title: String { get }
  static var words: String { get }
}

enum AnimeCommands: MediaCommands {
  static let kind = JikanKind.anime
  static let title = "Cowboy Bebop"
  static let words = "鋼の錬金術師"
}

enum MangaCommands: MediaCommands {
  static let kind = JikanKind.manga
  static let title = "Berserk"
  static let words = "monster"
}

struct MediaCommand<Media: MediaCommands>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Media.kind.rawValue, abstract: "Find \(Media.kind.rawValue) by title, and show one.",
      discussion: """
        Examples:
          syncctl \(Media.kind.rawValue) search \(Media.words)
          syncctl \(Media.kind.rawValue) show \(Media.title)
        """, subcommands: [MediaShowCommand<Media>.self, MediaSearchCommand<Media>.self],
      defaultSubcommand: MediaShowCommand<Media>.self)
  }
}

struct MediaShowCommand<Media: MediaCommands>: ListingCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show",
      abstract: "Show one \(Media.kind.rawValue): facts, counters with their changes, lists, synopsis.",
      usage: "syncctl \(Media.kind.rawValue) show <id|title> ... [<options>]",
      discussion: """
        A title can be in any language, in any case, and incomplete. If it fits several \(Media.kind.rawValue), a \
        terminal lets you choose; otherwise the exit status is 64, and standard error lists them.

        Counters are compared with those of a month ago, or with the earliest in the history.

        Examples:
          syncctl \(Media.kind.rawValue) show 1
          syncctl \(Media.kind.rawValue) show \(Media.title)
          syncctl \(Media.kind.rawValue) show 1 --format json
        """)
  }

  @Argument(help: ArgumentHelp("A mal_id, or a title.", valueName: "id|title"))
  var words: [String]

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let rows = try await common.context().withExistingMirror { database in
      let id = try await JikanTitleChoice.id(words.joined(separator: " "), Media.kind, in: database)
      return try await JikanTitleChoice.entry(id, Media.kind, in: database)
    }
    return Listing(rows, emptyMessage: "").inCSV(\.withJoinedLists).asText { width in
      rows.namedRows.flatMap { MediaText(row: $0).lines(width: width) }
    }
  }
}

struct MediaSearchCommand<Media: MediaCommands>: ListingCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "search", abstract: "Find \(Media.kind.rawValue) by words of a title, the best match first.",
      usage: "syncctl \(Media.kind.rawValue) search <words> ... [<options>]",
      discussion: """
        Searches all titles and synonyms in the mirror. Case, accents and punctuation are ignored, and spaces can \
        be missing. If no title has the words as whole words, titles that differ by typing errors are shown, too. \
        The column match shows the title that matched, unless it is the main or the Japanese title.

        Examples:
          syncctl \(Media.kind.rawValue) search \(Media.words)
          syncctl \(Media.kind.rawValue) search \(Media.title) --limit 5 --format json
        """)
  }

  @Argument(help: ArgumentHelp("Words of a title, in any script.", valueName: "words"))
  var words: [String]

  @OptionGroup var limit: LimitOptions<TwentyRows>
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let limit = try limit.rows()
    let kind = Media.kind.rawValue
    guard words.contains(where: { $0.contains { !$0.isWhitespace } }) else {
      throw SyncError(.usage, "there is nothing to search for", hint: "give words of a title")
    }
    let rows = try await common.context().withExistingMirror { database in
      let title = words.joined(separator: " ")
      let found = try await JikanTitles.search(title, kind: kind, in: database)
      guard !found.isEmpty else {
        throw try await JikanTitleChoice.missing(
          title, Media.kind, "give fewer words, or another title; syncctl status shows what is mirrored", in: database)
      }
      StandardStreams().noteCut(limit ?? found.count, of: found.count)
      return try await JikanTitles.rows(Array(found.prefix(limit ?? found.count)), kind: kind, in: database)
    }
    return Listing(
      rows, emptyMessage: "",
      titles: ["position": "#", "mal_id": "id", "title_japanese": "japanese", "vanished_at": "removed upstream"],
      cut: ["match"]
    ).laidOut(
      hiding: ["kind", "title_english", "url", "rank", "favorites"], ifEmpty: ["vanished_at"],
      leaving: ["members"], ["status"], ["title_japanese"], ["type"], ["match"], ["score"])
  }
}
