extension ITunesRecord {
  var podcast: ITunesMembers {
    let hasAuthor = chance(.presence, 10)
    var members = members
    members.add("wrapperType", "track")
    members.add("kind", "podcast")
    if hasAuthor { members.add("artistId", number(artist.id)) }
    // The show is its own collection.
    members.add("collectionId", number(id))
    members.add("trackId", number(id))
    members.add("artistName", artist.name)
    members.add("collectionName", name)
    members.add("trackName", name)
    members.add("collectionCensoredName", name)
    members.add("trackCensoredName", name)
    if hasAuthor { members.add("artistViewUrl", page("podcasts", "artist", artist.name, artist.id)) }
    members.add("collectionViewUrl", page("podcasts", "podcast", name, id))
    if !chance(.version, 5) { members.add("feedUrl", "https://feeds.example.com/\(id).xml") }
    members.add("trackViewUrl", page("podcasts", "podcast", name, id))
    addArtwork([30, 60, 100], "Podcasts", to: &members)
    members.add("collectionPrice", price(cents: 0))
    members.add("trackPrice", price(cents: 0))
    for name in ["trackRentalPrice", "collectionHdPrice", "trackHdPrice", "trackHdRentalPrice"] { members.add(name, 0) }
    members.add("releaseDate", releaseDate)
    members.add("collectionExplicitness", explicitness)
    members.add("trackExplicitness", explicitness)
    members.add("trackCount", world.episodes(ofPodcast: address).count)
    // Seconds, despite the name; its episodes have milliseconds.
    members.add("trackTimeMillis", 600 + draw(.length, below: 4000))
    addPlace(to: &members)
    members.add("contentAdvisoryRating", chance(.copyright, 5) ? nil : advisory ?? "Clean")
    addArtwork([600], "Podcasts", to: &members)
    members.add("genreIds", ["\(genre.id)", "\(ITunesGenre.allPodcasts.id)"])
    members.add("genres", [genre.name(language), ITunesGenre.allPodcasts.name(language)])
    return members
  }

  var podcastEpisode: ITunesMembers {
    let show = other(world.podcast(ofEpisode: address))
    let file = "https://media.example.com/\(show.id)/\(id).mp3"
    var members = members
    members.add("wrapperType", "podcastEpisode")
    members.add("kind", "podcast-episode")
    if show.chance(.presence, 10) { members.add("artistIds", PokeJSON.array([.int(artist.id)])) }
    members.add("collectionId", number(show.id))
    members.add("trackId", number(id))
    members.add("artistName", artist.name)
    members.add("collectionName", show.name)
    members.add("trackName", name)
    members.add("collectionViewUrl", page("podcasts", "podcast", show.name, show.id))
    members.add("trackViewUrl", page("podcasts", "podcast", name, show.id, "i=\(id)&"))
    members.add("feedUrl", "https://feeds.example.com/\(show.id).xml")
    members.add("previewUrl", file)
    members.add("episodeUrl", file)
    members.add("episodeGuid", "\(show.id)-\(episodeNumber)")
    members.add("episodeContentType", "audio")
    members.add("episodeFileExtension", "mp3")
    members.add("closedCaptioning", "none")
    addArtwork([60, 160, 600], "Podcasts", to: &members)
    members.add("releaseDate", releaseDate)
    members.add("trackTimeMillis", 1000 * (600 + draw(.length, below: 4000)))
    members.add("country", store.code)
    members.add("contentAdvisoryRating", advisory ?? "Clean")
    members.add("shortDescription", chance(.version, 20) ? "" : ITunesWords.title(draws.of(1), language))
    members.add("description", description(html: true))
    // Objects here, and text everywhere else.
    let podcasts = ITunesGenre.podcasts
    let second = podcasts[draw(.ratings, below: podcasts.count)]
    members.add(
      "genres",
      PokeJSON.array(
        [genre, second].map { ["name": .string($0.name(language)), "id": .string("\($0.id)")] }))
    return members
  }

  var audiobook: ITunesMembers {
    var members = members
    members.add("wrapperType", "audiobook")
    members.add("artistId", number(artist.id))
    members.add("collectionId", number(id))
    // Null even where all else is missing.
    members.add("amgArtistId", .null)
    members.add("amgVideoArtistId", .null)
    members.add("artistName", artist.name)
    members.addName("collection", name)
    members.add("artistViewUrl", page("itunes", "artist", artist.name, artist.id))
    members.add("collectionViewUrl", page("books", "audiobook", name, id))
    addArtwork([60, 100], "Music", to: &members)
    members.add("collectionPrice", price(cents: prices([695, 995, 1995])))
    members.add("collectionExplicitness", explicitness)
    members.add("trackCount", 1 + draw(.length, below: 12))
    members.add("copyright", "\(2000 + draw(.year, below: 26)) \(ITunesWords.name(draws, language))")
    addPlace(to: &members, releaseDate: releaseDate)
    members.add("previewUrl", preview("audio", "aac.p.m4a"))
    members.add("description", description(html: true))
    return members
  }

  var ebook: ITunesMembers {
    var members = members
    // Nothing says what wraps it.
    members.add("kind", "ebook")
    members.add("artistId", number(artist.id))
    members.add("artistName", artist.name)
    members.add("price", price(cents: cents))
    members.add("description", chance(.presence, 85) ? description(html: true) : nil)
    members.add("genreIds", ["\(genre.id)", "\(ITunesGenre.allBooks.id)"])
    members.add("releaseDate", releaseDate)
    members.add("currency", store.currency.code)
    members.add("genres", [genre.name(language), ITunesGenre.allBooks.name(language)])
    members.add("trackId", number(id))
    members.add("trackName", name)
    members.add("artistIds", PokeJSON.array([.int(artist.id)]))
    members.add("trackCensoredName", name)
    members.add("artistViewUrl", page("books", "author", artist.name, artist.id))
    members.add("trackViewUrl", page("books", "book", name, id))
    addArtwork([60, 100], "Publication", to: &members)
    members.add("formattedPrice", store.currency.formatted(cents: cents, language))
    // A number, where an app has text.
    members.add("fileSizeBytes", 100_000 + draw(.bytes, below: 50_000_000))
    if chance(.rating, 85) {
      members.add("averageUserRating", number: "\(1 + draw(.rating, below: 4)).\(draw(.ratings, below: 2) * 5)")
      members.add("userRatingCount", 1 + draw(.ratings, below: 500))
    }
    return members
  }
}
