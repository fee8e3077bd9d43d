/// Anime and manga: two separate spaces of `mal_id`. Values of the enums: Jikan's `app/Enums` (jikan-rest 4.2.2).
package enum JikanKind: String, Sendable, CaseIterable {
  case anime
  case manga

  package var subtypes: [String] {
    switch self {
    case .anime: ["tv", "movie", "ova", "special", "ona", "music", "cm", "pv", "tv_special"]
    case .manga: ["manga", "novel", "lightnovel", "oneshot", "doujin", "manhwa", "manhua"]
    }
  }

  package var filters: [String] {
    switch self {
    case .anime: ["airing", "upcoming", "bypopularity", "favorite"]
    case .manga: ["publishing", "upcoming", "bypopularity", "favorite"]
    }
  }
}
