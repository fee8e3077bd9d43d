import ArgumentParser
import SyncCore

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check database, mirror, worker and services, and say what to do.",
    discussion: """
      Requests one page from each source, within the shared rate limits; --all names the addresses. A service whose \
      limit is used up, or that demands a pause, is not checked. Exits with the status of the first problem. For \
      settings, see syncctl config.

      Examples:
        syncctl doctor
        syncctl doctor --format json
      """)

  @Flag(help: "List every check.")
  var all = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  func run() async throws {
    let streams = StandardStreams()
    let configuration = try common.configuration()
    let unsorted = await Self.checkPrograms(configuration) + Self.checkDatabase(configuration)
    let findings = unsorted.filter { $0.error != nil } + unsorted.filter { $0.error == nil }

    let listing = Self.listing(findings)
    let short = listing.summarized(inPipes: true) { Self.screen(findings, width: $0) }
    try streams.printUnlessClosed(all ? listing : short, output)
    if let first = findings.compactMap(\.error).first { throw ExitStatus(value: first.code.exitStatus) }
  }

  /// The list of all checks.
  private static func listing(_ findings: [Finding]) -> Listing {
    Listing(
      columns: [Column("check"), Column("ok"), Column("finding", fit: .wrapped)],
      rows: findings.map { finding in
        [
          .text(finding.line.subject), finding.isWell.map { .bool($0) } ?? .null,
          .text(finding.error?.description ?? finding.line.text),
        ]
      })
  }
}
