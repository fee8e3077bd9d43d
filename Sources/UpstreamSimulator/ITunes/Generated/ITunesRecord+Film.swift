extension ITunesRecord {
  var film: ITunesMembers {
    var members = trackOpening("feature-movie", in: nil)
    members.add("artistViewUrl", chance(.copyright, 50) ? page("itunes", "studio", artist.name, artist.id) : nil)
    if isOld { members.add("collectionViewUrl", .null) }
    members.add("trackViewUrl", page("itunes", "movie", name, id))
    members.add("previewUrl", preview("video", "m4v"))
    addArtwork([30, 60, 100], "Video", to: &members)
    let cents = isShortFilm ? 199 : prices([499, 999, 1499])
    members.add("collectionPrice", price(cents: cents))
    members.add("trackPrice", price(cents: cents))
    if !isShortFilm {
      members.add("trackRentalPrice", price(cents: chance(.presence, 60) ? -1 : 399))
      members.add("trackHdPrice", price(cents: cents + 500))
    }
    members.add("releaseDate", releaseDate)
    members.add("collectionExplicitness", explicitness)
    members.add("trackExplicitness", explicitness)
    if isOld { for name in ["discCount", "discNumber", "trackCount", "trackNumber"] { members.add(name, .null) } }
    // Milliseconds with a fraction, as real answers have them.
    let minutes = isShortFilm ? 3 + draw(.length, below: 20) : 75 + draw(.length, below: 90)
    members.add("trackTimeMillis", number: "\(minutes * 60_000 + draw(.bytes, below: 60_000)).0")
    addPlace(to: &members)
    let ratings = ["G", "PG", "PG-13", "R"]
    members.add("contentAdvisoryRating", isShortFilm ? nil : ratings[draw(.rating, below: ratings.count)])
    members.add("shortDescription", chance(.version, 10) ? description(html: false) : nil)
    members.add("longDescription", description(html: false))
    return members
  }

  var tvEpisode: ITunesMembers {
    let season = other(world.season(ofEpisode: address))
    let episodes = world.episodes(ofSeason: season.address)
    var members = trackOpening("tv-episode", in: season)
    let page = page("itunes", "tv-season", name, season.id, "i=\(id)&")
    members.add("artistViewUrl", self.page("itunes", "tv-show", artist.name, artist.id))
    members.add("collectionViewUrl", page)
    members.add("trackViewUrl", page)
    members.add("previewUrl", preview("video", "m4v"))
    addArtwork([30, 60, 100], "Video", to: &members)
    members.add("collectionPrice", price(cents: chance(.presence, 10) ? -1 : season.prices([1499, 2499])))
    members.add("trackPrice", price(cents: 199))
    members.add("releaseDate", releaseDate)
    members.add("collectionExplicitness", explicitness)
    members.add("trackExplicitness", explicitness)
    let number =
      address.addition.map { ITunesWorld.episodesOfSeason + $0 } ?? address.index % ITunesWorld.episodesOfSeason
    addPlace(number + 1, of: episodes.count, to: &members)
    members.add("trackTimeMillis", number: "\(1_200_000 + draw(.length, below: 1_800_000)).5")
    addPlace(to: &members)
    let ratings = ["TV-PG", "TV-14", "TV-MA"]
    members.add("contentAdvisoryRating", season.chance(.rating, 98) ? ratings[season.draw(.rating, below: 3)] : nil)
    members.add("shortDescription", description(html: false))
    members.add("longDescription", description(html: false))
    return members
  }

  var tvSeason: ITunesMembers {
    var members = members
    members.add("wrapperType", "collection")
    members.add("collectionType", "TV Season")
    members.add("artistId", number(artist.id))
    members.add("collectionId", number(id))
    members.add("artistName", artist.name)
    members.addName("collection", name)
    members.add("artistViewUrl", page("itunes", "tv-show", artist.name, artist.id))
    members.add("collectionViewUrl", page("itunes", "tv-season", name, id))
    addArtwork([60, 100], "Video", to: &members)
    members.add("collectionPrice", price(cents: prices([1499, 2499])))
    members.add("collectionExplicitness", explicitness)
    members.add("contentAdvisoryRating", chance(.rating, 98) ? "TV-14" : nil)
    members.add("trackCount", world.episodes(ofSeason: address).count)
    members.add("copyright", "© \(releaseDate.prefix(4)) \(artist.name)")
    addPlace(to: &members, releaseDate: releaseDate)
    members.add("longDescription", description(html: false))
    return members
  }
}
