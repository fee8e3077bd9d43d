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
    let start = kind == .anime ? aired?.from : published?.from
    if let start, !CalendarDate.isValid(start) {
      let path = kind == .anime ? "aired.from" : "published.from"
      throw FieldFault(reason: "bad_date", detail: "\(path): \(Excerpt.of(start, scalars: 40)) is not an ISO 8601 date")
    }
  }
}
