struct ITunesItem: Sendable {
  let kind: ITunesKind
  let id: Int
  let name, artist, date, genre: String
  let collection: String?
  let collectionID: Int?
  let isFree: Bool
  /// An identifier for lookups other than the id: a UPC, an ISBN or a bundle id.
  let alias: String?
  private let record: JSONTree

  private init(_ kind: ITunesKind, _ record: JSONTree) {
    self.kind = kind
    self.record = record
    id = record.text("trackId", "collectionId", "artistId").flatMap { Int($0) } ?? 0
    name = record.text("trackName", "collectionName", "artistName") ?? ""
    artist = record.text("artistName") ?? ""
    date = String(record.text("releaseDate")?.prefix(10) ?? "")
    let genre = record["genres"]?.elements.first
    self.genre = record.text("primaryGenreName") ?? genre?.text ?? genre?.text("name") ?? ""
    let parent = record.text("collectionId").flatMap { Int($0) }
    collectionID = parent == id ? nil : parent
    collection = collectionID == nil ? nil : record.text("collectionName")
    isFree = record.text("price") == "0.00"
    alias = [.album: "00\(id)", .ebook: "978\(id)", .app: "com.example.a\(id)", .macApp: "com.example.a\(id)"][kind]
  }

  func isFound(by term: String) -> Bool {
    [name, artist, collection ?? ""].contains { $0.lowercased().contains(term) }
  }

  func record(in store: ITunesStorefront) -> JSONTree {
    .object(
      record.members.map { member in
        let (name, text) = (String(decoding: member.name, as: UTF8.self), member.value.text ?? "")
        let value: JSONTree =
          switch (name, member.value) {
          case ("country", _): .string(store.code)
          case ("currency", _): .string(store.currency)
          case ("formattedPrice", _):
            .string(store.price(text.replacing("USD ", with: "")).map { "\(store.currency) \($0)" } ?? text)
          case (_, .verbatim) where name.hasSuffix("rice"): .verbatim(store.price(text) ?? text)
          case (_, .string): .string(text.replacing(".apple.com/us/", with: ".apple.com/\(store.country)/"))
          default: member.value
          }
        return JSONTree.Member(member.name, value)
      })
  }

  private static let file = EmbeddedJSON.tree("ITunes/itunes.json")

  static let all: [ITunesItem] = (file["records"]?.members ?? []).flatMap { member -> [ITunesItem] in
    guard let kind = ITunesKind(rawValue: String(decoding: member.name, as: UTF8.self)) else { return [] }
    return member.value.elements.map { ITunesItem(kind, $0) }
  }

  var genreID: String { Self.file["genres"]?.text(genre) ?? "" }
}
