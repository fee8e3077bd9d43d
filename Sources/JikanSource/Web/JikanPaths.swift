import Foundation
import SyncCore
import SyncWeb

extension JikanKind {
  /// The path of an entry's page, without `web.path`.
  func path(of id: Int64) -> String { "/\(rawValue)/\(id)" }

  /// The path of the ranking's page.
  var rankingPath: WebPath { WebPath("/rankings/\(rawValue)") }

  /// The path of the page that lists the studios or authors.
  var makersPath: String {
    switch self {
    case .anime: "/studios"
    case .manga: "/authors"
    }
  }

  /// The path of the page of a studio or an author.
  func path(ofMaker name: String) -> String { "\(makersPath)/\(name.percentEncoded())" }

  /// The links between the pages of this kind, as the object `sections` of `sources/jikan/sections`.
  /// - Parameter path: The path of the shown page, or of the section that the page belongs to.
  func sections(at path: String) -> WebValue {
    let links: [(text: String, path: WebPath)] =
      switch self {
      case .anime:
        [
          ("Top", rankingPath), ("Seasons", WebPath("/seasons")), ("Airing", WebPath("/airing")),
          ("Genres", WebPath("/genres")), ("Studios", WebPath(makersPath)),
        ]
      case .manga:
        [("Top", rankingPath), ("Genres", WebPath("/genres").with("kind", rawValue)), ("Authors", WebPath(makersPath))]
      }
    return .object([
      "sectionsOf": .text(rawValue.capitalized),
      "choices": .list(links.map { $0.path.choice($0.text, isChosen: $0.path == WebPath(path)) }),
    ])
  }
}

extension JikanSeason {
  /// The path of the season's page, such as `/seasons/2024/spring`.
  var path: String { "/seasons/\(text(separator: "/"))" }

  /// The name for readers, such as `Spring 2024`.
  var title: String {
    switch self {
    case .now: "This season"
    case .upcoming: "Upcoming anime"
    case .of(let year, let quarter): "\(quarter.rawValue.capitalized) \(year)"
    }
  }
}

extension JikanList {
  /// The path of the page that shows the list; `nil` for a list without a page.
  /// - Parameter position: The position of an entry, on whose page of the list the path leads.
  func path(at position: Int) -> String? {
    switch self {
    case .top(let list):
      let page = (max(1, position) - 1) / Limits.itemsOnPage + 1
      return list.kind.rankingPath.with("type", list.subtype).with("list", list.filter)
        .with("page", page > 1 ? "\(page)" : nil).text
    case .season(let season): return season.path
    case .schedule(let day): return WebPath("/airing").with("day", day).text
    case .catalogue, .genres: return nil
    }
  }
}
