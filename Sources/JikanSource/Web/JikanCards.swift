import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// Cards of anime or manga for the partial `shared/items`, with their hearts.
///
/// The rows have the columns `mal_id`, `title`, `title_japanese` and `image_url`, and can have `type`, `score`,
/// `members`, `episodes`, `studios`, `position`, `unread` and `not_mirrored`.
struct JikanCards: Sendable {
  let rows: [NamedRow]
  private let kind: JikanKind
  private let request: WebRequest
  private let hearts: [Int64: WebValue]

  /// Reads the favorites among the rows, with one query for all rows.
  init(_ rows: RowSet, _ kind: JikanKind, _ request: WebRequest, in database: Database) async throws {
    self.rows = rows.namedRows
    self.kind = kind
    self.request = request
    hearts = try await request.hearts(
      of: self.rows.map(\.id), kind: kind.rawValue, source: JikanSource.name, in: database)
  }

  /// Returns the list `items`.
  /// - Parameter change: Changes a card, such as its position, before it becomes a value.
  func value(changing change: (NamedRow, inout WebItem) -> Void = { _, _ in }) -> WebValue {
    .list(
      rows.map { row in
        var card = card(of: row)
        change(row, &card)
        return card.value(request)
      })
  }

  private func card(of row: NamedRow) -> WebItem {
    var item = WebItem(row.title, path: kind.path(of: row.id), picture: row["image_url"])
    let language = JikanTitleLanguage(type: row["type"])
    item.language = language.code(of: row.title)
    item.subtitle = row["title_japanese"].map { ($0, language.code(ofOriginal: $0)) }
    item.badge = row["score"].map { (HumanFormat.twoDecimals($0), "score") }
    item.anchor = WebRequest.anchor(of: row.id, kind: kind.rawValue)
    item.hearts = [hearts[row.id]]
    let form = [row["type"], row.int("episodes").map { HumanFormat.counted($0, "episode") }]
    item.details = [
      row.unreadRemark, form.compactMap(\.self).joined(separator: ", "),
      row.json("studios", as: [String].self)?.joined(separator: ", "),
      row.int("members").map { HumanFormat.counted($0, "member") }, row["not_mirrored"],
    ]
    return item
  }
}

/// The languages of an entry's titles, as in BCP 47.
struct JikanTitleLanguage: Sendable {
  /// The label of the entry's type, such as `Manhua`.
  let type: String?

  /// Returns the language of a main title; `nil` for a title in Latin letters.
  func code(of title: String) -> String? { hasEastAsianScript(title) ? code(ofOriginal: title) : nil }

  /// Returns the language of a title in the member `title_japanese`, which manhwa have in Korean and manhua in Chinese.
  func code(ofOriginal title: String) -> String {
    WebLanguage.ofScript(title) ?? (type == "Manhua" ? "zh" : "ja")
  }

  private func hasEastAsianScript(_ title: String) -> Bool {
    title.unicodeScalars.contains { (0x3041...0x9FFF).contains($0.value) || (0xAC00...0xD7A3).contains($0.value) }
  }
}

extension NamedRow {
  var id: Int64 { self["mal_id"].flatMap { Int64($0) } ?? 0 }
}
