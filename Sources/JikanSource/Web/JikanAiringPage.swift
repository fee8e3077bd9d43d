import Foundation
import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The page `/airing`: the broadcasts of a week by day, or the cards of one day.
struct JikanAiringPage: Sendable {
  /// The schedules by their days. The query reads all anime, and a schedule rarely changes.
  private let cachedRows = WebCache<RowSet>()

  var page: WebPage {
    WebPage("/airing", template: "sources/jikan/airing") { request, database in
      let now = Date()
      let day = try Self.day(request.query["day"], today: JikanList.dayInJapan(at: now))
      let rows = try await cachedRows.value(of: day ?? "week", for: request.rights, life: Limits.newsLife) {
        try await JikanCatalogue.schedule(day: day, limit: nil, in: database)
      }
      return try await Self.content(rows, day: day, request, at: now, database)
    }
  }

  private static func content(
    _ rows: RowSet, day: String?, _ request: WebRequest, at now: Date, _ database: Database
  ) async throws -> WebContent {
    let today = JikanList.dayInJapan(at: now)
    let isListed = rows.namedRows.allSatisfy { $0.isTrue("is_listed") }
    let path = WebPath("/airing")
    let days = ["week"] + JikanList.scheduleFilters
    let content = WebContent(
      title: day.map { "On air: \(Self.title(of: $0))" } ?? "On air",
      [
        "sections": JikanKind.anime.sections(at: "/airing"),
        "groups": .list([
          path.group(
            "Day", "day", days,
            names: Dictionary(
              days.map { ($0, "\(Self.title(of: $0))\($0 == today ? " (today)" : "")") },
              uniquingKeysWith: { first, _ in first }),
            chosen: day)
        ]),
        "zones": .text(Self.zones(at: now)),
        "note": isListed
          ? nil
          : "Anime that the mirror has as on air. The schedule is not mirrored: syncctl run --stream schedules",
        "week": day == nil ? .object(["days": week(rows.namedRows, today: today, at: now)]) : nil,
        "day": day == nil ? nil : try await cards(rows, request, at: now, database),
      ])
    let command = ["syncctl airing", day].compactMap(\.self).joined(separator: " ")
    return content.printed(by: command, parameters: ["day"])
  }

  private static func day(_ word: String?, today: String) throws(SyncError) -> String? {
    guard let word = word?.lowercased(), word != "week" else { return nil }
    let day = word == "today" ? today : word
    guard JikanList.scheduleFilters.contains(day) else {
      throw SyncError.unknown("day", day, JikanList.scheduleFilters)
    }
    return day
  }

  private static func title(of day: String) -> String {
    switch day {
    case "other": "Other days"
    case "unknown": "Unknown day"
    default: day.capitalized
    }
  }

  private static func zones(at now: Date) -> String {
    let server = ServerZone.current
    let isSame = server.zone.secondsFromGMT(for: now) == JikanBroadcast.japan.secondsFromGMT()
    return "Days and times are Japan's (JST)"
      + (isSame ? "." : ", with the server's time (\(server.name(now))) beside them.")
  }

  private static func broadcast(_ row: NamedRow) -> JikanBroadcast {
    JikanBroadcast(day: row["day"] ?? "unknown", time: row["time"], zone: row["timezone"])
  }

  /// Returns a list of the days that have broadcasts. Hearts are only on the pages of single days, because the week can
  /// have hundreds of broadcasts.
  private static func week(_ rows: [NamedRow], today: String, at now: Date) -> WebValue {
    .list(
      JikanList.scheduleFilters.compactMap { day in
        let broadcasts = rows.filter { $0["day"] == day }
        guard !broadcasts.isEmpty else { return nil }
        return .object([
          "dayTitle": .text(title(of: day)), "dayPath": .text(WebPath("/airing").with("day", day).text),
          "isToday": .flag(day == today),
          "broadcasts": .list(broadcasts.map { value(of: $0, at: now) }),
        ])
      })
  }

  private static func value(of row: NamedRow, at now: Date) -> WebValue {
    let broadcast = broadcast(row)
    let language = JikanTitleLanguage(type: row["type"])
    let facts = [
      broadcast.text(on: .current, at: now), row["type"], row["score"].map { "score \(HumanFormat.twoDecimals($0))" },
      row["not_mirrored"],
    ]
    return .object(of: [
      "broadcastTitle": .text(row.title), "broadcastLanguage": .text(orNil: language.code(of: row.title)),
      "broadcastPath": .text(JikanKind.anime.path(of: row.id)), "broadcastTime": .text(orNil: broadcast.text),
      "broadcastFacts": .text(facts.compactMap(\.self).joined(separator: ", ")),
    ])
  }

  private static func cards(
    _ rows: RowSet, _ request: WebRequest, at now: Date, _ database: Database
  ) async throws -> WebValue {
    let shown = RowSet(columns: rows.columns, rows: Array(rows.rows.prefix(Limits.itemsOnPage)))
    let cards = try await JikanCards(shown, .anime, request, in: database)
    let cut = "The first \(Limits.itemsOnPage) of \(HumanFormat.count(rows.rows.count)), by time."
    return .object(of: [
      "cut": rows.rows.count > Limits.itemsOnPage ? .text(cut) : nil, "itemsStyle": "posters",
      "items": cards.value { row, card in
        let broadcast = broadcast(row)
        let times = [broadcast.text, broadcast.text(on: .current, at: now)]
        card.details.insert(times.compactMap(\.self).joined(separator: ", "), at: 0)
      },
      "noItems": "The mirror has nothing on air then: syncctl run --stream schedules fetches the schedule.",
    ])
  }
}
