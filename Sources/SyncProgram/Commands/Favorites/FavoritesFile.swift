import Foundation
import SyncCore
package import SyncPostgres

/// Reads favorites from a file: JSON, JSON Lines, CSV, or the export of a source's service.
package enum FavoritesFile {
  /// The favorites that a file has, and messages about its entries.
  ///
  /// `faults` has messages about entries that were not read. `remarks` has messages about favorites that are kept
  /// without an invalid value.
  /// `repeated` counts entries that a later entry with the same id replaces. If `isNewer` is true, the file's progress
  /// replaces stored progress.
  package struct Contents: Equatable {
    var records: [Favorites.Record] = []
    var faults: [String] = []
    var remarks: [String] = []
    var isNewer = false
    var repeated = 0

    package init(
      records: [Favorites.Record] = [], faults: [String] = [], remarks: [String] = [], isNewer: Bool = false,
      repeated: Int = 0
    ) {
      self.records = records
      self.faults = faults
      self.remarks = remarks
      self.isNewer = isNewer
      self.repeated = repeated
    }
  }

  static func read(_ text: String, into collection: String? = nil) throws(SyncError) -> Contents {
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    let first = text.first { !$0.isWhitespace }
    if first == "<" {
      for source in Registry.sources {
        if let contents = try source.exported(text, collection) { return contents }
      }
    }
    guard collection == nil else {
      throw SyncError(
        .usage, "the file already says the collection of each favorite",
        hint: "omit --collection, which is for MyAnimeList exports")
    }
    switch first {
    case nil: return Contents()
    case "[": return try array(text)
    case "{": return lines(text)
    default: return try csv(text)
    }
  }

  private static func array(_ text: String) throws(SyncError) -> Contents {
    guard let items = try? JSONDecoder().decode([Element].self, from: Data(text.utf8)) else {
      throw SyncError(.usage, "the file is not valid JSON", hint: "give a file from syncctl favorites export")
    }
    var contents = Contents()
    for (index, item) in items.enumerated() { contents.add(item.fields, at: "item \(index + 1)") }
    return contents
  }

  private static func lines(_ text: String) -> Contents {
    var contents = Contents()
    // Splits bytes, because Swift treats CR LF as one character.
    for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
    where line.contains(where: { $0 > UInt8(ascii: " ") }) {
      contents.add((try? JSONDecoder().decode(Element.self, from: Data(line)))?.fields, at: "line \(index + 1)")
    }
    return contents
  }

  private static func csv(_ text: String) throws(SyncError) -> Contents {
    let records = CSVReader.records(text)
    let header = (records.first?.fields ?? []).map { $0 ?? "" }
    guard ["collection", "source", "kind", "id"].allSatisfy(header.contains) else {
      throw SyncError(
        .usage, "the file is neither JSON, nor CSV with the columns collection, source, kind and id, nor XML",
        hint: "give a file from syncctl favorites export or from MyAnimeList's export")
    }
    var contents = Contents()
    for record in records.dropFirst() {
      let isWhole = !record.isBroken && record.fields.count == header.count
      let cells = Dictionary(zip(header, record.fields), uniquingKeysWith: { first, _ in first })
      contents.add(isWhole ? Fields.read(cells.compactMapValues(\.self)) : nil, at: "line \(record.line)")
    }
    return contents
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  fileprivate struct Fields: Decodable {
    var collection, source, kind: String?
    var id: Int64?
    var note: String?
    var added_at: String?
    var rank_at_add: Int64?
    var status: String?
    var my_score, episodes_watched, chapters_read, volumes_read: Int64?
    var started_on, finished_on, tags: String?

    private static let numbers: Set = ["rank_at_add", "my_score", "episodes_watched", "chapters_read", "volumes_read"]

    /// A text that is not an integer becomes -1 in a column of `numbers`. `progress()` rejects -1 as out of range.
    static func read(_ cells: [String: String]) -> Fields? {
      var members: [String: Any] = cells
      for name in numbers { members[name] = cells[name].map { Int64($0) ?? -1 } }
      members["id"] = cells["id"].flatMap { Int64($0) }
      guard let json = try? JSONSerialization.data(withJSONObject: members) else { return nil }
      return try? JSONDecoder().decode(Fields.self, from: json)
    }

    func progress() throws(SyncError) -> Favorites.Progress {
      let numbers = [
        ("my_score", my_score, Int64(1)...10), ("rank_at_add", rank_at_add, 1...Int64(Int32.max)),
        ("episodes_watched", episodes_watched, 0...FavoriteWords.most),
        ("chapters_read", chapters_read, 0...FavoriteWords.most),
        ("volumes_read", volumes_read, 0...FavoriteWords.most),
      ]
      for (name, number, bounds) in numbers {
        guard let number, !bounds.contains(number) else { continue }
        throw SyncError(.usage, "\(name) is not a number from \(bounds.lowerBound) to \(bounds.upperBound)")
      }
      for (name, date) in [("started_on", started_on), ("finished_on", finished_on)] {
        guard let date, !FavoriteWords.isDate(date) else { continue }
        throw SyncError(.usage, "\(name): \(Excerpt.of(date, scalars: 40)) is not a date")
      }
      if let tags, !FavoriteWords.isText(tags) { throw SyncError(.usage, "tags is not a text of at most 4000 bytes") }
      var progress = Favorites.Progress()
      if let status { progress.status = try Favorites.Status.named(status, "status") }
      progress.score = my_score
      progress.episodes = episodes_watched
      progress.chapters = chapters_read
      progress.volumes = volumes_read
      progress.startedOn = started_on
      progress.finishedOn = finished_on
      progress.tags = tags
      return progress
    }
  }

  /// Decoding an element never fails. Otherwise, one bad element would make the whole array unreadable.
  private struct Element: Decodable {
    let fields: Fields?

    init(from decoder: any Decoder) throws { fields = try? Fields(from: decoder) }
  }
}

extension FavoritesFile.Contents {
  fileprivate mutating func add(_ fields: FavoritesFile.Fields?, at place: String) {
    do throws(SyncError) {
      records.append(try Self.record(fields))
    } catch {
      faults.append("\(place): \(error.message)")
    }
  }

  private static func record(_ fields: FavoritesFile.Fields?) throws(SyncError) -> Favorites.Record {
    guard let fields else { throw SyncError(.usage, "it cannot be read") }
    guard let source = fields.source, let kind = fields.kind, let id = fields.id, let collection = fields.collection
    else { throw SyncError(.usage, "collection, source, kind and a whole number as id are needed") }
    let item = try FavoriteWords.item(source: source, kind: kind, id: id)
    if let addedAt = fields.added_at {
      guard case .at = Moment(addedAt) else {
        throw SyncError(.usage, "added_at: \(Excerpt.of(addedAt, scalars: 40)) is not a time")
      }
    }
    return Favorites.Record(
      collection: try FavoriteWords.collection(collection), item: item, note: try FavoriteWords.note(fields.note),
      addedAt: fields.added_at, rankAtAdd: fields.rank_at_add, progress: try fields.progress())
  }
}
