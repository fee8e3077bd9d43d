import SyncCore
import SyncPostgres

/// The file that MyAnimeList's own export writes: an anime list or a manga list as XML.
enum MyAnimeListFile {
  /// The collection of an import that names none: a list has more than favorites.
  static let collection = "myanimelist"

  /// - Throws: `SyncError` `.usage` for what is no such file at all; single bad entries are among the faults, and
  ///   single bad values of other entries among the remarks.
  static func read(_ text: String, into collection: String) throws(SyncError) -> FavoritesFile.Contents {
    var contents = FavoritesFile.Contents()
    contents.isNewer = true
    var reader = XMLReader(text)
    guard try reader.firstElement() == "myanimelist" else {
      throw SyncError(
        .usage, "the XML is not an export of MyAnimeList", hint: "give the file that its page Export List gave")
    }
    var path: [String] = []
    var entry = Entry()
    var number = 0
    while let event = try reader.next() {
      switch event {
      case .start(let name):
        path.append(name)
        if path.count == 1 {
          entry = Entry()
          number += name == "anime" || name == "manga" ? 1 : 0
        } else if path.count == 2 {
          entry.values[name, default: ""] += ""
        }
      case .text(let text):
        if path.count == 2 { entry.values[path[1], default: ""] += text }
      case .end(let name):
        if path.count == 1, name == "anime" || name == "manga" {
          entry.kind = name
          contents.add(entry, number: number, to: collection)
        }
        _ = path.popLast()
      }
    }
    return contents
  }

  /// The elements of an anime or a manga of the file.
  fileprivate struct Entry {
    var kind = ""
    var values: [String: String] = [:]
    /// What is wrong with single values.
    private(set) var remarks: [String] = []

    /// nil for none and for an empty one.
    func text(_ name: String) -> String? {
      guard let text = values[name]?.trimmingBlanks, !text.isEmpty else { return nil }
      return text
    }

    var id: Int64? {
      let id = text(kind == "anime" ? "series_animedb_id" : "manga_mangadb_id").flatMap { Int64($0) }
      return id.flatMap { $0 > 0 ? $0 : nil }
    }

    var title: String { Excerpt.of(text("series_title") ?? text("manga_title") ?? "without a title", scalars: 40) }

    /// Whether an element is missing that has a value of the progress.
    private var isShort = false

    /// A value as `convert` reads it; nil, and a remark, where that fails.
    mutating func value<Value>(_ name: String, _ convert: (String) -> Value?) -> Value? {
      if values[name] == nil { isShort = true }
      guard let text = text(name) else { return nil }
      let value = convert(text)
      if value == nil { remarks.append("\(name) \(Excerpt.of(text, scalars: 40))") }
      return value
    }

    mutating func progress() -> Favorites.Progress {
      var progress = Favorites.Progress()
      progress.status = value("my_status") { Favorites.Status(rawValue: $0.lowercased().replacing(" ", with: "-")) }
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

    /// What is not known of a date is 00.
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
}

extension FavoritesFile.Contents {
  fileprivate mutating func add(_ entry: MyAnimeListFile.Entry, number: Int, to collection: String) {
    var entry = entry
    guard let id = entry.id else {
      faults.append("\(entry.kind) entry \(number) (\(entry.title)): it has no id")
      return
    }
    records.append(
      Favorites.Record(
        collection: collection, item: .jikan(kind: entry.kind, id: id), note: entry.note(), addedAt: nil,
        progress: entry.progress()))
    remarks += entry.remarks.map { "\(entry.kind) entry \(number) (\(entry.title)): kept without \($0)" }
  }
}

extension XMLReader {
  fileprivate mutating func firstElement() throws(SyncError) -> String? {
    if case .start(let name) = try next() { name } else { nil }
  }
}
