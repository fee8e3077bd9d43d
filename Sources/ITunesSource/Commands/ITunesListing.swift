import SyncCore
import SyncPostgres
import SyncProgram

extension Listing {
  /// Returns items. Tables have columns of their own, made for readers.
  static func itunes(_ rows: RowSet, emptyMessage: String) -> Listing {
    Listing(rows, emptyMessage: emptyMessage).inCSV(\.withJoinedLists)
      .inTables { _ in itunesTable(rows, emptyMessage: emptyMessage) }
  }

  private static func itunesTable(_ rows: RowSet, emptyMessage: String) -> Listing {
    let columns = [
      Column("title", fit: .title), Column("artist", fit: .text), Column("album", fit: .text),
      Column("kind"), Column("price", alignment: .trailing), Column("release"), Column("id"), Column("unread"),
    ]
    let cells = rows.namedRows.map { row in
      let album = row["class"] == "collection" ? nil : row["collection_name"]
      let texts = [
        row["title"], row["artist_name"], album, ITunesText.kind(row), ITunesText.price(row), row["release_date"],
      ]
      return texts.map { $0.map { Cell.text($0) } ?? .null } + [
        row["id"].flatMap { Int64($0) }.map { .int($0) } ?? .null,
        row.isTrue("unread") ? .text(MoverPlot.unread) : .null,
      ]
    }
    return Listing(columns: columns, rows: cells, emptyMessage: emptyMessage).laidOut(
      ifEmpty: ["unread"], leaving: ["kind"], ["release"], ["price"], ["album"])
  }

  static func itunesChart(_ rows: RowSet, emptyMessage: String) -> Listing {
    Listing(
      rows, emptyMessage: emptyMessage,
      titles: [
        "position": "#", "name": "title", "artist_name": "artist", "release_date": "release",
        "previous_position": "was",
      ], cut: ["name", "artist_name"]
    ).inCSV(\.withJoinedLists).sayingUnread.laidOut(
      hiding: [
        "artist_id", "kind", "content_advisory_rating", "genres", "url", "artist_url", "artwork_url", "since",
        "movement", "section",
      ],
      ifEmpty: ["unread"], leaving: ["release_date"], ["change"])
  }
}

enum ITunesText {
  static func kind(_ row: NamedRow) -> String? {
    if let kind = row["kind"] { return kind }
    return row["class"] == "collection" ? "album" : row["class"]
  }

  static func price(_ row: NamedRow) -> String? {
    guard let price = row["price"] else { return row["is_sold_singly"] == "f" ? "album only" : nil }
    guard price.contains(where: { ("1"..."9").contains($0) }) else { return "free" }
    let amount = price.hasSuffix(".00") ? String(price.dropLast(3)) : price
    return row["currency"].map { "\(amount) \($0)" } ?? amount
  }

  static func length(milliseconds: Int) -> String {
    let seconds = milliseconds / 1000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let rest = HumanFormat.twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(HumanFormat.twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }
}
