import Foundation
import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The pages of seasons: `/seasons` shows the latest season that has begun, or the one of its form, and the others a
/// season, `now` or `upcoming`.
struct JikanSeasonPages: Sendable {
  private let cachedSeasons = WebCache<[Mirrored]>()

  /// A season that the mirror has anime of.
  struct Mirrored: Sendable {
    let season: JikanSeason
    /// The number of entries on the season's page.
    let entries: Int
  }

  private static let template = "sources/jikan/season"

  var pages: [WebPage] {
    [
      WebPage("/seasons", template: Self.template) { request, database in
        let seasons = try await seasons(request, database)
        let season = try request.query["season"].map { (word) throws(SyncError) in try Self.season(word) }
        let content = try await content(season ?? Self.latest(seasons, at: Date()), seasons, request, database)
        return content.printed(by: content.command, parameters: ["season", "page"])
      },
      WebPage("/seasons/:year", template: Self.template) { request, database in
        try await content([request.parameters["year"] ?? ""], request, database)
      },
      WebPage("/seasons/:year/:season", template: Self.template) { request, database in
        try await content(
          [request.parameters["year"] ?? "", request.parameters["season"] ?? ""], request, database)
      },
    ]
  }

  private func content(
    _ parts: [String], _ request: WebRequest, _ database: Database
  ) async throws -> WebContent {
    let seasons = JikanSeason.named(parts.map { $0.lowercased() })
    guard seasons.count == 1 else {
      throw SyncError(
        .missing, "there is no season \(Excerpt.of(parts.joined(separator: " "), scalars: 40))",
        hint: "addresses of seasons are /seasons/2024/spring, /seasons/now and /seasons/upcoming")
    }
    return try await content(seasons[0], self.seasons(request, database), request, database)
  }

  private func content(
    _ season: JikanSeason?, _ seasons: [Mirrored], _ request: WebRequest, _ database: Database
  ) async throws -> WebContent {
    guard let season else {
      return WebContent(
        title: "Seasons",
        [
          "sections": JikanKind.anime.sections(at: "/seasons"), "items": .list([]),
          "noItems": "The mirror has no anime with a season yet; syncctl run --source jikan fetches the top list.",
        ]
      ).printed(by: "syncctl seasons", parameters: ["season", "page"])
    }
    let begun: (year: Int, name: String)? =
      if case .of(let year, let quarter) = season { (year, quarter.rawValue) } else { nil }
    let rows = try await JikanCatalogue.season(
      list: season.text(separator: "-"), begun, limit: Limits.itemsOnPage,
      offset: try request.offset(limit: Limits.itemsOnPage), in: database)
    let cards = try await JikanCards(rows, .anime, request, in: database)
    let stream = "seasons:\(season.text(separator: ":"))"
    let total = rows.total ?? seasons.first { $0.season == season }?.entries ?? 0
    let isListed = rows.namedRows.first.map { $0.isTrue("is_listed") } ?? true
    return WebContent(
      title: season.title,
      [
        "sections": JikanKind.anime.sections(at: "/seasons"),
        "previous": Self.link(Self.neighbours(of: season, in: seasons).before),
        "following": Self.link(Self.neighbours(of: season, in: seasons).after),
        "form": Self.form(season, seasons),
        "total": .text(HumanFormat.counted(total, "anime", many: "anime")),
        "note": isListed
          ? nil : .text("Anime that began in this season. Its list is not mirrored: syncctl run --stream \(stream)"),
        "rankingPath": begun.map { season in
          .text(
            JikanKind.anime.rankingPath.with("season", season.name).with("year", "\(season.year)")
              .with("sort", JikanRankings.Order.score.rawValue).text)
        },
        "itemsStyle": "posters", "items": cards.value(),
        "noItems": .text("The mirror has nothing of that season: syncctl run --stream \(stream) fetches its list."),
        "pager": WebPath(season.path).pager(
          page: try request.page(), shown: cards.rows.count, limit: Limits.itemsOnPage, total: total),
      ]
    ).printed(by: "syncctl seasons \(season.text(separator: " "))", parameters: ["page"])
  }

  private func seasons(_ request: WebRequest, _ database: Database) async throws -> [Mirrored] {
    try await cachedSeasons.value(of: "", for: request.rights, life: Limits.newsLife) {
      try await JikanCatalogue.seasons(limit: nil, in: database).namedRows.compactMap { row in
        let parts = [row["year"], row["season"]].compactMap(\.self)
        guard let season = JikanSeason.named(parts).first, parts.count == 2 || row["year"] == nil else { return nil }
        return Mirrored(season: season, entries: row.int("listed") ?? row.int("anime") ?? 0)
      }
    }
  }

  /// Reads the value of the form, such as `2024-spring`.
  private static func season(_ word: String) throws(SyncError) -> JikanSeason {
    let seasons = JikanSeason.named(word.lowercased().split(separator: "-").map(String.init))
    guard seasons.count == 1 else {
      throw SyncError(
        .usage, "\(Excerpt.of(word, scalars: 40)) is not a season", hint: "choose a season, or write it as 2024-spring")
    }
    return seasons[0]
  }

  /// Returns the latest season that has begun in Japan, or else the first season to come.
  static func latest(_ seasons: [Mirrored], at date: Date) -> JikanSeason? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = JikanBroadcast.japan
    let now = JikanSeason(
      year: calendar.component(.year, from: date), month: calendar.component(.month, from: date))
    let dated = seasons.compactMap { mirrored in mirrored.season.ordinal.map { ($0, mirrored.season) } }
    let begun = dated.filter { $0.0 <= now.ordinal ?? 0 }.max { $0.0 < $1.0 }
    return (begun ?? dated.min { $0.0 < $1.0 })?.1
  }

  /// Returns the mirrored seasons before and after a season. `now` and `upcoming` have none.
  static func neighbours(
    of season: JikanSeason, in seasons: [Mirrored]
  ) -> (before: JikanSeason?, after: JikanSeason?) {
    guard let own = season.ordinal else { return (nil, nil) }
    let others = seasons.compactMap { mirrored in mirrored.season.ordinal.map { ($0, mirrored.season) } }
    return (
      others.filter { $0.0 < own }.max { $0.0 < $1.0 }?.1, others.filter { $0.0 > own }.min { $0.0 < $1.0 }?.1
    )
  }

  private static func link(_ season: JikanSeason?) -> WebValue? {
    season.map { .object(["seasonTitle": .text($0.title), "seasonPath": .text($0.path)]) }
  }

  private static func form(_ season: JikanSeason, _ seasons: [Mirrored]) -> WebValue {
    let shown = season.text(separator: "-")
    var options = seasons.map { (word: $0.season.text(separator: "-"), text: $0.season.title, count: $0.entries) }
    if !options.contains(where: { $0.word == shown }) { options.insert((shown, season.title, 0), at: 0) }
    let names = options.map { ($0.word, "\($0.text) (\(HumanFormat.count($0.count)))") }
    return WebPath("/seasons").form([
      .field(
        "season", label: "Season", value: shown, options: options.map(\.word),
        names: Dictionary(names, uniquingKeysWith: { first, _ in first }))
    ])
  }
}

extension JikanSeason {
  /// The number of seasons from the year 0 to this season; `nil` for a season without a year.
  var ordinal: Int? {
    guard case .of(let year, let quarter) = self else { return nil }
    return year * Quarter.allCases.count + (Quarter.allCases.firstIndex(of: quarter) ?? 0)
  }
}
