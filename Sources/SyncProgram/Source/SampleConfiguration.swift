/// A source's part of the file that `syncctl init` writes. Optional settings are comments such as `# ttl: 20h`, with
/// their default values. A test removes the `# ` and reads the file.
package struct SampleConfiguration: Sendable {
  let settings: String
  let jobs: String

  /// Both texts are lines of YAML without indentation. `settings` belong below `sources.NAME`, and `jobs` below `jobs`.
  package init(settings: String, jobs: String) {
    self.settings = settings
    self.jobs = jobs
  }
}

/// Hints of errors quote lines of this file.
struct SampleFile {
  let sources: [SourceDefinition]

  var text: String {
    let samples = sources.compactMap { source in source.sample.map { (source.name, $0) } }
    let settings = samples.map { "  \($0):\n" + Self.indented($1.settings, by: 4) }
    let jobs = samples.map { Self.indented($1.jobs, by: 2) }
    return """
      # The configuration of syncctl. A comment such as "# timeout: 24h" is a setting: remove its "# " to use it.
      # "syncctl config" shows every setting in force, "syncctl doctor" checks them.

      \(Self.general)

      sources:
      \(settings.joined(separator: "\n"))

      # When "syncctl worker" fetches what. Times are UTC; a job can have a time_zone such as Europe/Berlin.
      jobs:
      \(jobs.joined(separator: "\n"))

      """
  }

  private static let general = """
    # Without a database, syncctl starts a PostgreSQL of its own on this machine ("syncctl db status").
    # Passwords belong in ~/.pgpass (mode 0600), a service file of libpq or PGPASSWORD, never in this file.
    # database:
    #   url: postgresql:///mirror

    # The defaults:
    # runs:
    #   lease_ttl: 90s
    #   resume_within: 6h
    #   timeout: 24h
    # history:
    #   positions: 1000
    #   retention: forever
    # retention:
    #   runs: 400d
    #   quarantine: 400d
    #   searches: 90d
    #   lookups: forever
    #   results: forever

    # Metrics and health of the worker. Without this, it listens nowhere.
    # telemetry:
    #   listen: "127.0.0.1:9464"
    # web:
    #   enabled: false
    """

  static func line(_ path: String) -> String? {
    let parts = path.split(separator: ".").map(String.init)
    guard parts.count > 1, let key = parts.last else { return nil }
    let source = parts[0] == "sources" ? Registry.sources.first { $0.name == parts[1] } : nil
    for line in (source?.sample?.settings ?? general).split(separator: "\n") {
      let setting = line.drop { $0 == " " || $0 == "#" }
      if setting.hasPrefix(key + ": ") { return String(setting) }
    }
    return nil
  }

  private static func indented(_ text: String, by count: Int) -> String {
    let space = String(repeating: " ", count: count)
    return text.split(separator: "\n").map { "\(space)\($0)" }.joined(separator: "\n")
  }
}
