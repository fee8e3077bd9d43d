import SyncProgram

/// syncctl with one source more, to show that a source is a folder, a folder of SQL and one line.
@main
enum Main {
  static func main() async {
    await Registry.$sources.withValue(Registry.sources + [BooksSource.self]) { await Program.main() }
  }
}

/// Is filled from the files of `sources/books`.
enum EmbeddedSQL {}
