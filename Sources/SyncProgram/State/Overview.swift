import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

enum Overview {
  private typealias Fact = (String, String?)

  private static let limit = Duration.milliseconds(900)

  static func print(to streams: StandardStreams) async throws {
    let program = Syncctl.configuration
    let commands = program.groupedSubcommands.map { group -> Fact in
      let shown = group.subcommands.filter { $0.configuration.shouldDisplay }
      return (group.name, shown.map { $0._commandName }.joined(separator: ", "))
    }
    let help = "syncctl help lists the commands, syncctl help COMMAND explains one"
    let blocks: [[Fact]] = [[("syncctl", program.abstract)], await state(), commands + [("Help", help)]]
    let width = streams.renderingOptions.width
    try streams.print(lines: TextLayout.sections(blocks.map { TextLayout.facts($0, labelWidth: 13, width: width) }))
  }

  private static func state() async -> [Fact] {
    do {
      let configuration = try Configuration.load(configFlag: nil, environment: ProcessInfo.processInfo.environment)
      let file = configuration.file?.value ?? "no file, so the defaults apply; syncctl init writes one"
      let silence = SyncError(.database, "the database (\(configuration.database.origin)) does not answer", hint: nil)
      let mirror = await Context.answer(within: limit) { await facts(Context(configuration: configuration)) }
      return [("configuration", file)] + (mirror ?? explained(silence))
    } catch {
      return explained(error)
    }
  }

  private static func facts(_ context: Context) async -> [Fact] {
    do {
      if try await context.isAsleep() {
        return [("mirror", "in the embedded PostgreSQL, which is stopped"), ("next", "syncctl status starts it")]
      }
      let options = Database.Options(reconnectDeadline: limit, statementTimeout: limit)
      return try await context.withExistingMirror(options: options) { database in
        let state = try await MirrorState.read(database, context.configuration)
        return facts(state, try await Runs.list(database, limit: 1).rows.namedRows.first)
      }
    } catch {
      return explained(error)
    }
  }

  private static func explained(_ error: any Error) -> [Fact] {
    let error = SyncError(known: error)
    return [("mirror", error?.message ?? "it cannot be read"), ("next", error?.hint ?? "syncctl doctor")]
  }

  private static func facts(_ state: MirrorState, _ latest: NamedRow?) -> [Fact] {
    guard !state.isEmpty else { return [("mirror", "nothing is mirrored yet"), ("next", state.start)] }
    let streams = state.figures.streams
    let entries = streams.reduce(0) { $0 &+ ($1.entries ?? 0) }
    let problems = state.attention(state.standings)
    let help = (problems.count == 1 ? problems[0].action : nil) ?? "syncctl status shows the remedies"
    let next = problems.isEmpty ? "syncctl status shows how fresh it is" : help
    return [
      ("mirror", "\(HumanFormat.counted(entries, "row")) in \(HumanFormat.counted(streams.count, "stream"))"),
      ("last run", latest.flatMap { lastRun($0, state) }), ("state", state.summary(state.standings)),
      ("problem", problems.first.map { "\($0.subject): \($0.text)" }), ("next", next),
    ]
  }

  private static func lastRun(_ row: NamedRow, _ state: MirrorState) -> String? {
    guard let status = row["status"], let source = row["source"], let stream = row["stream"] else { return nil }
    let now = Int64(state.figures.now)
    let age = row["started_at"].flatMap(Timestamp.seconds).map { HumanFormat.age(of: $0, now: now) + ", " } ?? ""
    return "\(age)\(source)/\(stream): \(row.isTrue("held") ? "held" : status)"
  }
}
