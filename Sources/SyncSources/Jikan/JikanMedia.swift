import SyncCore

/// The wire model of an anime or a manga, as far as its members become columns. All others live in `raw`.
///
/// Decoding checks the types; the values go to PostgreSQL in the item's canonical bytes, so nothing here can round
/// or reformat them. Another type is taken only if nothing is lost: `"12"` for 12, 12 for `"12"`, `"true"` for true.
/// Nullability: jikan-rest's `app/Http/Resources/V4` and recorded answers.
struct JikanMedia: Decodable {
  private let title: LenientText
  private let titleEnglish: LenientText?
  private let titleJapanese: LenientText?
  private let type: LenientText?
  private let source: LenientText?
  private let episodes: Fitting<Int32>?
  private let chapters: Fitting<Int32>?
  private let volumes: Fitting<Int32>?
  private let status: LenientText?
  private let airing: Flag?
  private let publishing: Flag?
  private let aired: DateRange?
  private let published: DateRange?
  private let rating: LenientText?
  private let score: Fitting<Double>?
  private let scoredBy: Fitting<Int32>?
  private let rank: Fitting<Int32>?
  private let popularity: Fitting<Int32>?
  private let members: Fitting<Int32>?
  private let favorites: Fitting<Int32>?
  private let season: LenientText?
  private let year: Fitting<Int32>?
  private let url: LenientText?
  private let images: Images?
  private let synopsis: LenientText?
  private let approved: Flag?

  private struct DateRange: Decodable {
    let from: String?
  }

  private struct Images: Decodable {
    let jpg: Image?
  }

  private struct Image: Decodable {
    let imageURL: LenientText?

    enum CodingKeys: String, CodingKey {
      case imageURL = "image_url"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case title
    case titleEnglish = "title_english"
    case titleJapanese = "title_japanese"
    case type, source, episodes, chapters, volumes, status, airing, publishing, aired, published, rating, score
    case scoredBy = "scored_by"
    case rank, popularity, members, favorites, season, year, url, images, synopsis, approved
  }

  /// The same members with the types that they are sent with as a rule. One that is missing here is not checked: the
  /// type of every member of the model has to be here too.
  static let plain = PlainTypes(
    [
      "title": .text, "title_english": .text, "title_japanese": .text, "type": .text, "source": .text,
      "episodes": .whole, "chapters": .whole, "volumes": .whole, "status": .text, "airing": .flag, "publishing": .flag,
      "aired": .object(PlainTypes(["from": .date])), "published": .object(PlainTypes(["from": .date])),
      "rating": .text, "score": .number, "scored_by": .whole, "rank": .whole, "popularity": .whole, "members": .whole,
      "favorites": .whole, "season": .text, "year": .whole, "url": .text,
      "images": .object(PlainTypes(["jpg": .object(PlainTypes(["image_url": .text]))])), "synopsis": .text,
      "approved": .flag,
    ], required: ["title"])

  /// What the types alone do not say.
  func check() throws(FieldFault) {
    // The one that becomes the column, for either kind of item.
    let (path, start) = aired?.from.map { ("aired.from", $0) } ?? ("published.from", published?.from)
    if let start, !CalendarDate.isValid(start) {
      throw FieldFault(reason: "bad_date", detail: "\(path): \(Excerpt.of(start, scalars: 40)) is not an ISO 8601 date")
    }
  }
}
