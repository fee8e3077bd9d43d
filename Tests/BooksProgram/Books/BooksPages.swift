import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// A list of books with hearts, and a page for each book.
enum BooksPages {
  static let all = [list, book]

  private static let list = WebPage("/books", template: "sources/books/list") { request, database in
    let rows = try await database.rows("SELECT id, title FROM books.book ORDER BY id")
    let hearts = try await request.hearts("books", "book", rows.ids, in: database)
    let listing = Listing(rows, emptyMessage: "The mirror has no books.")
    let table = listing.webTable(
      "\(rows.rows.count) books",
      path: { key, row in key == "title" ? row["id"]?.integer.map { "/books/\($0)" } : nil },
      heart: { row in row["id"]?.integer.flatMap { hearts[$0] } })
    return WebContent(title: "Books", ["books": table])
  }

  private static let book = WebPage("/books/:id", template: "sources/books/book") { request, database in
    let id = try request.id("id")
    let rows = try await database.rows("SELECT title FROM books.book WHERE id = $1", [.int(id)])
    guard let title = rows.texts.first else {
      throw SyncError(.missing, "the mirror has no book \(id)", hint: "/books lists all books")
    }
    return WebContent(title: title, ["heart": try await request.heart("books", "book", id, in: database)])
  }
}
