/// What may be searched for: which entities a medium has, what they stand for, and by what they can be found.
enum ITunesMedia: String, Sendable, CaseIterable {
  case movie, podcast, music, musicVideo, audiobook, shortFilm, tvShow, software, ebook, all

  /// The entity of a search that names none.
  var entity: String {
    switch self {
    case .movie: "movie"
    case .podcast: "podcast"
    case .music: "musicTrack"
    case .musicVideo: "musicVideo"
    case .audiobook: "audiobook"
    case .shortFilm: "shortFilm"
    case .tvShow: "tvEpisode"
    case .software: "software"
    case .ebook: "ebook"
    case .all: "all"
    }
  }

  func has(entity: String) -> Bool {
    self == .all ? Self.entities.values.contains { $0.contains(entity) } : Self.entities[self]?.contains(entity) == true
  }

  func has(attribute: String) -> Bool {
    self == .all
      ? ["allArtistTerm", "allTrackTerm"].contains(attribute)
        || Self.attributes.values.contains { $0.contains(attribute) }
      : Self.attributes[self]?.contains(attribute) == true
  }

  private static let entities: [ITunesMedia: Set<String>] = [
    .movie: ["movieArtist", "movie"],
    .podcast: ["podcastAuthor", "podcast", "podcastEpisode"],
    .music: ["musicArtist", "musicTrack", "album", "musicVideo", "mix", "song"],
    .musicVideo: ["musicArtist", "musicVideo"],
    .audiobook: ["audiobookAuthor", "audiobook"],
    .shortFilm: ["shortFilmArtist", "shortFilm"],
    .software: ["software", "iPadSoftware", "desktopSoftware", "macSoftware"],
    .tvShow: ["tvEpisode", "tvSeason"],
    .ebook: ["ebook"],
    .all: ["movie", "album", "allArtist", "podcast", "musicVideo", "mix", "audiobook", "tvSeason", "allTrack"],
  ]

  private static let attributes: [ITunesMedia: Set<String>] = [
    .movie: [
      "actorTerm", "genreIndex", "artistTerm", "shortFilmTerm", "producerTerm", "ratingTerm", "directorTerm",
      "releaseYearTerm", "featureFilmTerm", "movieArtistTerm", "movieTerm", "ratingIndex", "descriptionTerm",
    ],
    .podcast: [
      "titleTerm", "languageTerm", "authorTerm", "genreIndex", "artistTerm", "ratingIndex", "keywordsTerm",
      "descriptionTerm",
    ],
    .music: ["mixTerm", "genreIndex", "artistTerm", "composerTerm", "albumTerm", "ratingIndex", "songTerm"],
    .musicVideo: ["genreIndex", "artistTerm", "albumTerm", "ratingIndex", "songTerm"],
    .audiobook: ["titleTerm", "authorTerm", "genreIndex", "ratingIndex"],
    .shortFilm: ["genreIndex", "artistTerm", "shortFilmTerm", "ratingIndex", "descriptionTerm"],
    .software: ["softwareDeveloper"],
    .tvShow: ["genreIndex", "tvEpisodeTerm", "showTerm", "tvSeasonTerm", "ratingIndex", "descriptionTerm"],
  ]
}

/// What an entity stands for.
enum ITunesEntity {
  static func kinds(_ entity: String) -> [ITunesKind] {
    switch entity {
    case "song": [.song]
    case "musicTrack": [.song, .musicVideo]
    case "album": [.album]
    case "musicVideo": [.musicVideo]
    case "movie", "shortFilm": [.film]
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
    default: [.artist]
    }
  }

  /// The artists that an entity stands for.
  static func roles(_ entity: String) -> [ITunesRole] {
    switch entity {
    case "musicArtist": ITunesRole.musicians
    case "movieArtist", "shortFilmArtist": [.studio]
    case "podcastAuthor": [.podcaster]
    case "audiobookAuthor": [.author, .otherAuthor]
    case "allArtist": ITunesRole.allCases.filter { $0 != .variousArtists }
    default: []
    }
  }
}

/// The members in which a search looks for the term.
enum ITunesAttribute {
  /// In the name of who made it.
  case name
  /// In a title or a description.
  case title
  /// Nowhere: genres, ratings and years are separate numbers.
  case number

  init(_ attribute: String) {
    switch attribute {
    case "actorTerm", "allArtistTerm", "artistTerm", "authorTerm", "composerTerm", "directorTerm", "movieArtistTerm",
      "producerTerm", "softwareDeveloper":
      self = .name
    case "genreIndex", "languageTerm", "ratingIndex", "ratingTerm", "releaseYearTerm": self = .number
    default: self = .title
    }
  }
}
