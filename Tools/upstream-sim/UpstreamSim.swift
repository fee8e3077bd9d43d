import ArgumentParser
import Foundation
import UpstreamSimulator

@main
struct UpstreamSim: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upstream-sim",
    abstract: "Simulates the public APIs on this machine, from generated rows or from a recording.",
    discussion: """
      The first line on standard output is "listening on http://HOST:PORT"; from then on requests are answered.
      SIGTERM and SIGINT end it with exit code 0.

      EXAMPLES
        upstream-sim --items 28000 --seed 1
        upstream-sim --port 0 --items 1000000 --manga-items 85000 --quiet
        upstream-sim --revision 1 --repeats-across 0.001 --log requests.jsonl
        upstream-sim --recorded /tmp/top-anime --port 8080
        upstream-sim --chaos 500=0.3,reset=0.01,429=0.02:2s --seed 7
        upstream-sim --chaos 500@7,down@10s-70s,hang=0.001
        upstream-sim --chaos faults.txt
        upstream-sim --items 500 --drift 0.1 --seed 3
        upstream-sim --items 500 --drift insert=0.1,remove=0.1,free,ties,total=+3
        upstream-sim --items 500 --etags --edits members=1,title=52
        upstream-sim --items 500 --spelling 1 --bad-items nul=0.01,type=0.01
        upstream-sim --pokeapi hash=abc,mixed=0.1
        upstream-sim --pokeapi cached=pokemon/7:404,remove=pokemon/25,extra
        upstream-sim --itunes day=3,added=2,html=0.02
        curl 'http://127.0.0.1:8080/v4/top/anime?page=2'
        curl 'http://127.0.0.1:8080/api/v2/pokemon/25/'
        curl 'http://127.0.0.1:8080/search?term=jack+johnson&media=music&limit=5'
        curl 'http://127.0.0.1:8080/api/v2/us/music/most-played/10/songs.json'

      FAULTS
      \(Chaos.help)

      DRIFT
      \(JikanDrift.help)

      EDITS
      \(JikanEdits.help)

      BAD ITEMS
      \(BadItems.help)

      POKEAPI
      Under /api/v2, with any upstream. \(PokeAPISettings.help)

      ITUNES
      Under /search and /lookup, and the charts under /api/v2/COUNTRY. \(ITunesSettings.help)
      """)

  @Option(help: "Anime rows to generate.")
  var items = 28_000

  @Option(help: "Manga rows to generate. (default: as many as --items)")
  var mangaItems: Int?

  @Option(help: "The seed of all generated data and faults: the same seed gives the same results.")
  var seed: UInt64 = 1

  @Option(help: "The state of the data: each revision changes the text of 1 % of the rows, and all counters.")
  var revision = 0

  @Option(help: "Share of rows shown twice in a row on one page, 0 to 0.5.")
  var repeats = 0.001

  @Option(help: "Share of rows shown again on a following page, 0 to 0.5.")
  var repeatsAcross = 0.0

  @Option(help: "The answer to a page after the last one: 404, or empty for an empty page.")
  var pastTheEnd = JikanSettings.PastTheEnd.notFound

  @Option(help: "The highest page of /anime and /manga. (default: 1000 under /v1, none under /v4)")
  var pageCap: Int?

  @Option(help: ArgumentHelp("Lists that change while they are read; see DRIFT above.", valueName: "rate|plan"))
  var drift: String?

  @Option(help: ArgumentHelp("Changes to the generated data; see EDITS above.", valueName: "words"))
  var edits: String?

  @Option(help: ArgumentHelp("Invalid items; see BAD ITEMS above.", valueName: "share|plan"))
  var badItems: String?

  @Option(
    help: ArgumentHelp(
      "Each answer has other white space, order of members and escapes; the same for the same seed.",
      valueName: "seed"))
  var spelling: UInt64?

  @Flag(help: "Reorder the arrays inside of items in each answer.")
  var shuffleArrays = false

  @Flag(help: "Answers have an ETag, and If-None-Match gets a 304.")
  var etags = false

  @Flag(help: "Generate each answer once and send it from memory, up to 512 MiB; for benchmarks.")
  var remember = false

  @Option(
    help: ArgumentHelp(
      "Serve the answers that syncctl run --record kept in this folder, of all services; no others.",
      valueName: "folder"))
  var recorded: String?

  @Option(help: ArgumentHelp("Settings of PokeAPI; see POKEAPI above.", valueName: "words"))
  var pokeapi: String?

  @Option(help: ArgumentHelp("Settings of the generated iTunes; see ITUNES above.", valueName: "words"))
  var itunes: String?

  @Option(help: ArgumentHelp("Faults, or a file of them; see FAULTS above.", valueName: "name=rate,…|file"))
  var chaos: String?

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes a free one.")
  var port = 8080

  @Option(help: "Append one JSON line for each request to this file; - is standard output.")
  var log: String?

  @Flag(help: "Print only the line with the address.")
  var quiet = false

  func validate() throws {
    let limit = 10_000_000
    for (name, value) in [("items", items), ("manga-items", mangaItems ?? 0)] where !(0...limit).contains(value) {
      throw ValidationError("--\(name) must be 0 to \(limit).")
    }
    guard (0...1_000_000).contains(revision) else { throw ValidationError("--revision must be 0 to 1000000.") }
    for (name, rate) in [("repeats", repeats), ("repeats-across", repeatsAcross)] where !(0...0.5).contains(rate) {
      throw ValidationError("--\(name) must be 0 to 0.5.")
    }
    guard pageCap.map({ $0 >= 1 }) ?? true else { throw ValidationError("--page-cap must be 1 or more.") }
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
    _ = try (plan(), edited(), spoiled(), pokeAPISettings(), iTunesSettings())
    let generated = [
      ("edits", edits), ("drift", drift), ("pokeapi", pokeapi), ("itunes", itunes),
    ]
    if recorded != nil, let name = generated.first(where: { $0.1 != nil })?.0 {
      throw ValidationError("--\(name) is for generated answers; omit --recorded.")
    }
    guard try changes() != nil else { return }
    guard edits == nil else { throw ValidationError("--drift changes lists itself; omit --edits.") }
    guard !remember else { throw ValidationError("--remember is for answers that do not change; omit --drift.") }
    guard max(items, mangaItems ?? 0) <= 100_000 else {
      throw ValidationError("--drift is for lists of at most 100000 items; set --items.")
    }
  }

  private func read<Value>(_ option: String, _ text: String?, _ read: (String) throws -> Value) throws -> Value? {
    do {
      return try text.map(read)
    } catch let error as ChaosError {
      throw ValidationError("--\(option): \(error)")
    }
  }

  private func changes() throws -> JikanDrift? { try read("drift", drift) { try JikanDrift($0) } }

  private func edited() throws -> JikanEdits { try read("edits", edits) { try JikanEdits($0) } ?? JikanEdits() }

  private func spoiled() throws -> BadItems? { try read("bad-items", badItems) { try BadItems($0, seed: seed) } }

  private func pokeAPISettings() throws -> PokeAPISettings? {
    try read("pokeapi", pokeapi ?? "") { try PokeAPISettings($0, seed: seed) }
  }

  private func iTunesSettings() throws -> ITunesSettings? {
    try read("itunes", itunes ?? "") { try ITunesSettings($0, seed: seed) }
  }

  private func plan() throws -> Chaos {
    try read("chaos", chaos) { try Chaos(planOrFile: $0, seed: seed) } ?? Chaos.none
  }

  func run() async throws {
    do {
      let log = try openLog()
      if let recorded {
        try await serve(RecordedUpstream(folder: recorded), log, what: "the recording in \(recorded)")
      } else {
        let settings = settings
        let what = "\(settings.animeItems) anime and \(settings.mangaItems) manga, seed \(seed), revision \(revision)"
        if let changes = try changes() {
          try await serve(DriftingJikan(settings, drift: changes), log, what: "changing lists of \(what)")
        } else {
          try await serve(GeneratedJikan(settings, edits: edited()), log, what: what)
        }
      }
    } catch let error as SimulatorError {
      FileHandle.standardError.write(Data("upstream-sim: \(error)\n".utf8))
      throw ExitCode(error.exitCode)
    }
  }

  private var settings: JikanSettings {
    var settings = JikanSettings(items: items)
    settings.mangaItems = mangaItems ?? items
    settings.seed = seed
    settings.revision = revision
    settings.repeats = repeats
    settings.repeatsAcross = repeatsAcross
    settings.pastTheEnd = pastTheEnd
    settings.pageCap = pageCap
    return settings
  }

  /// Adds PokeAPI, everything that alters answers, and iTunes. Memory is first, because it keeps unaltered answers.
  /// ITunes is last, because its answers change and have no ETags.
  private func dressed(_ upstream: any SimulatedUpstream) throws -> any SimulatedUpstream {
    var upstream = upstream
    if recorded == nil {
      let pokeAPI = GeneratedPokeAPI(try pokeAPISettings() ?? PokeAPISettings())
      upstream = SideBySideUpstream([.pokeAPI: pokeAPI], other: upstream)
    }
    if remember { upstream = RememberedUpstream(upstream) }
    let wrong = try spoiled()
    if wrong != nil || spelling != nil || shuffleArrays {
      upstream = AlteredUpstream(
        upstream, badItems: wrong, spelling: spelling, shuffling: shuffleArrays ? seed : nil)
    }
    if etags { upstream = ConditionalUpstream(upstream) }
    guard recorded == nil else { return upstream }
    return SideBySideUpstream([.iTunes: GeneratedITunes(try iTunesSettings() ?? ITunesSettings())], other: upstream)
  }

  private func openLog() throws -> RequestLog? {
    switch log {
    case nil: nil
    case "-": RequestLog(FileHandle(fileDescriptor: STDOUT_FILENO, closeOnDealloc: false))
    case .some(let path): try RequestLog.appending(toFileAt: path)
    }
  }

  private func serve(_ upstream: some SimulatedUpstream, _ log: RequestLog?, what: String) async throws {
    let quiet = quiet
    let chaos = try plan()
    let faults = chaos.isEmpty ? "" : "; with faults"
    try await SimulatorServer.run(dressed(upstream), chaos: chaos, host: host, port: port, log: log) { server in
      // Unbuffered, because scripts wait for this line.
      FileHandle.standardOutput.write(Data("listening on \(server.baseURL)\n".utf8))
      if !quiet { FileHandle.standardError.write(Data("serving \(what)\(faults); stop with Ctrl-C\n".utf8)) }
    }
  }
}

extension JikanSettings.PastTheEnd: ExpressibleByArgument {}
