/// The wire model of a genre, a theme or a demographic.
struct JikanGenre: Decodable {
  private let name: Words
  private let url: Words?
  private let count: Fitting<Int32>?
}
