import SyncCore
import SyncPostgres
import SyncProgram

struct ITunesItemText {
  let row: NamedRow

  private static let labelWidth = 14

  func lines(width: Int?) -> [String] {
    let facts =
      [("artist", artist), ("album", album)] + facts + [
        ("id", "\(row["id"] ?? "") in \(row["country"] ?? "")"),
        ("removed", row["vanished_at"].map { "upstream, \(TimeText.wholeSecond($0)), after two look-ups without it" }),
      ]
    let links = links.flatMap { label, url in
      TextLayout.address(label, url, labelWidth: Self.labelWidth, width: width)
    }
    return heading(width) + TextLayout.facts(facts, labelWidth: Self.labelWidth, width: width) + links
  }

  /// The facts that have no link on a page, with the labels of the command.
  var facts: [(label: String, text: String?)] {
    [
      (isPodcast ? "latest episode" : "released", row["release_date"]),
      ("price", row["formatted_price"] ?? ITunesText.price(row)), ("rental", rental), ("length", length),
      ("place", place), ("tracks", row["class"] == "collection" ? row["track_count"] : nil), ("genre", genres),
      ("rating", rating), ("version", row["version"]), ("size", size), ("bundle", row["bundle_id"]),
    ]
  }

  /// The item's kind, and words such as `explicit`.
  var words: [String] {
    var words = [ITunesText.kind(row) ?? ""]
    if let explicitness = row["explicitness"], explicitness != "notExplicit" { words.append(explicitness) }
    if let advice = row["content_advisory_rating"], advice.lowercased() != row["explicitness"] { words.append(advice) }
    return words.filter { !$0.isEmpty }
  }

  private func heading(_ width: Int?) -> [String] {
    TextLayout.wrap(row["title"] ?? "\(row["id"] ?? "")", to: width)
      + TextLayout.wrap(words.joined(separator: ", "), to: width)
  }

  private var isPodcast: Bool { row["class"] == "podcast" }

  var artist: String? { row["class"] == "artist" ? nil : row["artist_name"] }

  var album: String? { row["collection_name"] == row["title"] ? nil : row["collection_name"] }

  private var rental: String? {
    row["track_rental_price"].map { price in row["currency"].map { "\(price) \($0)" } ?? price }
  }

  /// A podcast's length is omitted, because the service sends it in an uncertain unit.
  private var length: String? {
    guard !isPodcast, let milliseconds = row.int("track_time_ms"), milliseconds > 0 else { return nil }
    return ITunesText.length(milliseconds: milliseconds)
  }

  private var place: String? {
    guard let number = row.int("track_number") else { return nil }
    let track = "track \(number)" + (row.int("track_count").map { " of \($0)" } ?? "")
    guard let disc = row.int("disc_number"), let discs = row.int("disc_count"), discs > 1 else { return track }
    return "\(track), disc \(disc) of \(discs)"
  }

  private var genres: String? {
    let all = row.json("genres", as: [String].self) ?? []
    return all.isEmpty ? row["primary_genre"] : all.joined(separator: ", ")
  }

  private var rating: String? {
    guard let rating = row["average_user_rating"] else { return nil }
    return row.int("user_rating_count").map { "\(rating) of 5, by \(HumanFormat.count($0)) people" } ?? "\(rating) of 5"
  }

  private var size: String? { row["file_size_bytes"].flatMap { Int64($0) }.map(HumanFormat.bytes) }

  var links: [(text: String, address: String)] {
    let collection = isPodcast || row["class"] == "podcast-episode" ? "podcast page" : "album page"
    var seen: Set<String> = []
    return [
      ("preview", "preview_url"), (collection, "collection_view_url"), ("page", "track_view_url"),
      ("artist page", "artist_view_url"), ("feed", "feed_url"), ("artwork", "artwork_url"),
    ].compactMap { label, column in
      row[column].flatMap { seen.insert($0).inserted ? (label, $0) : nil }
    }
  }
}
