import Foundation

/// Decodes JSON whose members are in snake case.
func decoded<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .convertFromSnakeCase
  return try decoder.decode(type, from: Data(body))
}

/// A page of rows, decoded as strictly as the API documents it.
struct ServedPage<Row: Decodable>: Decodable {
  struct Pagination: Decodable {
    struct Items: Decodable, Equatable {
      var count: Int
      var total: Int
      var perPage: Int
    }

    var lastVisiblePage: Int
    var hasNextPage: Bool
    var currentPage: Int
    var items: Items
  }

  var pagination: Pagination
  var data: [Row]
}

struct Single<Row: Decodable>: Decodable {
  var data: Row
}

struct Title: Decodable {
  var type: String
  var title: String
}

struct Images: Decodable {
  struct Sizes: Decodable {
    var imageUrl: URL
    var smallImageUrl: URL
    var largeImageUrl: URL
  }

  var jpg: Sizes
  var webp: Sizes
}

struct DateRange: Decodable {
  struct Properties: Decodable {
    struct Parts: Decodable {
      var day: Int?
      var month: Int?
      var year: Int?
    }

    var from: Parts
    var to: Parts
  }

  var from: String?
  var to: String?
  var prop: Properties
  var string: String
}

struct Link: Decodable {
  var malId: Int
  var type: String
  var name: String
  var url: String
}

struct Anime: Decodable {
  struct Trailer: Decodable {
    struct Stills: Decodable {
      var imageUrl: URL?
      var maximumImageUrl: URL?
    }

    var youtubeId: String?
    var embedUrl: URL?
    var images: Stills
  }

  struct Broadcast: Decodable {
    var day: String?
    var time: String?
    var timezone: String?
    var string: String?
  }

  var malId: Int
  var url: URL
  var images: Images
  var trailer: Trailer
  var approved: Bool
  var titles: [Title]
  var title: String
  var titleEnglish: String?
  var titleJapanese: String?
  var titleSynonyms: [String]
  var type: String?
  var source: String?
  var episodes: Int?
  var status: String
  var airing: Bool
  var aired: DateRange
  var duration: String
  var rating: String?
  var score: Double?
  var scoredBy: Int?
  var rank: Int?
  var popularity: Int
  var members: Int
  var favorites: Int
  var synopsis: String?
  var background: String?
  var season: String?
  var year: Int?
  var broadcast: Broadcast
  var producers: [Link]
  var licensors: [Link]
  var studios: [Link]
  var genres: [Link]
  var explicitGenres: [Link]
  var themes: [Link]
  var demographics: [Link]

  static let members = """
    mal_id url images trailer approved titles title title_english title_japanese title_synonyms type source episodes \
    status airing aired duration rating score scored_by rank popularity members favorites synopsis background season \
    year broadcast producers licensors studios genres explicit_genres themes demographics
    """
}

struct Manga: Decodable {
  var malId: Int
  var url: URL
  var images: Images
  var approved: Bool
  var titles: [Title]
  var title: String
  var titleEnglish: String?
  var titleJapanese: String?
  var titleSynonyms: [String]
  var type: String
  var chapters: Int?
  var volumes: Int?
  var status: String
  var publishing: Bool
  var published: DateRange
  var score: Double?
  var scored: Double?
  var scoredBy: Int?
  var rank: Int?
  var popularity: Int
  var members: Int
  var favorites: Int
  var synopsis: String?
  var background: String?
  var authors: [Link]
  var serializations: [Link]
  var genres: [Link]
  var explicitGenres: [Link]
  var themes: [Link]
  var demographics: [Link]

  static let members = """
    mal_id url images approved titles title title_english title_japanese title_synonyms type chapters volumes status \
    publishing published score scored scored_by rank popularity members favorites synopsis background authors \
    serializations genres explicit_genres themes demographics
    """
}
