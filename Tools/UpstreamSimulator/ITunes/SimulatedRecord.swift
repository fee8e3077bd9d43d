struct SimulatedRecord {
  let item: ITunesItem
  let store: ITunesStorefront

  var json: SimulatedJSON {
    switch item.kind {
    case .song: track("song", "Music", "\(60_000 + item.id % 240_000)", placed, #","isStreamable":true"#)
    case .musicVideo: track("music-video", "Video", "\(120_000 + item.id % 9000).0", "", "")
    case .film:
      track(
        "feature-movie", "Video", "5400000.0", "",
        #","contentAdvisoryRating":"PG","trackRentalPrice":3.99,"trackHdPrice":19.99,"longDescription":\#(text)"#)
    case .shortFilm: track("feature-movie", "Video", "600000.0", "", #","longDescription":\#(text)"#)
    case .tvEpisode: track("tv-episode", "Video", "1200000.5", placed, #","longDescription":\#(text)"#)
    case .album: collection("Album", "Music", "")
    case .tvSeason: collection("TV Season", "Video", #","longDescription":\#(text)"#)
    case .artist: artist
    case .podcast: podcast
    case .podcastEpisode: podcastEpisode
    case .audiobook: audiobook
    case .ebook: ebook
    case .app, .macApp: app
    }
  }

  // MARK: Tracks and collections

  private func track(
    _ kind: String, _ folder: String, _ length: SimulatedJSON, _ placed: SimulatedJSON, _ others: SimulatedJSON
  ) -> SimulatedJSON {
    let (id, hasCollection) = (item.collectionID, item.collectionID > 0)
    let page = page(kind, item.name, hasCollection ? id : item.id)
    let collection: SimulatedJSON = hasCollection ? #""collectionId":\#(id),"collectionName":\#(item.collection),"# : ""
    let censored: SimulatedJSON =
      hasCollection ? #""collectionCensoredName":\#(item.collection),"collectionViewUrl":\#(page),"# : ""
    return #"""
      {"wrapperType":"track","kind":\#(kind),"artistId":\#(item.artistID),\#(collection)"trackId":\#(item.id),\#
      "artistName":\#(item.artist),"trackName":\#(item.name),\#(censored)"trackCensoredName":\#(item.name),\#
      "artistViewUrl":\#(artistPage),"trackViewUrl":\#(page),"previewUrl":\#(preview),\#(artwork([30, 60, 100], folder)),\#
      "collectionPrice":\#(price(hasCollection ? 999 : item.cents)),\#
      "trackPrice":\#(price(item.kind == .song ? 129 : item.cents)),"releaseDate":\#(releaseDate),\#
      "collectionExplicitness":"notExplicit","trackExplicitness":"notExplicit",\#(placed)"trackTimeMillis":\#(length),\#
      \#(place)\#(others)}
      """#
  }

  private var placed: SimulatedJSON {
    #""discCount":1,"discNumber":1,"trackCount":\#(item.count),"trackNumber":\#(item.place),"#
  }

  private func collection(_ type: String, _ folder: String, _ others: SimulatedJSON) -> SimulatedJSON {
    let copyright = "℗ \(item.date.prefix(4)) \(item.artist)"
    return #"""
      {"wrapperType":"collection","collectionType":\#(type),"artistId":\#(item.artistID),"collectionId":\#(item.id),\#
      "artistName":\#(item.artist),"collectionName":\#(item.name),"collectionCensoredName":\#(item.name),\#
      "artistViewUrl":\#(artistPage),"collectionViewUrl":\#(page("album", item.name, item.id)),\#
      \#(artwork([60, 100], folder)),"collectionPrice":\#(price(item.cents)),"collectionExplicitness":"notExplicit",\#
      "trackCount":\#(item.count),"copyright":\#(copyright),"releaseDate":\#(releaseDate),\#(place)\#(others)}
      """#
  }

  private var artist: SimulatedJSON {
    #"""
    {"wrapperType":"artist","artistType":"Artist","artistName":\#(item.name),"artistLinkUrl":\#(artistPage),\#
    "artistId":\#(item.id),"amgArtistId":\#(item.id % 100_000),"primaryGenreName":\#(item.genre),"primaryGenreId":\#(item.genreID)}
    """#
  }

  // MARK: What is heard and read

  private var podcast: SimulatedJSON {
    let page = page("podcast", item.name, item.id)
    // The time is in seconds despite its name, but in milliseconds for episodes.
    return #"""
      {"wrapperType":"track","kind":"podcast","collectionId":\#(item.id),"trackId":\#(item.id),\#
      "artistName":\#(item.artist),"collectionName":\#(item.name),"trackName":\#(item.name),\#
      "collectionCensoredName":\#(item.name),"trackCensoredName":\#(item.name),"collectionViewUrl":\#(page),\#
      "feedUrl":\#("https://feeds.example.com/\(item.id).xml" as String),"trackViewUrl":\#(page),\#
      \#(artwork([30, 60, 100, 600], "Podcasts")),"collectionPrice":0.00,"trackPrice":0.00,"trackRentalPrice":0,\#
      "collectionHdPrice":0,"trackHdPrice":0,"trackHdRentalPrice":0,"releaseDate":\#(releaseDate),\#
      "collectionExplicitness":"notExplicit","trackExplicitness":"notExplicit","trackCount":\#(item.count),\#
      "trackTimeMillis":\#(600 + item.id % 4000),\#(place),"contentAdvisoryRating":"Clean",\#
      "genreIds":["\#(item.genreID)","26"],"genres":[\#(item.genre),"Podcasts"]}
      """#
  }

  private var podcastEpisode: SimulatedJSON {
    let show = item.collectionID
    let file = "https://media.example.com/\(show)/\(item.id).mp3"
    // Only here, genres are objects.
    return #"""
      {"wrapperType":"podcastEpisode","kind":"podcast-episode","collectionId":\#(show),"trackId":\#(item.id),\#
      "artistName":\#(item.artist),"collectionName":\#(item.collection),"trackName":\#(item.name),\#
      "collectionViewUrl":\#(page("podcast", item.collection, show)),\#
      "trackViewUrl":\#(page("podcast", item.name, show)),\#
      "feedUrl":\#("https://feeds.example.com/\(show).xml" as String),"previewUrl":\#(file),"episodeUrl":\#(file),\#
      "episodeGuid":"\#(show)-\#(item.place)","episodeContentType":"audio","episodeFileExtension":"mp3",\#
      "closedCaptioning":"none",\#(artwork([60, 160, 600], "Podcasts")),"releaseDate":\#(releaseDate),\#
      "trackTimeMillis":\#(1000 * (600 + item.id % 4000)),"country":\#(store.code),"contentAdvisoryRating":"Clean",\#
      "shortDescription":"","description":\#(html),"genres":[{"name":\#(item.genre),"id":"\#(item.genreID)"}]}
      """#
  }

  private var audiobook: SimulatedJSON {
    let copyright = "\(item.date.prefix(4)) \(item.artist)"
    // Only these two missing members are null.
    return #"""
      {"wrapperType":"audiobook","artistId":\#(item.artistID),"collectionId":\#(item.id),"amgArtistId":null,\#
      "amgVideoArtistId":null,"artistName":\#(item.artist),"collectionName":\#(item.name),\#
      "collectionCensoredName":\#(item.name),"artistViewUrl":\#(artistPage),\#
      "collectionViewUrl":\#(page("audiobook", item.name, item.id)),\#(artwork([60, 100], "Music")),\#
      "collectionPrice":\#(price(item.cents)),"collectionExplicitness":"notExplicit","trackCount":3,\#
      "copyright":\#(copyright),"releaseDate":\#(releaseDate),\#(place),"previewUrl":\#(preview),"description":\#(html)}
      """#
  }

  private var ebook: SimulatedJSON {
    // No `wrapperType`, and the size is a number, unlike an app's.
    #"""
    {"kind":"ebook","artistId":\#(item.artistID),"artistName":\#(item.artist),"price":\#(price(item.cents)),\#
    "description":\#(html),"genreIds":["\#(item.genreID)","38"],"releaseDate":\#(releaseDate),\#
    "currency":\#(store.currency),"genres":[\#(item.genre),"Books"],"trackId":\#(item.id),"trackName":\#(item.name),\#
    "artistIds":[\#(item.artistID)],"trackCensoredName":\#(item.name),"artistViewUrl":\#(artistPage),\#
    "trackViewUrl":\#(page("book", item.name, item.id)),\#(artwork([60, 100], "Publication")),\#
    "formattedPrice":\#(formattedPrice),"fileSizeBytes":\#(100_000 + item.id % 50_000_000),"averageUserRating":4.5,\#
    "userRatingCount":12}
    """#
  }

  private var app: SimulatedJSON {
    let isMac = item.kind == .macApp
    let shots: SimulatedJSON = .array([1, 2].map { artworkURL(392 + $0, "Purple") })
    let mobile: SimulatedJSON = #"""
      "ipadScreenshotUrls":\#(shots),"appletvScreenshotUrls":[],"supportedDevices":["iPhone11-iPhone11"],\#
      "advisories":[],"isGameCenterEnabled":false,"features":["iosUniversal"],
      """#
    // A rating has all digits of a binary fraction.
    return #"""
      {"screenshotUrls":\#(shots),\#(isMac ? "" : mobile)\#(artwork([60, 512, 100], "Purple")),\#
      "artistViewUrl":\#(artistPage),"contentAdvisoryRating":"4+","trackContentRating":"4+",\#
      "averageUserRating":4.123456789012345678901234567890,"userRatingCount":321,\#
      "averageUserRatingForCurrentVersion":4.123456789012345678901234567890,"userRatingCountForCurrentVersion":321,\#
      "kind":"\#(text: isMac ? "mac-software" : "software")","minimumOsVersion":"15.0","trackName":\#(item.name),\#
      "trackId":\#(item.id),"sellerName":\#(item.artist),"releaseNotes":"• Fixes\n\n• ↑",\#
      "primaryGenreId":\#(item.genreID),"primaryGenreName":\#(item.genre),"isVppDeviceBasedLicensingEnabled":true,\#
      "releaseDate":\#(releaseDate),"genreIds":["\#(item.genreID)","6000"],"genres":[\#(item.genre),"Business"],\#
      "currentVersionReleaseDate":"2026-05-17T07:08:09Z","trackCensoredName":\#(item.name),\#
      "languageCodesISO2A":["EN","JA","ZH"],"fileSizeBytes":"\#(1_000_000 + item.id % 400_000_000)",\#
      "sellerUrl":\#("https://www.example.com/\(item.id)/" as String),\#
      "trackViewUrl":\#(page("app", item.name, item.id)),"description":\#(text),"currency":\#(store.currency),\#
      "artistId":\#(item.artistID),"artistName":\#(item.artist),"formattedPrice":\#(formattedPrice),\#
      "price":\#(price(item.cents)),"bundleId":\#(bundle),"version":"2.3.1","wrapperType":"software"}
      """#
  }

  // MARK: Identifiers

  var bundle: String { "com.example.a\(item.id)" }
  var upc: String { "00\(item.id)" }
  var isbn: String { "978\(item.id)" }

  // MARK: Parts

  private func price(_ cents: Int) -> SimulatedJSON { store.price(cents: cents) }

  private var formattedPrice: SimulatedJSON {
    item.cents == 0 ? #""Free""# : #""\#(text: store.currency) \#(price(item.cents))""#
  }

  private var releaseDate: SimulatedJSON { #""\#(text: item.date)T07:00:00Z""# }

  private var place: SimulatedJSON {
    #""country":\#(store.code),"currency":\#(store.currency),"primaryGenreName":\#(item.genre)"#
  }

  private var preview: String { "https://audio-ssl.itunes.apple.com/itunes-assets/v4/mzaf_\(item.id).plus.m4a" }

  private var artistPage: String { page("artist", item.artist, item.artistID) }

  func page(_ kind: String, _ title: String, _ id: Int) -> String {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    let slug = words.utf8.map { byte in
      byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }
    return "https://music.apple.com/\(store.country)/\(kind)/\(slug.joined())/\(id)?uo=4"
  }

  private func artwork(_ sizes: [Int], _ folder: String) -> SimulatedJSON {
    let members = sizes.map { size -> (String, SimulatedJSON?) in ("artworkUrl\(size)", artworkURL(size, folder)) }
    return SimulatedJSON(bytes: Array(SimulatedJSON.object(members).bytes.dropFirst().dropLast()))
  }

  func artworkURL(_ size: Int, _ folder: String = "Music") -> SimulatedJSON {
    let name = String(max(item.collectionID, item.id), radix: 16)
    return .string("https://is1-ssl.mzstatic.com/image/thumb/\(folder)115/v4/\(name)/source/\(size)x\(size)bb.jpg")
  }

  private var text: String { "\(item.name): a summary." }

  /// Text with the oddities of real descriptions: markup, entities, a line separator.
  private var html: String { "<p>“\(item.name)” &amp; more.<br /><i>\(item.artist)</i></p>\u{2028}" }
}
