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
