import Foundation
import SyncCore
import SyncProgram

/// A list of the service. Each list is one stream.
enum JikanList: Sendable, Hashable {
  case top(JikanTopList)
  case catalogue(JikanKind)
  case season(JikanSeason)
  /// The whole schedule if `filter` is `nil`, else the part for a weekday, `other` or `unknown`.
  case schedule(filter: String?)
  case genres(JikanGenreList)

  static let scheduleFilters = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "other", "unknown",
  ]

  /// 1970-01-01 was a Thursday, and Japan is always nine hours ahead of UTC.
  static func dayInJapan(at date: Date) -> String {
    scheduleFilters[(Int(date.timeIntervalSince1970 + 9 * 3600) / 86_400 + 3) % 7]
  }

  /// The stream's name within the source.
  var name: String {
    switch self {
    case .top(let list): list.name
    case .catalogue(let kind): "\(kind.rawValue)-catalog"
    case .season(let season): "seasons:\(season.text(separator: ":"))"
    case .schedule(let filter): filter.map { "schedules:\($0)" } ?? "schedules"
    case .genres(let list): "genres:\(list.kind.rawValue):\(list.facet.rawValue)"
    }
  }

  /// The defaults are only the top lists, because most other lists contain the same rows in another order.
  static let defaults = JikanKind.allCases.map { JikanList.top(JikanTopList(kind: $0)) }

  /// Returns the lists of a name. `seasons` contains `seasons:now` and `seasons:upcoming`. `seasons:2019..2021`
  /// contains every season of these years. `genres:anime` contains the lists whose names begin with `genres:anime:`.
  /// `top-anime:*` contains the top list and its lists by type or filter.
  static func named(_ name: String) -> [JikanList] {
    if let list = JikanTopList(name: name) { return [.top(list)] }
    if let range = narrowed.first(where: { name == "\($0.name):*" }) {
      return named.filter { $0 == range || $0.name.hasPrefix("\(range.name):") }
    }
    let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let rest = Array(parts.dropFirst())
    switch parts.first {
    case "seasons":
      if rest.isEmpty { return [.season(.now), .season(.upcoming)] }
      return JikanSeason.named(rest).map { .season($0) }
    case "schedules":
      if rest.isEmpty { return [.schedule(filter: nil)] }
      return rest.count == 1 && scheduleFilters.contains(rest[0]) ? [.schedule(filter: rest[0])] : []
    case "genres":
      return JikanGenreList.all.map { .genres($0) }.filter { $0.name == name || "\($0.name):".hasPrefix("\(name):") }
    default:
      return JikanKind.allCases.map { .catalogue($0) }.filter { $0.name == name }
    }
  }

  /// Returns all names for errors and completion. If `name` has a year, its seasons follow.
  static func suggestions(for name: String) -> [String] {
    let years = name.split(separator: ":").compactMap { JikanSeason.year(String($0)) }.map { "seasons:\($0)" }
    var words = families
    words += named.map(\.name).filter { !families.contains($0) } + narrowed.map { "\($0.name):*" }
    words += ["seasons:now", "seasons:upcoming"]
    words += JikanKind.allCases.map { "genres:\($0.rawValue)" } + JikanGenreList.all.map { JikanList.genres($0).name }
    return words + years + years.flatMap(JikanList.named).map(\.name)
  }

  /// Returns a hint for a name with an invalid range of years or an asterisk. `nil` for other names.
  static func advice(for name: String) -> String? {
    let rest = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
    if let rest, name.hasPrefix("seasons:"), rest.contains("..") || rest.allSatisfy({ "0"..."9" ~= $0 || $0 == "-" }) {
      let turned = rest.components(separatedBy: "..").reversed().joined(separator: "..")
      if JikanSeason.years(turned) != nil { return "the earlier year comes first: seasons:\(turned)" }
      return "give years from \(JikanSeason.years.lowerBound) to \(JikanSeason.years.upperBound), as in "
        + "seasons:2020, seasons:2019..2021 or seasons:2020:spring"
    }
    guard name.hasSuffix("*") || name.contains(":*") else { return nil }
    return "several lists are \(narrowed.map { "\($0.name):*" }.joined(separator: ", ")) or seasons:2019..2021; "
      + "give other lists one by one, as in top-anime:tv:airing"
  }

  private static let narrowed = defaults + [JikanList.schedule(filter: nil)]

  private static let named =
    JikanTopList.named.map { JikanList.top($0) } + ([nil] + scheduleFilters).map { JikanList.schedule(filter: $0) }

  private static let families =
    defaults.map(\.name) + JikanKind.allCases.map { JikanList.catalogue($0).name } + ["seasons", "schedules", "genres"]
}

extension ListReader {
  init(model: JikanModel) {
    self.init(
      path: ["data"], idMember: "mal_id", counters: model.counters, mappingVersion: model.mappingVersion,
      types: model.types
    ) { envelope in
      // If the pagination cannot be read, the walk continues to a 404 or an empty page.
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      guard let page = try? decoder.decode(JikanEnvelope.self, from: envelope).pagination else {
        return PageClaim()
      }
      return PageClaim(total: page.items?.total, lastPage: page.lastVisiblePage, hasNext: page.hasNextPage)
    }
  }
}

/// Each list is a separate stream. In one stream, an id that is in two lists would look like a duplicate.
struct JikanGenreList: Sendable, Hashable {
  let kind: JikanKind
  let facet: Facet

  /// The kinds of genres, by the values of the parameter `filter`.
  enum Facet: String, Sendable, CaseIterable {
    case genres
    case explicitGenres = "explicit_genres"
    case themes
    case demographics
  }

  static let all = JikanKind.allCases.flatMap { kind in
    Facet.allCases.map { JikanGenreList(kind: kind, facet: $0) }
  }
}
