import ArgumentParser
import SyncCore

struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Show the version.",
    discussion: """
      Example:
        syncctl version
      """)

  func run() throws { try StandardStreams().print(line: Version.text) }
}

enum Version {
  static let text = "0.1.0"
  static let userAgent = "syncctl/\(text) (+https://github.com/syncctl/syncctl)"
}
