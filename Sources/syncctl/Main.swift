import ITunesSource
import JikanSource
import PokeAPISource
import SyncProgram

@main
enum Main {
  static func main() async {
    // The sources run and are shown in this order.
    let sources: [any Source.Type] = [JikanSource.self, PokeAPISource.self, ITunesSource.self]
    await Registry.$sources.withValue(sources) { await Program.main() }
  }
}
