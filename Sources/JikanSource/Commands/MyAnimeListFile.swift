import SyncCore
import SyncPostgres
import SyncProgram

enum MyAnimeListFile {
  static let collection = "myanimelist"

  /// The XML elements that are stored. The reader skips all other elements, even malformed elements.
  private static let members = [
    "anime": Set(["series_animedb_id", "my_watched_episodes"]).union(commonMembers),
    "manga": Set(["manga_mangadb_id", "my_read_chapters", "my_read_volumes"]).union(commonMembers),
  ]
  private static let commonMembers = [
    "my_status", "my_score", "my_start_date", "my_finish_date", "my_tags", "my_comments",
  ]

  /// If several entries have the same id, the last entry wins.
  static func read(_ text: String, into collection: String) throws(SyncError) -> FavoritesFile.Contents {
    var entries = Entries(collection: collection)
    var scanner = XMLScanner(text)
    guard let root = try scanner.next(in: nil), root.name == "myanimelist" else {
      throw SyncError(
        .usage, "the XML is not an export of MyAnimeList", hint: "give the file from MyAnimeList's Export List page")
    }
    while !root.isEmpty, let element = try scanner.next(in: root.name) {
      if let members = members[element.name] {
        entries.add(try entry(element, members, &scanner))
      } else {
        _ = try scanner.content(of: element, in: root.name)
      }
    }
    if try scanner.next(in: nil) != nil { throw scanner.fault("it continues after the root element") }
    return entries.contents
  }

  private static func entry(
    _ element: XMLScanner.Element, _ members: Set<String>, _ scanner: inout XMLScanner
  ) throws(SyncError) -> Entry {
    var entry = Entry(kind: element.name)
    while !element.isEmpty, let member = try scanner.next(in: element.name) {
      let content = try scanner.content(of: member, in: element.name)
      if members.contains(member.name) {
        entry.values[member.name, default: ""] += try scanner.text(of: content)
      } else {
        entry.skipped(member.name, content)
      }
    }
    return entry
  }

  private struct Entry {
    let kind: String
    var values: [String: String] = [:]
    private var title: ArraySlice<UInt8> = []
    private(set) var remarks: [String] = []

    init(kind: String) { self.kind = kind }

    mutating func skipped(_ name: String, _ content: ArraySlice<UInt8>) {
      if name == "series_title" || name == "manga_title" { title = content }
    }

    func text(_ name: String) -> String? {
      guard let text = values[name]?.trimmingBlanks, !text.isEmpty else { return nil }
      return text
    }

    var id: Int64? {
      let id = text(kind == "anime" ? "series_animedb_id" : "manga_mangadb_id").flatMap { Int64($0) }
      return id.flatMap { $0 > 0 ? $0 : nil }
    }

    func name(_ number: Int) -> String {
      let title = String(decoding: title, as: UTF8.self).replacing("<![CDATA[", with: "").replacing("]]>", with: "")
        .replacing("&amp;", with: "&").trimmingBlanks
      return "\(kind) entry \(number) (\(title.isEmpty ? "without a title" : Excerpt.of(title, scalars: 40)))"
    }

    private var isShort = false

    mutating func value<Value>(_ name: String, _ convert: (String) -> Value?) -> Value? {
      if values[name] == nil { isShort = true }
      guard let text = text(name) else { return nil }
      let value = convert(text)
      if value == nil { remarks.append("\(name) \(Excerpt.of(text, scalars: 40))") }
      return value
    }

    mutating func progress() -> Favorites.Progress {
      var progress = Favorites.Progress()
      progress.status = value("my_status") { [kind] in
        Favorites.Status(rawValue: $0.lowercased().replacing(" ", with: "-"))?.word(for: kind)
      }
      let score = value("my_score") { FavoriteWords.number($0, upTo: 10) }
      progress.score = score == 0 ? nil : score
      if kind == "anime" {
        progress.episodes = value("my_watched_episodes") { FavoriteWords.number($0) }
      } else {
        progress.chapters = value("my_read_chapters") { FavoriteWords.number($0) }
        progress.volumes = value("my_read_volumes") { FavoriteWords.number($0) }
      }
      progress.startedOn = date("my_start_date")
      progress.finishedOn = date("my_finish_date")
      progress.tags = value("my_tags") { FavoriteWords.isText($0) ? $0 : nil }
      progress.isWhole = remarks.isEmpty && !isShort
      return progress
    }

    /// MyAnimeList writes 00 for an unknown month or day.
    private mutating func date(_ name: String) -> String? {
      guard text(name) != "0000-00-00" else { return nil }
      return value(name) { text in
        var known = text[...]
        while known.utf8.count > 4, known.hasSuffix("-00") { known = known.dropLast(3) }
        return FavoriteWords.isDate(String(known)) ? String(known) : nil
      }
    }

    mutating func note() -> String? {
      values["my_comments"] == nil ? nil : value("my_comments") { FavoriteWords.isText($0) ? $0 : nil }
    }
  }

  private struct Entries {
    private let collection: String
    private var number = 0
    private var records: [Favorites.Record] = []
    private var faults: [String] = []
    private var remarks: [[String]] = []
    private var places: [String: Int] = [:]

    init(collection: String) { self.collection = collection }

    mutating func add(_ entry: Entry) {
      var entry = entry
      number += 1
      guard let id = entry.id else {
        faults.append("\(entry.name(number)): it has no id")
        return
      }
      let record = Favorites.Record(
        collection: collection, item: Favorites.Item(source: "jikan", kind: entry.kind, id: id),
        note: entry.note(), addedAt: nil, progress: entry.progress())
      let told = entry.remarks.map { "\(entry.name(number)): kept without \($0)" }
      if let place = places["\(entry.kind) \(id)"] {
        records[place] = record
        remarks[place] = told
      } else {
        places["\(entry.kind) \(id)"] = records.count
        records.append(record)
        remarks.append(told)
      }
    }

    var contents: FavoritesFile.Contents {
      FavoritesFile.Contents(
        records: records, faults: faults, remarks: remarks.flatMap(\.self), isNewer: true,
        repeated: number - faults.count - records.count)
    }
  }
}

extension Favorites.Status {
  /// MyAnimeList exports some anime as `reading` instead of `watching`.
  fileprivate func word(for kind: String) -> Self {
    switch (self, kind) {
    case (.reading, "anime"): .watching
    case (.planToRead, "anime"): .planToWatch
    case (.watching, "manga"): .reading
    case (.planToWatch, "manga"): .planToRead
    default: self
    }
  }
}
