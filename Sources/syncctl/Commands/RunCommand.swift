import ArgumentParser
import Foundation
import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres
import SyncSources

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Mirror one source or all of them.",
    discussion: """
      Examples:
        syncctl run --source jikan
        syncctl run --source jikan --stream top-anime --max-pages 2
        syncctl run --source jikan --stream top-anime:tv --format json

      A run that was stopped, by a signal, a crash or --max-pages, is gone on with by the next one
      for six hours. The streams of jikan: top-anime and top-manga (default), each also narrowed by
      a type (top-anime:tv, :movie, …), a filter (top-anime:airing, top-manga:publishing, …) or both
      (top-anime:tv:airing).
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  @Option(name: .long, help: "jikan, or all.")
  var source = "all"

  @Option(name: .long, help: ArgumentHelp("A stream to run; may be given several times.", valueName: "name"))
  var stream: [String] = []

  @Option(name: .long, help: ArgumentHelp("Read at most this many pages of each stream.", valueName: "n"))
  var maxPages: Int?

  @Flag(name: .long, help: "Start a new walk even if one could be gone on with.")
  var full = false

  @Flag(name: .long, help: "Wait while another process is at work on a stream, instead of ending with status 75.")
  var wait = false

  @Flag(name: .long, help: "Take over rows that came from another base URL.")
  var adoptOrigin = false

  func run() async throws {
    if let maxPages, maxPages < 1 {
      throw SyncError(.usage, "--max-pages \(maxPages): there is nothing to do", hint: "give 1 or more")
    }
    let lists = try StreamChoice.lists(source: source, names: stream)
    let configuration = try common.configuration()
    let streams = StandardStreams()
    let clock = SystemClock()
    let progress = ProgressReporter(streams: streams, now: clock.now)
    defer { progress.finish() }
    let runner = Runner(
      configuration: configuration, lists: lists, maxPages: maxPages, isFull: full, waits: wait,
      adoptsOrigin: adoptOrigin,
      streams: streams, progress: progress, clock: clock)
    let (outcome, signal) = try await Signals.stopping(
      onFirst: { streams.note("stopping: the page in hand is finished or rolled back …") },
      { try await runner.run() })
    progress.finish()
    let listing = RunSummary.listing(outcome.reports).shown(as: output.format, without: RunSummary.hiddenInTables)
    try streams.printUnlessClosed(listing, as: output.format)
    for report in outcome.reports { RunSummary.explain(report, to: streams) }
    for error in outcome.refusals { streams.fail("\(error)") }
    if let signal { throw ExitStatus(value: signal) }
    let status = RunSummary.exitStatus(outcome)
    if status != 0 { throw ExitStatus(value: status) }
  }
}

/// The streams that the command line asks for.
enum StreamChoice {
  static let sources = [SourceID.jikan.rawValue]

  /// - Throws: `SyncError` `.usage` with the nearest known name.
  static func lists(source: String, names: [String]) throws(SyncError) -> [JikanTopList] {
    guard source == "all" || sources.contains(source) else {
      throw SyncError(
        .usage, "there is no source \(Excerpt.of(source, scalars: 40))",
        hint: hint(source, among: sources + ["all"]))
    }
    guard !names.isEmpty else { return JikanTopList.defaults }
    var lists: [JikanTopList] = []
    for name in names {
      guard let list = JikanTopList(name: name) else {
        throw SyncError(
          .usage, "jikan has no stream \(Excerpt.of(name, scalars: 60))",
          hint: hint(name, among: JikanTopList.named.map(\.name)))
      }
      if !lists.contains(list) { lists.append(list) }
    }
    return lists
  }

  private static func hint(_ word: String, among known: [String]) -> String {
    Suggestion.nearest(to: word, among: known).map { "did you mean \($0)?" }
      ?? "known: \(known.prefix(6).joined(separator: ", "))\(known.count > 6 ? ", …" : "")"
  }
}
