import SyncCore
import SyncPostgres
import SyncProgram

extension NamedRow {
  var title: String { self["title"] ?? "\(self["kind"] ?? "") \(self["mal_id"] ?? "")" }
}

/// The texts about an anime or a manga, from a row of the query `show`.
struct MediaText {
  private struct Title: Decodable {
    var type: String?
    var title: String?
  }

  private struct Counters: Decodable {
    var since: String
    var score: Double?
    var rank, members, favorites: Int?
  }

  /// An entry's position in a mirrored list.
  struct Place: Decodable {
    /// The name of the list's stream.
    var list: String
    var position: Int
    var unread: Bool

    /// The list and the position, such as `top-anime 12`.
    var text: String { "\(list) \(HumanFormat.count(position))\(unread ? " (not read)" : "")" }
  }

  let row: NamedRow

  private static let labelWidth = 13

  var facts: [(label: String, text: String?)] {
    [
      ("titles", otherTitles.joined(separator: ", ")), (isAnime ? "aired" : "published", row["dates"] ?? ""),
      ("season", [row["season"], row["year"]].compactMap(\.self).joined(separator: " ")),
      ("broadcast", row["broadcast"] ?? ""), ("studios", joined("studios")),
      ("authors", joined("authors", separator: "; ")),
      ("magazines", joined("serializations")), ("source", row["source"] ?? ""), ("genres", joined("genres")),
      ("themes", joined("themes")), ("demographics", joined("demographics")), ("length", row["duration"] ?? ""),
      ("rating", row["rating"] ?? ""),
    ]
  }

  var counters: [(label: String, text: String?)] {
    [
      ("score", score), ("rank", rank), ("members", count("members", before: before?.members)),
      ("favorites", favorites),
      ("in lists", places.map(\.text).joined(separator: ", ")), ("collections", joined("collections")),
      ("removed", removed),
    ]
  }

  /// The time at which the entry was found removed upstream; empty for an existing entry.
  var removed: String { row["vanished_at"].map { "upstream, \(TimeText.wholeSecond($0))" } ?? "" }

  func lines(width: Int?) -> [String] {
    let synopsis = (row["synopsis"] ?? "").split(whereSeparator: \.isNewline).flatMap {
      TextLayout.wrap(String($0), to: width)
    }
    let sections = [heading(width), labelled(facts, width), labelled(counters, width), synopsis, links(width)]
    return TextLayout.sections(sections)
  }

  private var isAnime: Bool { row["kind"] == "anime" }

  var words: String {
    let parts: [(String, String)] =
      isAnime ? [("episodes", "episode")] : [("volumes", "volume"), ("chapters", "chapter")]
    let words =
      [row["type"]]
      + parts.map { column, word in
        row.int(column).map { HumanFormat.counted($0, word) }
      } + [row["status"]]
    return words.compactMap(\.self).joined(separator: ", ")
  }

  private func heading(_ width: Int?) -> [String] {
    TextLayout.wrap(row.title, to: width) + TextLayout.wrap(words, to: width)
  }

  /// All titles but the main title, the English and the Japanese title first.
  var otherTitles: [String] {
    let titles = (row.json("titles", as: [Title].self) ?? []).compactMap(\.title)
    return ([row["title_english"], row["title_japanese"]].compactMap(\.self) + titles).distinct()
      .filter { $0 != row["title"] }
  }

  /// Returns the names in a column of links, such as `studios`.
  func names(_ column: String) -> [String] { row.json(column, as: [String].self) ?? [] }

  private func joined(_ column: String, separator: String = ", ") -> String {
    names(column).joined(separator: separator)
  }

  private var before: Counters? { row.json("before") }

  private var since: String { (before?.since.prefix(10)).map { " since \($0)" } ?? "" }

  private var score: String {
    guard let score = row["score"] else { return "" }
    let people = scoredBy.map { ", by \($0)" } ?? ""
    return HumanFormat.twoDecimals(score) + people + Self.inParentheses(scoreChange)
  }

  /// The number of people who gave a score, such as `1,204 people`.
  var scoredBy: String? { row.int("scored_by").map { "\(HumanFormat.count($0)) people" } }

  /// The change of the score, such as `+0.02 since 2026-11-01`; `nil` without a change.
  var scoreChange: String? {
    guard let new = row["score"].flatMap({ Double($0) }), let old = before?.score else { return nil }
    let hundredths = (new * 100).rounded() - (old * 100).rounded()
    // A score can be any JSON number, so the difference can be too large for `Int`.
    guard hundredths != 0, let cents = Int(exactly: abs(hundredths)) else { return nil }
    return "\(hundredths > 0 ? "+" : "-")\(cents / 100).\(HumanFormat.twoDigits(cents % 100))\(since)"
  }

  private var rank: String {
    guard let rank = row.int("rank") else { return "" }
    return HumanFormat.count(rank) + Self.inParentheses(rankChange)
  }

  /// The rank before, such as `12 on 2026-11-01`; `nil` without a change.
  var rankChange: String? {
    guard let rank = row.int("rank"), let before, let old = before.rank, old != rank else { return nil }
    return "\(HumanFormat.count(old)) on \(before.since.prefix(10))"
  }

  private func count(_ column: String, before: Int?) -> String {
    guard let count = row.int(column) else { return "" }
    return HumanFormat.count(count) + Self.inParentheses(change(of: count, from: before))
  }

  private func change(of count: Int, from before: Int?) -> String? {
    let (change, overflows) = count.subtractingReportingOverflow(before ?? count)
    return change == 0 || overflows ? nil : "\(change > 0 ? "+" : "")\(HumanFormat.count(change))\(since)"
  }

  /// The change of the number of members, such as `+1,204 since 2026-11-01`; `nil` without a change.
  var membersChange: String? { row.int("members").flatMap { change(of: $0, from: before?.members) } }

  /// The number of favorites with its change; empty without a number.
  var favorites: String { count("favorites", before: before?.favorites) }

  private static func inParentheses(_ text: String?) -> String { text.map { " (\($0))" } ?? "" }

  /// The entry's positions in the mirrored lists.
  var places: [Place] { row.json("lists", as: [Place].self) ?? [] }

  var addresses: [(text: String, address: String?)] {
    [("page", row["url"]), ("picture", row["image_url"]), ("trailer", row["trailer_url"])]
  }

  private func links(_ width: Int?) -> [String] {
    addresses.flatMap { label, address -> [String] in
      address.map { TextLayout.address(label, $0, labelWidth: Self.labelWidth, width: width) } ?? []
    }
  }

  private func labelled(_ facts: [(label: String, text: String?)], _ width: Int?) -> [String] {
    let facts = facts.map { ($0, $1.flatMap { $0.isEmpty ? nil : $0 }) }
    return TextLayout.facts(facts, labelWidth: Self.labelWidth, width: width)
  }
}
