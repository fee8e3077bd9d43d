import ITunesSource
import JikanSource
import PokeAPISource
import SyncProgram

/// syncctl with one source more, to show that a source is a folder, a folder of SQL and one line.
@main
enum Main {
  static func main() async {
    let sources: [any Source.Type] = [JikanSource.self, PokeAPISource.self, ITunesSource.self, BooksSource.self]
    await Registry.$sources.withValue(sources) { await Program.main() }
  }
}

/// Is filled from the files of `sources/books`.
enum EmbeddedSQL {}
