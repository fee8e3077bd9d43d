import SyncCore

/// The wire model of an anime or a manga, as far as its members become columns. All others live in `raw`.
///
/// Decoding checks the types; the values go to PostgreSQL in the item's canonical bytes, so nothing here can round
/// or reformat them. Nullability: jikan-rest's `app/Http/Resources/V4` and recorded answers.
struct JikanMedia: Decodable {
  private let id: Fitting<Int64>
  let title: String
  private let titleEnglish: String?
  private let titleJapanese: String?
  private let type: String?
  private let source: String?
  private let episodes: Fitting<Int32>?
  private let chapters: Fitting<Int32>?
  private let volumes: Fitting<Int32>?
  private let status: String?
  private let airing: Bool?
  private let publishing: Bool?
  private let aired: DateRange?
  private let published: DateRange?
  private let rating: String?
  private let score: Fitting<Double>?
  private let scoredBy: Fitting<Int32>?
  private let rank: Fitting<Int32>?
  private let popularity: Fitting<Int32>?
  private let members: Fitting<Int32>?
  private let favorites: Fitting<Int32>?
  private let season: String?
  private let year: Fitting<Int32>?
  private let url: String?
  private let images: Images?
  private let synopsis: String?

  private struct DateRange: Decodable {
    let from: String?
  }

  private struct Images: Decodable {
    let jpg: Image?
  }

  private struct Image: Decodable {
    let imageURL: String?

    enum CodingKeys: String, CodingKey {
      case imageURL = "image_url"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case id = "mal_id"
    case title
    case titleEnglish = "title_english"
    case titleJapanese = "title_japanese"
    case type, source, episodes, chapters, volumes, status, airing, publishing, aired, published, rating, score
    case scoredBy = "scored_by"
    case rank, popularity, members, favorites, season, year, url, images, synopsis
  }

  var malID: Int64 { id.value }

  /// What the types alone do not say.
  func check(_ kind: JikanKind) throws(FieldFault) {
    guard malID > 0 else {
      throw FieldFault(reason: "no_id", detail: "mal_id: \(malID) is not an id")
    }
    let start = kind == .anime ? aired?.from : published?.from
    if let start, !CalendarDate.isValid(start) {
      let path = kind == .anime ? "aired.from" : "published.from"
      throw FieldFault(reason: "bad_date", detail: "\(path): \(Excerpt.of(start, scalars: 40)) is not an ISO 8601 date")
    }
  }
}

/// A number that fits its column. The decoder tells of one that does not as a fault of the whole item ("not valid
/// JSON"); this keeps its path.
private struct Fitting<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      value = try container.decode(Value.self)
    } catch let error as DecodingError {
      throw error
    } catch {
      // Foundation's own error, which only its outermost call turns into a `DecodingError`.
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the number does not fit \(Value.self)"))
    }
  }
}

/// The least that tells which item it is, for items that are otherwise unreadable.
struct JikanKey: Decodable {
  let malID: Int64

  private enum CodingKeys: String, CodingKey {
    case malID = "mal_id"
  }

  init(from decoder: any Decoder) throws {
    malID = try decoder.container(keyedBy: CodingKeys.self).decode(Int64.self, forKey: .malID)
    guard malID > 0 else {
      throw DecodingError.dataCorrupted(.init(codingPath: [CodingKeys.malID], debugDescription: "not an id"))
    }
  }
}

/// The pagination object. Members are optional one by one: the short form has two of them, and any may be wrong.
struct JikanEnvelope: Decodable {
  let pagination: Pagination?

  struct Pagination: Decodable {
    let lastVisiblePage: Int?
    let hasNextPage: Bool?
    let items: Items?

    struct Items: Decodable {
      let total: Int?
    }

    private enum CodingKeys: String, CodingKey {
      case lastVisiblePage = "last_visible_page"
      case hasNextPage = "has_next_page"
      case items
    }
  }
}
