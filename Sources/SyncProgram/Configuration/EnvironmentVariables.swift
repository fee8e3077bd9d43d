import Foundation
import SyncCore
import SyncPostgres

/// The variables of the environment that hold settings. They are checked before their values are read, because a shell
/// removes quotes and expands `~`, but env files of Docker, systemd and cron do not.
struct EnvironmentVariables {
  let values: [String: String]

  private static let dataFolder = "SYNCCTL_DATA_DIR"

  /// The names that start with `SYNCCTL_`, in a program with these sources.
  static var names: Set<String> {
    var names: Set = [
      "SYNCCTL_CONFIG", "SYNCCTL_DATABASE_URL", dataFolder, "SYNCCTL_PG_BINDIR", "SYNCCTL_LEASE_TTL",
      "SYNCCTL_RESUME_WITHIN", "SYNCCTL_RUN_TIMEOUT", "SYNCCTL_HISTORY_POSITIONS", "SYNCCTL_HISTORY_RETENTION",
      "SYNCCTL_HYPERLINKS", "SYNCCTL_PAGER", "SYNCCTL_DRAFT_TOKEN",
    ]
    names.formUnion(ConfigurationFile.Keys.retention.map { "SYNCCTL_RETENTION_\($0.uppercased())" })
    names.formUnion(ConfigurationFile.Keys.telemetry.map { "SYNCCTL_\($0.uppercased())" })
    names.formUnion(ConfigurationFile.Keys.web.map { "SYNCCTL_WEB_\($0.uppercased())" })
    for source in Registry.sources {
      names.formUnion(SourceSettings.keys(of: source).map { SourceSettings.variable(of: source.id, $0) })
    }
    return names
  }

  /// The values that a shell would have changed, and a data folder that depends on the working folder. The texts do not
  /// show values, because these can be secret.
  func faults() -> [SyncError] {
    let names = Self.names.subtracting(["SYNCCTL_PAGER"]).union(["DATABASE_URL"])
    let faults = names.sorted().compactMap { name in values[name].flatMap { Self.fault(of: name, $0) } }
    guard let folder = values[Self.dataFolder], !folder.isEmpty, !folder.hasPrefix("/"),
      Self.fault(of: Self.dataFolder, folder) == nil
    else { return faults }
    let absolute = URL(filePath: folder).standardizedFileURL.path
    return faults + [
      SyncError(
        .configuration,
        "environment \(Self.dataFolder): a relative path, which names another database in each working folder",
        hint: "write \(Self.dataFolder)=\(absolute.shellWord)")
    ]
  }

  private static func fault(of name: String, _ value: String) -> SyncError? {
    if let first = value.first, "\"'".contains(first), value.count > 1, value.last == first {
      return SyncError(
        .configuration, "environment \(name): the value is in quotes, which are part of it here",
        hint: "remove the quotes; only a shell removes them by itself")
    }
    guard value == "~" || value.hasPrefix("~/") else { return nil }
    return SyncError(
      .configuration, "environment \(name): the value begins with ~, which only a shell replaces",
      hint: "write the whole path, beginning with /")
  }

  /// A warning for each variable whose name is close to a known one. Names in the configuration file are known.
  func warnings(file path: String?) -> [String] {
    let names = Self.names
    let unknown = values.keys.filter { $0.hasPrefix("SYNCCTL_") && !names.contains($0) }.sorted()
    guard !unknown.isEmpty else { return [] }
    let file = path.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
    return unknown.filter { !file.contains($0) }.compactMap { name in
      let candidates = names.filter { values[$0] == nil }.sorted()
      return Suggestion.nearest(to: String(name.dropFirst(8)), among: candidates.map { String($0.dropFirst(8)) })
        .map { "the variable \(name) is unknown and has no effect; did you mean SYNCCTL_\($0)?" }
    }
  }
}
