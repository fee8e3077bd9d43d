import ArgumentParser
import SyncCore

struct StreamFilter: Sendable {
  let sources: [String]
  let names: [String]
  let unknown: @Sendable (String) -> SyncError?

  var isNamed: Bool { !sources.isEmpty || !names.isEmpty }

  func includes(_ stream: StreamName) -> Bool {
    (sources.isEmpty || sources.contains(stream.source)) && (names.isEmpty || names.contains(stream.name))
  }

  func neverRun(_ name: String) -> SyncError {
    unknown(name)
      ?? SyncError(
        .missing, "the stream \(Excerpt.of(name, scalars: 60)) has never run",
        hint: "syncctl status --all lists the streams")
  }
}

struct StreamFilterOptions: ParsableArguments {
  @Option(help: Registry.sourceHelp, completion: Completion.sources)
  var source: [String] = []

  @Option(
    help: ArgumentHelp("Only this stream; repeatable.", valueName: "name"),
    completion: Completion.streams)
  var stream: [String] = []

  /// Accepts unknown names, because the mirror can contain streams of removed sources.
  func filter(_ configuration: Configuration) throws(SyncError) -> StreamFilter {
    let chosen = try Registry.chosen(source).map { $0.name }
    let sources = configuration.sources.filter { chosen.contains($0.name) }
    let names = stream.flatMap { word in
      sources.first { $0.knowsStream(word) }.flatMap { try? $0.streamNames(word) } ?? [word]
    }
    return StreamFilter(sources: source.isEmpty ? [] : chosen, names: names.distinct()) { name in
      sources.contains { $0.knowsStream(name) } ? nil : StreamChoice.unknown(name, among: sources)
    }
  }
}
