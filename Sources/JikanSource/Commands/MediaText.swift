import SyncCore
import SyncPostgres
import SyncProgram

extension NamedRow {
  var title: String { self["title"] ?? "\(self["kind"] ?? "") \(self["mal_id"] ?? "")" }
}

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

  private struct Place: Decodable {
    var list: String
    var position: Int
    var unread: Bool
  }

  let row: NamedRow

  private static let labelWidth = 13

  var facts: [(label: String, text: String?)] {
    [
      ("titles", otherTitles.joined(separator: ", ")), (isAnime ? "aired" : "published", row["dates"] ?? ""),
      ("season", [row["season"], row["year"]].compactMap(\.self).joined(separator: " ")),
      ("broadcast", row["broadcast"] ?? ""), ("studios", names("studios")),
      ("authors", names("authors", separator: "; ")),
      ("magazines", names("serializations")), ("source", row["source"] ?? ""), ("genres", names("genres")),
      ("themes", names("themes")), ("demographics", names("demographics")), ("length", row["duration"] ?? ""),
      ("rating", row["rating"] ?? ""),
    ]
  }

  var counters: [(label: String, text: String?)] {
    [
      ("score", score), ("rank", rank), ("members", count("members", before: before?.members)),
      ("favorites", count("favorites", before: before?.favorites)),
      ("in lists", places.joined(separator: ", ")), ("collections", names("collections")),
      ("removed", row["vanished_at"].map { "upstream, \(TimeText.wholeSecond($0))" } ?? ""),
    ]
  }

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

  private var otherTitles: [String] {
    let titles = (row.json("titles", as: [Title].self) ?? []).compactMap(\.title)
    return ([row["title_english"], row["title_japanese"]].compactMap(\.self) + titles).distinct()
      .filter { $0 != row["title"] }
  }

  private func names(_ column: String, separator: String = ", ") -> String {
    (row.json(column, as: [String].self) ?? []).joined(separator: separator)
  }

  private var before: Counters? { row.json("before") }

  private var since: String { (before?.since.prefix(10)).map { " since \($0)" } ?? "" }

  private var score: String {
    guard let score = row["score"] else { return "" }
    let people = row.int("scored_by").map { ", by \(HumanFormat.count($0)) people" } ?? ""
    let moved = (before?.score).flatMap { old in Double(score).map { ($0 * 100).rounded() - (old * 100).rounded() } }
    let change = moved.flatMap { hundredths -> String? in
      // A score can be any JSON number, so the difference can be too large for `Int`.
      guard hundredths != 0, let cents = Int(exactly: abs(hundredths)) else { return nil }
      return " (\(hundredths > 0 ? "+" : "-")\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)\(since))"
    }
    return HumanFormat.twoDecimals(score) + people + (change ?? "")
  }

  private var rank: String {
    guard let rank = row.int("rank") else { return "" }
    guard let before, let old = before.rank, old != rank else { return HumanFormat.count(rank) }
    return "\(HumanFormat.count(rank)) (\(HumanFormat.count(old)) on \(before.since.prefix(10)))"
  }

  private func count(_ column: String, before: Int?) -> String {
    guard let count = row.int(column) else { return "" }
    let (change, overflows) = count.subtractingReportingOverflow(before ?? count)
    return HumanFormat.count(count)
      + (change == 0 || overflows ? "" : " (\(change > 0 ? "+" : "")\(HumanFormat.count(change))\(since))")
  }

  private var places: [String] {
    (row.json("lists", as: [Place].self) ?? []).map { place in
      "\(place.list) \(HumanFormat.count(place.position))\(place.unread ? " (not read)" : "")"
    }
  }

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
