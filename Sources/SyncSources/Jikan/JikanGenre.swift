/// The wire model of a genre, a theme or a demographic.
struct JikanGenre: Decodable {
  private let id: Fitting<Int64>
  private let name: String
  private let url: String?
  private let count: Fitting<Int32>?

  var malID: Int64 { id.value }

  private enum CodingKeys: String, CodingKey {
    case id = "mal_id"
    case name, url, count
  }
}
