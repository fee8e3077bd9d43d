import ArgumentParser
import Foundation
import SyncCore
import SyncHTTP
import SyncPostgres

struct HealthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Say whether the mirror is fresh, or a worker ready: a probe.",
    discussion: """
      Exits with 0 if every stream that was ever run is known to have been whole within
      --max-age, with 1 if one was not, and 74 without a database. With --endpoint it
      asks a worker instead: 0 if it answers that all is well, 1 if not.

      Examples:
        syncctl health --max-age 26h
        syncctl health --source jikan --stream top-anime --max-age 8d
        syncctl health --endpoint http://127.0.0.1:9464/readyz
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  @Option(name: .long, help: ArgumentHelp("How old a stream may be, e.g. 90m, 26h, 8d.", valueName: "time"))
  var maxAge = "26h"

  @Option(name: .long, help: "Only the streams of this source.")
  var source: String?

  @Option(name: .long, help: ArgumentHelp("Only this stream; may be given several times.", valueName: "name"))
  var stream: [String] = []

  @Option(name: .long, help: ArgumentHelp("Ask a worker at this address.", valueName: "url"))
  var endpoint: String?

  func run() async throws {
    if let endpoint { return try await ask(endpoint) }
    guard let limit = Duration(configured: maxAge) else {
      throw SyncError(
        .usage, "--max-age \(Excerpt.of(maxAge, scalars: 40)) is not a time", hint: "give one such as 90m, 26h or 8d")
    }
    let figures = try await Context(configuration: try common.configuration()).withExistingMirror {
      try await MirrorFigures.read($0)
    }
    let streams = figures.streams.filter { one in
      (source.map { $0 == one.source } ?? true) && (stream.isEmpty || stream.contains(one.name))
    }
    let unknown = stream.filter { name in !streams.contains { $0.name == name } }
    if let name = unknown.first {
      throw SyncError(
        .missing, "the stream \(Excerpt.of(name, scalars: 60)) was never run", hint: "syncctl status lists the streams")
    }
    guard !streams.isEmpty else {
      throw SyncError(.missing, "nothing has been mirrored yet", hint: "syncctl run fills the mirror")
    }
    let rows = streams.map { stream -> (isFresh: Bool, cells: [Cell]) in
      let isFresh = stream.age.map { $0 <= limit / .seconds(1) } ?? false
      let age = stream.age.map { Cell.int(Duration(clamping: $0).components.seconds) } ?? .null
      return (isFresh, [.text(stream.source), .text(stream.name), .bool(isFresh), age])
    }
    let columns = [Column("source"), Column("stream"), Column("fresh"), Column("age_seconds", title: "age (s)")]
    try StandardStreams().printUnlessClosed(Listing(columns: columns, rows: rows.map(\.cells)), as: output.format)
    let stale = rows.count { !$0.isFresh }
    guard stale > 0 else { return }
    StandardStreams().warn("\(stale) of \(rows.count) streams have not been whole for \(maxAge)")
    throw ExitStatus(value: 1)
  }

  private func ask(_ endpoint: String) async throws {
    let url = try Origin.checked(Setting(endpoint, .flag("--endpoint")), example: "http://127.0.0.1:9464/readyz")
    do {
      let response = try await HTTPTransport.with(userAgent: Version.userAgent, deadline: .seconds(5)) {
        try await $0.fetch(UpstreamRequest(url: url))
      }
      let said = Excerpt.of(response.body, scalars: 200)
      guard response.status == 200 else {
        throw SyncError(.missing, "\(url) answered \(response.status): \(said)", hint: "look at the worker's log")
      }
      StandardStreams().note(said.trimmingCharacters(in: .whitespaces))
    } catch let error as SyncError where error.code == .upstream {
      throw SyncError(.missing, "no worker answers at \(url)", hint: "look whether it runs, and with --listen")
    }
  }
}
