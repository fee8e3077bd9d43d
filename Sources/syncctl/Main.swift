import ITunesSource
import JikanSource
import PokeAPISource
import SyncProgram

@main
enum Main {
  static func main() async {
    // In the order in which they run and are shown.
    let sources: [any Source.Type] = [JikanSource.self, PokeAPISource.self, ITunesSource.self]
    await Registry.$sources.withValue(sources) { await Program.main() }
  }
}
