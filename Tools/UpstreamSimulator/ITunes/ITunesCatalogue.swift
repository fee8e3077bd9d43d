enum ITunesKind: String, Sendable {
  case artist = "allArtist"
  case album, song, musicVideo, podcast, podcastEpisode, audiobook, ebook, shortFilm, tvSeason, tvEpisode
  case app = "software"
  case macApp = "macSoftware"
  case film = "movie"

  private static let entities: [String: [ITunesKind]] = [
    "musicTrack": [.song, .musicVideo], "movie": [.film, .shortFilm], "iPadSoftware": [.app],
    "desktopSoftware": [.macApp], "allTrack": [.song, .musicVideo, .film, .tvEpisode],
    "all": [.song, .musicVideo, .film, .tvEpisode, .podcast, .audiobook, .ebook], "mix": [],
    "musicArtist": [.artist], "movieArtist": [.artist], "podcastAuthor": [.artist], "audiobookAuthor": [.artist],
    "shortFilmArtist": [.artist],
  ]

  static func of(entity: String) -> [ITunesKind]? { entities[entity] ?? ITunesKind(rawValue: entity).map { [$0] } }

  static func entity(ofMedia media: String) -> String? {
    switch media {
    case "music": "musicTrack"
    case "tvShow": "tvEpisode"
    case "movie", "podcast", "musicVideo", "audiobook", "shortFilm", "software", "ebook", "all": media
    default: nil
    }
  }
}

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

struct ITunesStorefront: Sendable {
  let country: String
  let code: String
  let currency: String
  private let rate: Int

  init?(_ country: String) {
    let parts = Self.all.split(separator: ",").map { $0.split(separator: " ").map { String($0) } }
      .first { $0[0] == country.lowercased() }
    guard let parts else { return nil }
    self.country = parts[0]
    code = parts[1]
    currency = parts[2]
    rate = parts.count > 3 ? Int(parts[3]) ?? 1 : 0
  }

  /// Code, country and currency. For a store that rounds prices to tens, also the price of a dollar.
  private static let all = """
    us USA USD,gb GBR GBP,ie IRL EUR,de DEU EUR,at AUT EUR,fr FRA EUR,es ESP EUR,it ITA EUR,nl NLD EUR,be BEL EUR,\
    ch CHE CHF,se SWE SEK,no NOR NOK,dk DNK DKK,fi FIN EUR,pl POL PLN,pt PRT EUR,cz CZE CZK,tr TUR TRY,ca CAN CAD,\
    mx MEX MXN,br BRA BRL,au AUS AUD,nz NZL NZD,jp JPN JPY 150,kr KOR KRW 1300,tw TWN TWD 30,hk HKG HKD,cn CHN CNY,\
    sg SGP SGD,in IND INR 80,id IDN IDR 15000,th THA THB,vn VNM VND 25000,za ZAF ZAR
    """

  func price(_ dollars: String) -> String? {
    guard dollars.contains("."), let cents = Int(dollars.replacing(".", with: "")) else { return nil }
    return rate > 0 ? "\((cents * rate / 100 + 5) / 10 * 10).00" : dollars
  }
}
