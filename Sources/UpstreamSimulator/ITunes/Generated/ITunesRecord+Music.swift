extension ITunesRecord {
  var song: ITunesMembers {
    let album = other(world.album(ofSong: address))
    let songs = world.songs(ofAlbum: album.address)
    var members = trackOpening("song", in: album)
    let page = page("music", "album", name, album.id, "i=\(id)&")
    if world.isCompilation(album.address) {
      members.add("collectionArtistId", number(album.artist.id))
      members.add("collectionArtistName", album.artist.name)
      members.add("collectionArtistViewUrl", self.page("music", "artist", album.artist.name, album.artist.id))
    }
    members.add("artistViewUrl", self.page("music", "artist", artist.name, artist.id))
    members.add("collectionViewUrl", page)
    members.add("trackViewUrl", page)
    members.add("previewUrl", preview("audio", "aac.p.m4a"))
    addArtwork([30, 60, 100], "Music", to: &members)
    // Some are not sold alone, and a few are not sold at all.
    let isSold = !chance(.presence, 2)
    members.add("collectionPrice", isSold ? price(cents: album.albumCents) : nil)
    members.add("trackPrice", isSold ? price(cents: chance(.price, 8) ? -1 : prices([69, 99, 129])) : nil)
    members.add("releaseDate", releaseDate)
    members.add("collectionExplicitness", album.explicitness)
    members.add("trackExplicitness", explicitness)
    addPlace(songs.firstIndex(of: address).map { $0 + 1 } ?? 1, of: songs.count, to: &members)
    members.add("trackTimeMillis", 60_000 + draw(.length, below: 300_000))
    addPlace(to: &members)
    members.add("contentAdvisoryRating", advisory)
    members.add("isStreamable", !chance(.presence, 5))
    return members
  }

  var musicVideo: ITunesMembers {
    // Most are a part of an album.
    let albums = world.addresses(.album)
    let album = chance(.presence, 85) ? other(albums[draw(.version, below: albums.count)]) : nil
    var members = trackOpening("music-video", in: album)
    let page = page("music", "music-video", name, id)
    members.add("artistViewUrl", self.page("music", "artist", artist.name, artist.id))
    members.add("collectionViewUrl", album.map { _ in page })
    members.add("trackViewUrl", page)
    members.add("previewUrl", preview("video", "mp4"))
    addArtwork([30, 60, 100], "Video", to: &members)
    members.add("collectionPrice", price(cents: album?.albumCents ?? 199))
    members.add("trackPrice", price(cents: chance(.price, 15) ? -1 : 199))
    members.add("releaseDate", releaseDate)
    members.add("collectionExplicitness", album?.explicitness ?? explicitness)
    members.add("trackExplicitness", explicitness)
    if let album {
      addPlace(1, of: world.songs(ofAlbum: album.address).count, to: &members)
    } else if isOld {
      for name in ["discCount", "discNumber", "trackCount", "trackNumber"] { members.add(name, .null) }
    }
    members.add("trackTimeMillis", number: "\(120_000 + draw(.length, below: 300_000)).0")
    addPlace(to: &members)
    return members
  }

  var album: ITunesMembers {
    let songs = world.songs(ofAlbum: address)
    let isCompilation = world.isCompilation(address)
    var members = members
    members.add("wrapperType", "collection")
    members.add("collectionType", "Album")
    members.add("artistId", number(artist.id))
    members.add("collectionId", number(id))
    members.add("amgArtistId", ITunesCodes.amgArtist(artist.address))
    members.add("artistName", artist.name)
    members.addName("collection", name)
    // Nobody's page is that of several artists.
    members.add("artistViewUrl", isCompilation ? nil : page("music", "artist", artist.name, artist.id))
    members.add("collectionViewUrl", page("music", "album", name, id))
    addArtwork([60, 100], "Music", to: &members)
    members.add("collectionPrice", price(cents: albumCents))
    members.add("collectionExplicitness", explicitness)
    members.add("contentAdvisoryRating", advisory)
    members.add("trackCount", songs.count)
    members.add("copyright", "℗ \(releaseDate.prefix(4)) \(artist.name)")
    addPlace(to: &members, releaseDate: releaseDate)
    return members
  }

  var artistRecord: ITunesMembers {
    let role = ITunesRole(rawValue: address.index) ?? .musician
    var members = members
    members.add("wrapperType", "artist")
    members.add("artistType", role.type)
    members.add("artistName", name)
    members.add("artistLinkUrl", page("music", "artist", name, id))
    members.add("artistId", number(id))
    members.add("amgArtistId", ITunesCodes.amgArtist(address))
    members.add("primaryGenreName", genre.name(language))
    members.add("primaryGenreId", genre.id)
    return members
  }

  // MARK: Parts

  func trackOpening(_ kind: String, in collection: ITunesRecord?) -> ITunesMembers {
    var members = members
    members.add("wrapperType", "track")
    members.add("kind", kind)
    members.add("artistId", number(artist.id))
    members.add("collectionId", number(collection?.id))
    members.add("trackId", number(id))
    members.add("artistName", artist.name)
    members.add("collectionName", collection?.name)
    members.add("trackName", name)
    members.add("collectionCensoredName", collection?.name)
    members.add("trackCensoredName", name)
    return members
  }

  func addPlace(_ number: Int, of count: Int, to members: inout ITunesMembers) {
    members.add("discCount", 1)
    members.add("discNumber", 1)
    members.add("trackCount", count)
    members.add("trackNumber", number)
  }

  /// For records with the date between the currency and the genre.
  func addPlace(to members: inout ITunesMembers, releaseDate: String) {
    members.add("country", store.code)
    members.add("currency", store.currency.code)
    members.add("releaseDate", releaseDate)
    members.add("primaryGenreName", genre.name(language))
  }

  private var albumCents: Int { min(99 * max(1, world.songs(ofAlbum: address).count), prices([999, 1099, 1299])) }
}
