import ITunesSource
import JikanSource
import PokeAPISource
import RestSource
import SyncProgram

@main
enum Main {
  static func main() async {
    // The sources run and are shown in this order.
    let sources = [JikanSource.definition, PokeAPISource.definition, ITunesSource.definition]
    await Registry.$sources.withValue(sources) {
      await Registry.$kinds.withValue([RestKind.self]) { await Program.main() }
    }
  }
}
