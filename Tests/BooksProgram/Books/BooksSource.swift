import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// A source for a library of books. The list has numbered pages, and the ids of books are whole numbers.
struct BooksSource: Source {
  let baseURL: Setting<String>
  let rateLimits: Setting<[RateWindow]>

  static let id: SourceID = "books"
  static let keys = ["base_url", "rate_limits"]
  static let help = SourceHelp(
    content: "a library of books", runs: ["run --source books"],
    streams: """
      The stream of books is catalogue: every book that the library lists.
      """)
  static let sample = SampleConfiguration(
    settings: """
      # base_url: https://books.example
      # rate_limits: [2/1s]
      """,
    jobs: """
      - { name: books-daily, source: books, schedule: "@daily" }
      """)
  static let favorites: any FavoriteKinds = NamedKinds(of: id, ["book"], example: "books book 12")
  static let sql = EmbeddedSQL.files

  private static let stream = "catalogue"

  init(_ settings: SourceSettings) throws(SyncError) {
    baseURL = try settings.baseURL(standard: "https://books.example")
    rateLimits = try settings.rateLimits(of: baseURL.value, standard: [RateWindow(requests: 2, interval: .seconds(1))])
  }

  var settings: [ShownSetting] {
    [
      ShownSetting("sources.books.base_url", baseURL.value, baseURL.origin),
      ShownSetting("sources.books.rate_limits", rateLimits),
    ]
  }

  func streamNames(_ word: String) throws(SyncError) -> [String] {
    guard knowsStream(word) else {
      throw SyncError(.usage, "books has no stream \(Excerpt.of(word, scalars: 60))", hint: "its stream is catalogue")
    }
    return [word]
  }

  func knowsStream(_ word: String) -> Bool { word == Self.stream }
  func suggestions(for word: String) -> [String] { [Self.stream] }
  var defaultStreams: [String]? { [Self.stream] }

  var services: [Service] { [Service("books:", baseURL: baseURL.value, limits: rateLimits.value)] }

  func probe() -> Probe {
    Probe(of: BooksStream(baseURL: baseURL.value), limits: rateLimits.value) { page in
      "the library answers, \(page.entries.count) books on its first page"
    }
  }

  var web: WebPart {
    WebPart(
      links: [WebLink("Books", to: "/books")], pages: BooksPages.all, templates: EmbeddedWeb.files,
      itemPath: { kind, id in kind == "book" ? "/books/\(id)" : nil })
  }

  func run(_ selection: StreamSelection, _ run: inout SourceRun) async throws {
    let fetcher = run.fetcher(for: baseURL.value, limits: rateLimits.value)
    try await run.walk([BooksStream(baseURL: baseURL.value)], with: fetcher)
  }

  static func mappings(in database: Database) async throws -> [any DocumentMapping] { [BooksMapping()] }
}
