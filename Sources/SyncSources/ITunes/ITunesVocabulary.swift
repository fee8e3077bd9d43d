import SyncCore

/// The words of the service, by kind of media. Source: the tables of its documentation, and further words that clients
/// send (`podcastEpisode`, `macSoftware`).
package enum ITunesVocabulary {
  private struct Row {
    let media: String
    let entities: [String]
    let attributes: [String]
  }

  private static let rows = [
    Row(
      media: "movie", entities: ["movie", "movieArtist"],
      attributes: [
        "actorTerm", "genreIndex", "artistTerm", "shortFilmTerm", "producerTerm", "ratingTerm", "directorTerm",
        "releaseYearTerm", "featureFilmTerm", "movieArtistTerm", "movieTerm", "ratingIndex", "descriptionTerm",
      ]),
    Row(
      media: "podcast", entities: ["podcast", "podcastAuthor", "podcastEpisode"],
      attributes: [
        "titleTerm", "languageTerm", "authorTerm", "genreIndex", "artistTerm", "ratingIndex", "keywordsTerm",
        "descriptionTerm",
      ]),
    Row(
      media: "music", entities: ["song", "album", "musicArtist", "musicTrack", "musicVideo", "mix"],
      attributes: [
        "mixTerm", "genreIndex", "artistTerm", "composerTerm", "albumTerm", "ratingIndex", "songTerm",
      ]),
    Row(
      media: "musicVideo", entities: ["musicVideo", "musicArtist"],
      attributes: ["genreIndex", "artistTerm", "albumTerm", "ratingIndex", "songTerm"]),
    Row(
      media: "audiobook", entities: ["audiobook", "audiobookAuthor"],
      attributes: ["titleTerm", "authorTerm", "genreIndex", "ratingIndex"]),
    Row(
      media: "shortFilm", entities: ["shortFilm", "shortFilmArtist"],
      attributes: ["genreIndex", "artistTerm", "shortFilmTerm", "ratingIndex", "descriptionTerm"]),
    Row(
      media: "tvShow", entities: ["tvEpisode", "tvSeason"],
      attributes: ["genreIndex", "tvEpisodeTerm", "showTerm", "tvSeasonTerm", "ratingIndex", "descriptionTerm"]),
    Row(
      media: "software", entities: ["software", "iPadSoftware", "desktopSoftware", "macSoftware"],
      attributes: ["softwareDeveloper"]),
    Row(media: "ebook", entities: ["ebook"], attributes: []),
    Row(
      media: "all",
      entities: [
        "movie", "album", "allArtist", "podcast", "musicVideo", "mix", "audiobook", "tvSeason", "allTrack",
      ],
      attributes: [
        "actorTerm", "languageTerm", "allArtistTerm", "tvEpisodeTerm", "shortFilmTerm", "directorTerm",
        "releaseYearTerm", "titleTerm", "featureFilmTerm", "ratingIndex", "keywordsTerm", "descriptionTerm",
        "authorTerm", "genreIndex", "mixTerm", "allTrackTerm", "artistTerm", "composerTerm", "tvSeasonTerm",
        "producerTerm", "ratingTerm", "songTerm", "movieArtistTerm", "showTerm", "movieTerm", "albumTerm",
      ]),
  ]

  package static let media = rows.map(\.media)

  /// - Parameter media: nil where none is given: the service then takes the entities of every kind.
  package static func entities(of media: String?) -> [String] { words(of: media, \.entities) }

  package static func attributes(of media: String?) -> [String] { words(of: media, \.attributes) }

  private static func words(of media: String?, _ words: (Row) -> [String]) -> [String] {
    rows.filter { media == nil || $0.media == media }.flatMap(words).distinct()
  }
}
