import Foundation
import SyncCore
import SyncPostgres

/// A file of favorites as `favorites export` writes it: NDJSON, a JSON array, or CSV.
enum FavoritesFile {
  /// What a file holds: records, and where something is that is none.
  struct Contents: Equatable {
    var records: [Favorites.Record] = []
    /// Where, and what is wrong, for people.
    var faults: [String] = []
  }

  /// Reads the text of a file; its form is told by its beginning.
  ///
  /// - Throws: `SyncError` `.usage` for what is no such file at all; single bad records are among the faults.
  static func read(_ text: String) throws(SyncError) -> Contents {
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    switch text.first(where: { !$0.isWhitespace }) {
    case nil: return Contents()
    case "[": return try array(text)
    case "{": return lines(text)
    default: return try csv(text)
    }
  }

  private static func array(_ text: String) throws(SyncError) -> Contents {
    guard let items = try? JSONDecoder().decode([Element].self, from: Data(text.utf8)) else {
      throw SyncError(.usage, "the file is no valid JSON", hint: "give what syncctl favorites export wrote")
    }
    var contents = Contents()
    for (index, item) in items.enumerated() { contents.add(item.fields, at: "item \(index + 1)") }
    return contents
  }

  private static func lines(_ text: String) -> Contents {
    var contents = Contents()
    // Bytes, for CR LF is one character, and not the one that lines are split at.
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
        .usage, "the file is neither JSON nor CSV with the columns collection, source, kind and id",
        hint: "give what syncctl favorites export wrote")
    }
    var contents = Contents()
    for record in records.dropFirst() {
      let isWhole = !record.isBroken && record.fields.count == header.count
      let cells = Dictionary(zip(header, record.fields), uniquingKeysWith: { first, _ in first })
      let fields = Fields(
        collection: cells["collection"] ?? nil, source: cells["source"] ?? nil, kind: cells["kind"] ?? nil,
        id: (cells["id"] ?? nil).flatMap { Int64($0) }, note: cells["note"] ?? nil,
        added_at: cells["added_at"] ?? nil)
      contents.add(isWhole ? fields : nil, at: "line \(record.line)")
    }
    return contents
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The members of a record; others are not looked at.
  fileprivate struct Fields: Decodable {
    var collection, source, kind: String?
    var id: Int64?
    var note: String?
    var added_at: String?
  }

  /// An element of an array, whatever it is, so that one bad one does not spoil the others.
  private struct Element: Decodable {
    let fields: Fields?

    init(from decoder: any Decoder) throws {
      fields = try? Fields(from: decoder)
    }
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
      addedAt: fields.added_at)
  }
}
