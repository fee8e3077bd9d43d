package import SyncPostgres

/// A page of `syncctl web`. SyncProgram has the shared pages, and sources contribute theirs through `Source.web`.
///
/// A request for `path` runs `content`, which reads rows and returns the page's title and the values of `template`:
///
///     WebPage("/books/:id", template: "sources/books/book") { request, database in
///       let id = try request.id("id")
///       let book = try await database.rows("SELECT title FROM books.book WHERE id = $1", [.int(id)])
///       guard let title = book.texts.first else { throw SyncError(.missing, "the mirror has no book \(id)") }
///       let heart = try await request.heart(of: id, kind: "book", source: "books", in: database)
///       return WebContent(title: title, ["heart": heart])
///     }
///
/// The template is a file of `web/sources/NAME` without its suffix `.mustache`. It contains only the page's content,
/// because `shared/layout` adds the head, the navigation and the title. It can use the partials `{{>shared/table}}`
/// (`WebTable`), `{{>shared/heart}}` (`WebRequest.heart`) and `{{>shared/bars}}` (`WebPlot.bars`). Variables have two
/// braces, because `{{{name}}}` and `{{&name}}` are not escaped. A section without a value uses the value of an outer
/// section, so names must differ between them. Paths of pages begin with `{{base}}`, which is `web.path`.
///
/// If a parameter is wrong, the page is made again without its parameters, and has the value `complaint`. Templates
/// then omit their lists.
///
/// Each query is a read-only transaction with a limit of 5 s. `SyncError` `.missing` becomes 404, `.usage` 400, and
/// errors of the database 503.
package struct WebPage: Sendable {
  /// Reads the rows of a page for one request, or for all requests of two seconds if the page is shared. It is
  /// cancelled after `Limits.pageDeadline`.
  package typealias Content = @Sendable (WebRequest, Database) async throws -> WebContent

  let path: String
  let template: String
  let isShared: Bool
  let content: Content

  /// Creates a page.
  /// - Parameters:
  ///   - path: Begins with `/`, and does not contain `web.path`. Parts such as `:id` are parameters.
  ///   - template: The template's path below `web` without its suffix, such as `sources/books/book`.
  ///   - isShared: Whether all requests within two seconds get the same content. Such a page has no parameters.
  package init(_ path: String, template: String, isShared: Bool = false, content: @escaping Content) {
    self.path = path
    self.template = template
    self.isShared = isShared
    self.content = content
  }
}

/// The title of a page and the values of its template. Values that are `nil` are omitted.
///
/// The values that `PageMaker.text` sets for the layout replace values with the same names.
package struct WebContent: Sendable {
  let title: String
  let values: [String: WebValue?]
  let refreshes: Bool
  /// The language of the title as in BCP 47; `nil` for the language of its letters.
  package var titleLanguage: String?
  /// The command that prints the content of the page, such as `syncctl rankings anime --genre Action`.
  package var command: String?
  /// The names of the parameters that the page reads. The page names other parameters as ignored.
  package var parameters: Set<String> = []
  /// A file that is sent in place of the page; `nil` for a page.
  let file: WebFile?

  /// Creates the content of a page.
  /// - Parameter refreshes: Whether browsers load the page again every five seconds.
  package init(title: String, _ values: [String: WebValue?], refreshes: Bool = false) {
    self.title = title
    self.values = values
    self.refreshes = refreshes
    file = nil
  }

  /// Creates the content of a request for a file.
  package init(_ file: WebFile) {
    title = file.name
    values = [:]
    refreshes = false
    self.file = file
  }

  /// Returns the content with the command that prints it and the parameters that the page reads.
  package func printed(by command: String?, parameters: some Sequence<String> = []) -> WebContent {
    var copy = self
    copy.command = command
    copy.parameters = Set(parameters)
    return copy
  }
}

/// A link of the navigation. The path begins with `/` and does not contain `web.path`, which the layout adds.
package struct WebLink: Sendable {
  let text: String
  let path: String
  private let covered: [String]

  /// - Parameters:
  ///   - path: Begins with `/` and does not contain `web.path`.
  ///   - covered: The beginnings of the paths of other pages on which the link is the current one, such as `/anime/`.
  package init(_ text: String, to path: String, covering covered: [String] = []) {
    self.text = text
    self.path = path
    self.covered = covered
  }

  /// Whether the page of this path belongs to the link.
  func covers(_ path: String) -> Bool {
    covered.contains { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : "\($0)/") }
  }
}

/// A large change in a ranking, with the path of the item's page.
package struct WebNews: Sendable {
  package let text: String
  package let path: String?
  package let detail: String
  /// Reasons why the ranking can be wrong. The page shows each text once.
  package let notes: [String]

  /// `path` begins with `/` and does not contain `web.path`; `nil` for an item without a page. `detail` follows the
  /// linked `text`.
  package init(text: String, path: String?, detail: String, notes: [String] = []) {
    self.text = text
    self.path = path
    self.detail = detail
    self.notes = notes
  }
}

/// The pages, navigation links and news of one source, or of the program itself.
///
/// The paths of pages must differ between all parts of a site. `WebSite` throws an error otherwise.
package struct WebPart: Sendable {
  /// Returns the path of an item's page without `web.path`; `nil` if the item has no page. The kind is the source's
  /// name of a kind of items, such as `anime`.
  package typealias ItemPath = @Sendable (_ kind: String, _ id: Int64) -> String?
  /// Returns the changes of a source's rankings, the greatest first. The first page shows the first
  /// `Limits.newsOfSource` of them and keeps them for `Limits.newsLife`.
  package typealias News = @Sendable (Database) async throws -> [WebNews]

  /// Whether the navigation has the part's links. Its pages exist in any case.
  package typealias ShowsLinks = @Sendable (Database) async throws -> Bool

  /// Returns what happens on the present day, such as the anime on air; `nil` if nothing does. The first page keeps the
  /// answer for `Limits.newsLife`.
  package typealias Today = @Sendable (Database) async throws -> WebToday?

  let links: [WebLink]
  let pages: [WebPage]
  /// `nil` if the navigation always has the links.
  package var showsLinks: ShowsLinks?
  package let itemPath: ItemPath
  package let news: News
  package private(set) var today: Today = { _ in nil }

  /// Creates a part, whose links are always shown unless `showsLinks` is set.
  /// - Parameters:
  ///   - itemPath: Returns the path of an item's page, for links from other pages; `nil` if the item has no page.
  ///   - news: Returns the changes of rankings, the greatest first, for the first page.
  package init(
    links: [WebLink] = [], pages: [WebPage] = [], itemPath: @escaping ItemPath = { _, _ in nil },
    news: @escaping News = { _ in [] }
  ) {
    self.links = links
    self.pages = pages
    self.itemPath = itemPath
    self.news = news
  }

  /// Returns the part with a list of the present day on the first page.
  package func showing(today: @escaping Today) -> WebPart {
    var copy = self
    copy.today = today
    return copy
  }
}

/// The items of one source on the present day, for the first page.
package struct WebToday: Sendable {
  package let title: String
  package let items: [WebItem]
  /// The sentence about further items, with the path of a page that has them; `nil` if there are none.
  package let rest: WebFact?

  /// The first page shows the first `Limits.todayOnPage` items.
  package init(title: String, items: [WebItem], rest: WebFact? = nil) {
    self.title = title
    self.items = items
    self.rest = rest
  }
}
