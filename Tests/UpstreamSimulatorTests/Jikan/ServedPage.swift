import Foundation

func decoded<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .convertFromSnakeCase
  return try decoder.decode(type, from: Data(body))
}

struct ServedPage: Decodable {
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
  var data: [ServedRow]
}

struct ServedRow: Decodable {
  struct Dates: Decodable {
    struct Properties: Decodable { var from: Parts }

    struct Parts: Decodable {
      var month: Int?
      var year: Int?
    }

    var prop: Properties
  }

  struct Broadcast: Decodable { var day: String? }

  var malId: Int
  var approved: Bool
  var title: String
  var titleEnglish: String?
  var titleJapanese: String?
  var type: String?
  var status: String
  var airing: Bool?
  var publishing: Bool?
  var aired: Dates?
  var score: Double?
  var rank: Int?
  var members: Int
  var favorites: Int
  var synopsis: String?
  var broadcast: Broadcast?

  /// All members of a row with the letter of their type. A question mark means that null is possible.
  static let members = [
    "anime": """
    mal_id:n url:s images:o trailer:o approved:b titles:a title:s title_english:s? title_japanese:s? title_synonyms:a \
    type:s? source:s? episodes:n? status:s airing:b aired:o duration:s rating:s? score:n? scored_by:n? rank:n? \
    popularity:n members:n favorites:n synopsis:s? background:s? season:s? year:n? broadcast:o producers:a licensors:a \
    studios:a genres:a explicit_genres:a themes:a demographics:a
    """,
    "manga": """
    mal_id:n url:s images:o approved:b titles:a title:s title_english:s? title_japanese:s? title_synonyms:a type:s \
    chapters:n? volumes:n? status:s publishing:b published:o score:n? scored:n? scored_by:n? rank:n? popularity:n \
    members:n favorites:n synopsis:s? background:s? authors:a serializations:a genres:a explicit_genres:a themes:a \
    demographics:a
    """,
  ]
}
