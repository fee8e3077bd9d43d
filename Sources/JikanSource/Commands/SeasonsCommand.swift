import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

struct SeasonsCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "seasons", abstract: "List the seasons in the mirror, or the anime of one season.",
    usage: "syncctl seasons [<year> <season>|now|upcoming] [<options>]",
    discussion: """
      Without a season, lists the seasons: the number of anime that began in each, their mean score, the most \
      popular anime, and the number of entries in the upstream's list of the season, if it is mirrored. With a \
      season, shows its anime in the order of that list, which includes anime that continue from earlier \
      seasons; if the list is not mirrored, shows the anime that began in the season, the most popular first.

      Examples:
        syncctl seasons
        syncctl seasons 2024 spring
        syncctl seasons now --format json
      """)

  @Argument(help: ArgumentHelp("A year, now or upcoming.", valueName: "year"))
  var first: String?

  @Argument(
    help: ArgumentHelp("winter, spring, summer or fall.", valueName: "season"),
    completion: .list(JikanSeason.Quarter.allCases.map(\.rawValue)))
  var second: String?

  @OptionGroup var limit: LimitOptions<AllRows>
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let limit = try limit.rows()
    let context = try common.context()
    guard let season = try season() else {
      let rows = try await context.withExistingMirror { try await JikanCatalogue.seasons(limit: limit, in: $0) }
      return Listing(
        rows, emptyMessage: "The mirror has no anime with a season yet.", cut: ["most_popular"]
      ).laidOut(leaving: ["members"], ["listed"], ["score"])
    }
    let rows = try await context.withExistingMirror { database in
      try await JikanCatalogue.season(list: season.list, season.begun, limit: limit, in: database)
    }
    return Listing(
      rows,
      emptyMessage: "The mirror has nothing of that season: syncctl run --stream \(season.stream) fetches its list.",
      titles: ["position": "#", "mal_id": "id", "title_japanese": "japanese", "episodes": "ep."],
      cut: ["studios", "not_mirrored"]
    ).sayingUnread.joiningLists.laidOut(
      hiding: ["kind", "title_english", "url", "image_url", "rank", "status", "aired_from", "favorites", "is_listed"],
      ifEmpty: ["not_mirrored", "unread"], leaving: ["title_japanese"], ["studios"], ["type"], ["episodes"], ["members"]
    ).introduced(
      by: "anime that began in this season; its list is not mirrored (syncctl run --stream \(season.stream))",
      ifUnlisted: rows)
  }

  private struct Season {
    var list: String
    var stream: String
    var begun: (year: Int, name: String)?
  }

  private func season() throws(SyncError) -> Season? {
    guard let first else { return nil }
    // The user can write the year and the season in any order. Sorting puts the year first.
    let words = [first, second].compactMap(\.self).map { $0.lowercased() }.sorted()
    let isList = words == ["now"] || words == ["upcoming"]
    let begun = words.count == 2 ? Int(words[0]).map { (year: $0, name: words[1]) } : nil
    let stream = "seasons:\(words.joined(separator: ":"))"
    guard isList || begun != nil, JikanList.named(stream).count == 1 else {
      throw SyncError(
        .usage, "\(Excerpt.of(words.joined(separator: " "), scalars: 40)) is not a season",
        hint: "write it as 2024 spring (winter, spring, summer or fall), now or upcoming")
    }
    return Season(list: words.joined(separator: "-"), stream: stream, begun: begun)
  }
}

struct AiringCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "airing", abstract: "Show what is on air, by day and time of broadcast.",
    usage: "syncctl airing [<day>] [<options>]",
    discussion: """
      Shows the upstream's schedule, if it is mirrored (run --stream schedules), or else the mirror's anime with \
      the status on air. Times are in the broadcaster's time zone; today is Japan's.

      Examples:
        syncctl airing
        syncctl airing friday
        syncctl airing sunday --format csv
      """, aliases: ["schedules"])

  @Argument(
    help: "monday to sunday, today, other or unknown.", completion: .list(JikanList.scheduleFilters + ["today"]))
  var day: String?

  @OptionGroup var limit: LimitOptions<AllRows>
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let limit = try limit.rows()
    let word = self.day?.lowercased()
    let day = word == "today" ? JikanList.dayInJapan(at: Date()) : word
    if let day, !JikanList.scheduleFilters.contains(day) {
      throw SyncError.unknown("day", day, JikanList.scheduleFilters)
    }
    let rows = try await common.context().withExistingMirror { database in
      try await JikanCatalogue.schedule(day: day, limit: limit, in: database)
    }
    return Listing(
      rows, emptyMessage: "The mirror has nothing on air then: syncctl run --stream schedules fetches the schedule.",
      titles: ["mal_id": "id", "title_japanese": "japanese", "episodes": "ep."], cut: ["not_mirrored"]
    ).laidOut(
      hiding: ["kind", "title_english", "url", "image_url", "is_listed"], ifEmpty: ["not_mirrored"],
      leaving: ["title_japanese"], ["timezone"], ["episodes"], ["type"], ["members"], ["score"]
    ).introduced(
      by: "anime that the mirror has as on air; the schedule is not mirrored (syncctl run --stream schedules)",
      ifUnlisted: rows)
  }
}

struct GenresCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "genres", abstract: "List genres, themes and demographics.", usage: "syncctl genres [<options>]",
    discussion: """
      count is the upstream's number of items, if its lists are mirrored (run --stream genres); mirrored is the \
      number in the mirror.

      Examples:
        syncctl genres manga
        syncctl rankings anime --genre Mecha
      """)

  @Option(help: "anime or manga (default: both).", completion: .list(JikanKind.allCases.map(\.rawValue)))
  var kind: String?

  @OptionGroup var limit: LimitOptions<AllRows>
  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    let limit = try limit.rows()
    let kind = try kind.map { (word) throws(SyncError) in try JikanKind.named(word, "kind") }
    let rows = try await common.context().withExistingMirror { database in
      try await JikanCatalogue.genres(kind: kind?.rawValue, limit: limit, in: database)
    }
    return Listing(
      rows, emptyMessage: "The mirror has no genres yet; syncctl run --source jikan fetches them.",
      titles: ["mal_id": "id"]
    ).laidOut(hiding: ["url"], leaving: ["mal_id"], ["count"])
  }
}

extension Listing {
  /// Returns a listing whose tables begin with a note if the mirror lacks the upstream's list of these rows.
  fileprivate func introduced(by note: String, ifUnlisted rows: RowSet) -> Listing {
    rows.namedRows.contains { !$0.isTrue("is_listed") } ? introduced(by: note) : self
  }
}
