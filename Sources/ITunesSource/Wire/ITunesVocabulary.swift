import SyncCore
import SyncProgram

/// The words from the documentation's tables, and words that clients send (`podcastEpisode`, `macSoftware`).
enum ITunesVocabulary {
  private static let rows: [(media: String, entities: String, attributes: String)] = [
    (
      "movie", "movie movieArtist",
      """
      actorTerm genreIndex artistTerm shortFilmTerm producerTerm ratingTerm directorTerm releaseYearTerm
      featureFilmTerm movieArtistTerm movieTerm ratingIndex descriptionTerm
      """
    ),
    (
      "podcast", "podcast podcastAuthor podcastEpisode",
      "titleTerm languageTerm authorTerm genreIndex artistTerm ratingIndex keywordsTerm descriptionTerm"
    ),
    (
      "music", "song album musicArtist musicTrack musicVideo mix",
      "mixTerm genreIndex artistTerm composerTerm albumTerm ratingIndex songTerm"
    ),
    ("musicVideo", "musicVideo musicArtist", "genreIndex artistTerm albumTerm ratingIndex songTerm"),
    ("audiobook", "audiobook audiobookAuthor", "titleTerm authorTerm genreIndex ratingIndex"),
    ("shortFilm", "shortFilm shortFilmArtist", "genreIndex artistTerm shortFilmTerm ratingIndex descriptionTerm"),
    ("tvShow", "tvEpisode tvSeason", "genreIndex tvEpisodeTerm showTerm tvSeasonTerm ratingIndex descriptionTerm"),
    ("software", "software iPadSoftware desktopSoftware macSoftware", "softwareDeveloper"), ("ebook", "ebook", ""),
    (
      "all", "movie album allArtist podcast musicVideo mix audiobook tvSeason allTrack",
      """
      actorTerm languageTerm allArtistTerm tvEpisodeTerm shortFilmTerm directorTerm releaseYearTerm titleTerm
      featureFilmTerm ratingIndex keywordsTerm descriptionTerm authorTerm genreIndex mixTerm allTrackTerm artistTerm
      composerTerm tvSeasonTerm producerTerm ratingTerm songTerm movieArtistTerm showTerm movieTerm albumTerm
      """
    ),
  ]

  static let media = rows.map { $0.media }

  /// The entities of a kind of media. `nil` means all kinds.
  static func entities(of media: String?) -> [String] { words(of: media) { $0.entities } }

  /// The attributes of a kind of media. `nil` means all kinds.
  static func attributes(of media: String?) -> [String] { words(of: media) { $0.attributes } }

  private static func words(
    of media: String?, _ words: ((media: String, entities: String, attributes: String)) -> String
  ) -> [String] {
    rows.filter { media == nil || $0.media == media }
      .flatMap { words($0).split(whereSeparator: \.isWhitespace).map(String.init) }.distinct()
  }
}
