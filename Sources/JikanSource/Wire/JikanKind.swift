import SyncCore
import SyncProgram

/// Anime and manga have separate ids. The values are from jikan-rest 4.2.2, `app/Enums`.
enum JikanKind: String, Sendable, CaseIterable {
  case anime
  case manga

  var subtypes: [String] {
    switch self {
    case .anime: ["tv", "movie", "ova", "special", "ona", "music", "cm", "pv", "tv_special"]
    case .manga: ["manga", "novel", "lightnovel", "oneshot", "doujin", "manhwa", "manhua"]
    }
  }

  var filters: [String] {
    switch self {
    case .anime: ["airing", "upcoming", "bypopularity", "favorite"]
    case .manga: ["publishing", "upcoming", "bypopularity", "favorite"]
    }
  }
}
