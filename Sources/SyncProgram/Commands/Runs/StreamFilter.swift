import ArgumentParser
import SyncCore

struct StreamFilter: Sendable {
  let source: String?
  let names: [String]

  var isNamed: Bool { source != nil || !names.isEmpty }

  func includes(_ stream: StreamName) -> Bool {
    (source.map { $0 == stream.source } ?? true) && (names.isEmpty || names.contains(stream.name))
  }

  static func neverRun(_ name: String) -> SyncError {
    SyncError(
      .missing, "the stream \(Excerpt.of(name, scalars: 60)) was never run",
      hint: "syncctl status --all lists the streams")
  }
}

struct StreamFilterOptions: ParsableArguments {
  @Option(help: "Only the streams of this source.", completion: .list(Registry.names))
  var source: String?

  @Option(
    help: ArgumentHelp("Only this stream; may be given several times.", valueName: "name"),
    completion: Completion.streams)
  var stream: [String] = []

  /// The mirror can have a stream that no source knows any more.
  func filter(_ configuration: Configuration) throws(SyncError) -> StreamFilter {
    if let source { _ = try Registry.source(source) }
    let sources = configuration.sources.filter { source == nil || type(of: $0).name == source }
    let names = stream.flatMap { word in
      sources.first { $0.knowsStream(word) }.flatMap { try? $0.streamNames(word) } ?? [word]
    }
    return StreamFilter(source: source, names: names.distinct())
  }
}
