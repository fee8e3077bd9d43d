enum ITunesKind: String, Sendable {
  case artist, album, song, musicVideo, podcast, podcastEpisode, audiobook, ebook, app, macApp, film, shortFilm
  case tvSeason, tvEpisode

  var child: ITunesKind {
    switch self {
    case .album: .song
    case .podcast: .podcastEpisode
    default: .tvEpisode
    }
  }

  static func of(entity: String) -> [ITunesKind]? {
    switch entity {
    case "song": [.song]
    case "musicTrack": [.song, .musicVideo]
    case "album": [.album]
    case "musicVideo": [.musicVideo]
    case "movie": [.film, .shortFilm]
    case "shortFilm": [.shortFilm]
    case "podcast": [.podcast]
    case "podcastEpisode": [.podcastEpisode]
    case "audiobook": [.audiobook]
    case "software", "iPadSoftware": [.app]
    case "desktopSoftware", "macSoftware": [.macApp]
    case "tvEpisode": [.tvEpisode]
    case "tvSeason": [.tvSeason]
    case "ebook": [.ebook]
    case "allTrack": [.song, .musicVideo, .film, .tvEpisode]
    case "all": [.song, .musicVideo, .film, .tvEpisode, .podcast, .audiobook, .ebook]
    case "mix": []
    case "musicArtist", "movieArtist", "podcastAuthor", "audiobookAuthor", "shortFilmArtist", "allArtist": [.artist]
    default: nil
    }
  }

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
  var id: Int
  var name: String
  let artist: String
  let artistID: Int
  let genreID: Int
  let genre: String
  let date: String
  let cents: Int
  /// The parent album, podcast or season, and the position in it.
  var collection = ""
  var collectionID = 0
  var place = 1
  /// The number of children, or of the parent's.
  var count = 1

  /// - Parameter term: In lower case.
  func isFound(by term: String) -> Bool {
    [name, artist, collection].contains { $0.lowercased().contains(term) }
  }

  /// All records, children after their parent.
  static let all: [ITunesItem] = {
    var items: [ITunesItem] = []
    for row in table.split(separator: "\n").map({ TableRow($0) }) {
      guard let kind = ITunesKind(rawValue: row[0]) else { continue }
      let children = row[9].split(separator: ";").map { String($0) }
      func item(_ kind: ITunesKind, _ id: Int, _ name: String) -> ITunesItem {
        ITunesItem(
          kind: kind, id: id, name: name, artist: row[3], artistID: row.number(2), genreID: row.number(4),
          genre: row[5], date: row[7], cents: row.number(8), count: max(1, children.count))
      }
      let parent = item(kind, row.number(1), row[6])
      if !items.contains(where: { $0.id == parent.artistID }) { items.append(item(.artist, parent.artistID, row[3])) }
      items.append(parent)
      for (index, name) in children.enumerated() {
        var child = item(kind.child, parent.id + index + 1, name)
        (child.collection, child.collectionID, child.place) = (parent.name, parent.id, index + 1)
        items.append(child)
      }
    }
    return items
  }()

  /// Kind, id, artist's id and name, genre's id and name, name, date, price in cents, children.
  private static let table = """
    album|1990001000|300117743|周杰倫|1232|國語流行樂|葉惠美|2003-07-31|999|以父之名;懦夫;晴天;三年二班;東風破;你聽得到;她的睫毛;愛情懸崖;梯田;雙刀
    album|1990002000|300117743|周杰倫|1232|國語流行樂|七里香|2004-08-03|999|我的地盤;七里香;藉口;外婆;將軍;擱淺;亂舞春秋;困獸之鬥;園遊會;止戰之殤
    album|1990003000|300117743|周杰倫|1232|國語流行樂|十一月的蕭邦|2005-11-01|999|\
    夜曲;藍色風暴;髮如雪;黑色毛衣;四面楚歌;楓;浪漫手機;逆鱗;麥芽糖;珊瑚海;飄移;一路向北
    album|1990004000|300117743|周杰倫|1232|國語流行樂|魔杰座|2008-10-14|999|\
    龍戰騎士;給我一首歌的時間;蛇舞;花海;魔術先生;說好的幸福呢;蘭亭序;流浪詩人;時光機;喬克叔叔;稻香
    album|1990005000|909253|Jack Johnson|21|Rock|In Between Dreams|2005-03-01|999|\
    Better Together;Never Know;Banana Pancakes;Good People;No Other Way;Staple It Together;Situations;Crying Shame
    album|1990006000|78500|U2|21|Rock|The Joshua Tree|1987-03-09|1099|\
    Where the Streets Have No Name;With or Without You;Bullet the Blue Sky;Running to Stand Still;One Tree Hill;Exit
    album|1990007000|372976|ABBA|14|Pop|Arrival|1976-10-11|999|\
    When I Kissed the Teacher;Dancing Queen;My Love, My Life;Knowing Me, Knowing You;Money, Money, Money;Tiger
    album|1990008000|1490256993|YOASOBI|27|J-Pop|THE BOOK|2021-01-06|1299|\
    Epilogue;アンコール;ハルジオン;あの夢をなぞって;たぶん;群青;ハルカ;夜に駆ける;Prologue
    musicVideo|1990010001|300117743|周杰倫|1232|國語流行樂|告白氣球|2016-06-24|199|
    musicVideo|1990010002|372976|ABBA|14|Pop|Dancing Queen|1976-08-15|199|
    podcast|1990011000|1990011900|The Paper Lantern|1310|Music|Songs After Midnight|2026-07-01|0|\
    Three Chords;A Song without a Refrain;What the Bass Does;Rain on Tape
    podcast|1990012000|1990012900|Harbour Radio|1489|News|The Tide Table|2026-07-02|0|High Water;Low Water;Fog
    podcast|1990013000|1990013900|Clara Dahl|1304|Education|Ten Minutes of Grammar|2026-07-03|0|\
    10 Verbs;10 Nouns;10 Mistakes
    podcast|1990014000|1990014900|Finn Quinn|1303|Comedy|Wrong Number|2026-07-04|0|Hello;Who Is This;Goodbye
    audiobook|1990015001|1990015900|Jane Austen|50000040|Audiobooks|Emma|2006-01-01|995|
    audiobook|1990015002|1990015901|Mary Shelley|50000040|Audiobooks|Frankenstein|2008-02-01|1995|
    ebook|1990016001|1990015900|Jane Austen|9031|Fiction & Literature|Pride and Prejudice|1813-01-28|0|
    ebook|1990016002|1990016900|Lewis Carroll|10081|Children’s Fiction|Alice’s Adventures in Wonderland|1865-11-26|0|
    ebook|1990016003|1990015901|Mary Shelley|9031|Fiction & Literature|The Last Man|1826-02-01|599|
    ebook|1990016004|1990016901|Bram Stoker|9031|Fiction & Literature|Dracula|1897-05-26|499|
    app|1990017001|1990017900|Orchard Tools|6007|Productivity|Plain Lists|2021-03-04|0|
    app|1990017002|1990017900|Orchard Tools|6002|Utilities|Night Compass|2022-05-06|0|
    app|1990017003|1990017901|Tidewater Games|6014|Games|Ten Tiny Islands|2023-07-08|0|
    app|1990017004|1990017901|Tidewater Games|6014|Games|Lighthouse Keeper|2024-09-10|499|
    app|1990017005|1990017902|Kite School|6017|Education|Kana in a Week|2025-11-12|199|
    macApp|1990018001|1990017900|Orchard Tools|6002|Utilities|Window Drawer|2020-01-02|499|
    film|1990019001|1990019900|Marble Street Pictures|4406|Drama|The Last Ferry|2015-04-03|1499|
    film|1990019002|1990019900|Marble Street Pictures|4404|Comedy|Ten Good Excuses|2019-08-09|999|
    shortFilm|1990019003|1990019901|Lantern Works|4431|Short Films|Paper Boat|2012-02-03|199|
    tvSeason|1990020000|1990020900|North Pier|4003|Drama|North Pier, Season 1|2018-09-01|2499|Arrivals;Salt;Storm;Ebb
    """
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
    (self.country, code, currency, rate) = (parts[0], parts[1], parts[2], parts.count > 3 ? Int(parts[3]) ?? 1 : 0)
  }

  /// Country, code, currency, and the price of a dollar in currencies with round prices.
  private static let all = """
    us USA USD,gb GBR GBP,ie IRL EUR,de DEU EUR,at AUT EUR,fr FRA EUR,es ESP EUR,it ITA EUR,nl NLD EUR,be BEL EUR,\
    ch CHE CHF,se SWE SEK,no NOR NOK,dk DNK DKK,fi FIN EUR,pl POL PLN,pt PRT EUR,cz CZE CZK,tr TUR TRY,ca CAN CAD,\
    mx MEX MXN,br BRA BRL,au AUS AUD,nz NZL NZD,jp JPN JPY 150,kr KOR KRW 1300,tw TWN TWD 30,hk HKG HKD,cn CHN CNY,\
    sg SGP SGD,in IND INR 80,id IDN IDR 15000,th THA THB,vn VNM VND 25000,za ZAF ZAR
    """

  /// A price with two decimals, from cents of the US dollar.
  func price(cents: Int) -> SimulatedJSON {
    let cents = rate > 0 ? (cents * rate / 100 + 5) / 10 * 1000 : cents
    return SimulatedJSON(bytes: Array("\(cents / 100).\(cents % 100 / 10)\(cents % 10)".utf8))
  }
}
