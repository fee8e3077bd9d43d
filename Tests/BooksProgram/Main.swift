import ITunesSource
import JikanSource
import PokeAPISource
import SyncProgram

/// syncctl with a fourth source. The source needs a folder of Swift, a folder of SQL, and one line in `main`.
@main
enum Main {
  static func main() async {
    let sources: [any Source.Type] = [JikanSource.self, PokeAPISource.self, ITunesSource.self, BooksSource.self]
    await Registry.$sources.withValue(sources) { await Program.main() }
  }
}

/// The build plugin fills these enums from the SQL files and the templates of `sources/books`.
enum EmbeddedSQL {}
enum EmbeddedWeb {}
