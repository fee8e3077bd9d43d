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

      RECORDINGS
      --recorded serves what syncctl run --record wrote. Each recorded server has a port of its own: --port, and the \
      ports after it. Standard output names the ports, then the variables of a run that reads the recording. A \
      repeated request gets the recorded answers in their order, then the last one again. A request that was not \
      recorded gets status 421, which stops a stream, and a line on standard error.

      EXAMPLES
        upstream-sim --items 28000 --seed 1
        upstream-sim --port 0 --items 1000000 --manga-items 85000 --quiet
        upstream-sim --items 2000 --pictures
        upstream-sim --revision 1 --repeats-across 0.001 --log requests.jsonl
        upstream-sim --recorded /tmp/top-anime
        upstream-sim --chaos 500=0.3,reset=0.01,503=0.02:2s --seed 7
        upstream-sim --chaos 500@7,down@10s-70s,hang=0.001
        upstream-sim --items 500 --drift 0.1 --seed 3
        upstream-sim --items 500 --etags --edits members=1,title=52
        curl 'http://127.0.0.1:8080/v4/top/anime?page=2'
        curl 'http://127.0.0.1:8080/api/v2/pokemon/25/'
        curl 'http://127.0.0.1:8080/search?term=jack+johnson&media=music&limit=5'
        curl 'http://127.0.0.1:8080/api/v2/us/music/most-played/10/songs.json'

      FAULTS
      \(Chaos.help)

      EDITS
      \(JikanEdits.help)
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

  @Option(
    help: ArgumentHelp(
      """
      Share of page requests before which the list changes, 0 to 1: half of the changes move an item to another place, \
      a quarter each insert and remove one.
      """, valueName: "rate"))
  var drift: Double?

  @Option(help: ArgumentHelp("Changes to the generated data; see EDITS above.", valueName: "words"))
  var edits: String?

  @Flag(help: "Answers have an ETag, and If-None-Match gets a 304.")
  var etags = false

  @Flag(help: "Generate each answer once and send it from memory, up to 512 MiB; for benchmarks.")
  var remember = false

  @Option(
    help: ArgumentHelp(
      "Serve the answers that syncctl run --record wrote to this folder; see RECORDINGS above.",
      valueName: "folder"))
  var recorded: String?

  @Option(help: "Documents of Pokémon: the handmade ones, and copies under other ids up to this number.")
  var pokemon = 0

  @Flag(help: "Answers name pictures that this server draws.")
  var pictures = false

  @Option(help: ArgumentHelp("Faults; see FAULTS above.", valueName: "name=rate,…"))
  var chaos: String?

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes a free one.")
  var port = 8080

  @Option(help: "Append one JSON line for each request to this file; - is standard output.")
  var log: String?

  @Flag(help: "Print only the lines with the addresses.")
  var quiet = false

  func validate() throws {
    let numbers = [
      ("items", items, 10_000_000), ("manga-items", mangaItems ?? 0, 10_000_000), ("revision", revision, 1_000_000),
      ("pokemon", pokemon, 100_000), ("port", port, 65_535),
    ]
    for (name, value, limit) in numbers where !(0...limit).contains(value) {
      throw ValidationError("--\(name) must be 0 to \(limit).")
    }
    let rates = [("repeats", repeats, 0.5), ("repeats-across", repeatsAcross, 0.5), ("drift", drift ?? 0, 1)]
    for (name, rate, limit) in rates where !(0...limit).contains(rate) {
      throw ValidationError("--\(name) must be 0 to \(limit).")
    }
    _ = try (plan(), edited())
    if recorded != nil, edits != nil || drift != nil {
      throw ValidationError("--edits and --drift are for generated answers; omit --recorded.")
    }
    if recorded != nil, remember || etags || pictures {
      throw ValidationError("--remember, --etags and --pictures would replace recorded answers; omit --recorded.")
    }
    guard drift != nil else { return }
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

  private func edited() throws -> JikanEdits { try read("edits", edits) { try JikanEdits($0) } ?? JikanEdits() }

  private func plan() throws -> Chaos { try read("chaos", chaos) { try Chaos($0, seed: seed) } ?? Chaos.none }

  func run() async throws {
    do {
      let log = try openLog()
      let what = "\(items) anime and \(mangaItems ?? items) manga, seed \(seed), revision \(revision)"
      if let recorded {
        try await serve(ServedRecording(folder: recorded, report: Self.say), log)
      } else if let drift {
        try await serve(DriftingJikan(settings, drift: JikanDrift(rate: drift)), log, what: "changing lists of \(what)")
      } else {
        try await serve(GeneratedJikan(settings, edits: edited()), log, what: what)
      }
    } catch let error as SimulatorError {
      Self.say("\(error)")
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
    settings.hasTitledPictures = pictures
    return settings
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data("upstream-sim: \(text)\n".utf8))
  }

  /// iTunes must be last, because its answers change and have no ETags.
  private func dressed(_ upstream: any SimulatedUpstream) -> any SimulatedUpstream {
    var upstream: any SimulatedUpstream = SideBySideUpstream(
      [.pokeAPI: SimulatedPokeAPI(documents: pokemon)], other: upstream)
    if pictures { upstream = IllustratedUpstream(upstream) }
    if remember { upstream = RememberedUpstream(upstream) }
    if etags { upstream = ConditionalUpstream(upstream) }
    let iTunes: any SimulatedUpstream = pictures ? IllustratedUpstream(GeneratedITunes()) : GeneratedITunes()
    return SideBySideUpstream([.iTunes: iTunes], other: upstream)
  }

  private func openLog() throws -> RequestLog? {
    switch log {
    case nil: nil
    case "-": RequestLog(FileHandle(fileDescriptor: STDOUT_FILENO, closeOnDealloc: false))
    case .some(let path): try RequestLog.appending(toFileAt: path)
    }
  }

  private func serve(_ upstream: some SimulatedUpstream, _ log: RequestLog?, what: String) async throws {
    try await serve([dressed(upstream)], log, what: what)
  }

  private func serve(_ recording: ServedRecording, _ log: RequestLog?) async throws {
    try await serve(recording.upstreams, log, what: recording.summary) { servers in
      recording.exports(at: servers.map(\.baseURL))
    }
  }

  /// - Parameter settings: Returns the lines that follow the addresses of the servers on standard output.
  private func serve(
    _ upstreams: [any SimulatedUpstream], _ log: RequestLog?, what: String,
    settings: @escaping @Sendable ([SimulatorServer]) -> [String] = { _ in [] }
  ) async throws {
    let quiet = quiet
    let chaos = try plan()
    let faults = chaos.isEmpty ? "" : "; with faults"
    try await SimulatorServer.run(upstreams, chaos: chaos, host: host, port: port, log: log) { servers in
      let lines = servers.map { "listening on \($0.baseURL)" } + (quiet ? [] : settings(servers))
      // The lines are written without a buffer, because scripts wait for them.
      FileHandle.standardOutput.write(Data(lines.map { "\($0)\n" }.joined().utf8))
      if !quiet { FileHandle.standardError.write(Data("serving \(what)\(faults); stop with Ctrl-C\n".utf8)) }
    }
  }
}
