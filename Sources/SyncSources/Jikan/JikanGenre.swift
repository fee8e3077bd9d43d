/// The wire model of a genre, a theme or a demographic.
struct JikanGenre: Decodable {
  private let name: LenientText
  private let url: LenientText?
  private let count: Fitting<Int32>?
}
