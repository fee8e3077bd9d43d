import Foundation
import SyncCore

struct ServerBinaries: Sendable, Equatable {
  var folder: String
  var majorVersion: Int

  static let needed = ["initdb", "pg_ctl", "postgres"]

  func path(_ program: String) -> String { folder + "/" + program }

  /// - Parameters:
  ///   - version: the version of the existing data, or `nil` for the first version from `oldest` on. If
  ///     `SYNCCTL_PG_BINDIR` names only other versions, the usual folders are searched too.
  ///   - oldest: the oldest major version that fits if `version` is `nil`.
  static func find(
    for version: Int?, oldest: Int, data: String, search: BinarySearch, in context: ServerProgram.Context
  ) async throws -> Self {
    var found = try await found(by: search, in: context)
    func fits(_ binaries: Self) -> Bool {
      version.map { $0 == binaries.majorVersion } ?? (binaries.majorVersion >= oldest)
    }
    if let fitting = found.first(where: fits) { return fitting }
    if version != nil, !found.isEmpty, search.override != nil {
      found += try await Self.found(by: search.withoutOverride, in: context)
      if let fitting = found.first(where: fits) { return fitting }
    }
    guard !found.isEmpty else {
      let named = search.override?.joined(separator: ":")
      let programs = needed.joined(separator: ", ")
      throw EmbeddedClusterError(
        .binariesMissing,
        named.map { "SYNCCTL_PG_BINDIR=\($0) does not contain PostgreSQL's server programs (\(programs))" }
          ?? "this machine has no PostgreSQL server (\(programs))",
        hint: installHint(search))
    }
    let versions = Set(found.map(\.majorVersion)).sorted().map(String.init).joined(separator: ", ")
    guard let version else {
      throw EmbeddedClusterError(
        .binariesMissing,
        "PostgreSQL \(oldest) or newer is needed, but this machine has PostgreSQL \(versions)",
        hint: installHint(search))
    }
    let newest = found.map(\.majorVersion).max() ?? 0
    let upgrade = newest > version ? "; syncctl db upgrade then moves the data to PostgreSQL \(newest)" : ""
    throw EmbeddedClusterError(
      .versionMismatch,
      "the data in \(data) was written by PostgreSQL \(version), which alone can read it, but this machine has "
        + "PostgreSQL \(versions)",
      hint:
        "install the server of PostgreSQL \(version) too (often the package postgresql-\(version); SYNCCTL_PG_BINDIR "
        + "takes its folder)" + upgrade)
  }

  private static func installHint(_ search: BinarySearch) -> String {
    "run: \(BinarySearch.installCommand(isInstalled: search.isInstalled)) (or set SYNCCTL_DATABASE_URL to use another "
      + "database)"
  }

  static func all(search: BinarySearch, in context: ServerProgram.Context) async throws -> [ServerBinaries] {
    var versions: Set<Int> = []
    return try await found(by: search, in: context).filter { versions.insert($0.majorVersion).inserted }
      .sorted { $0.majorVersion > $1.majorVersion }
  }

  private static func found(by search: BinarySearch, in context: ServerProgram.Context) async throws -> [ServerBinaries]
  {
    var found: [ServerBinaries] = []
    for folder in try await search.folders(holding: needed, in: context) {
      guard let version = try await majorVersion(of: "postgres", in: folder, context) else { continue }
      found.append(ServerBinaries(folder: folder, majorVersion: version))
    }
    return found
  }

  static func majorVersion(of program: String, in folder: String, _ context: ServerProgram.Context) async throws -> Int?
  {
    do {
      let result = try await ServerProgram.run(
        "\(folder)/\(program)", ["-V"], deadline: Limits.programDeadline, in: context)
      return result.succeeded ? parseVersion(result.standardOutput) : nil
    } catch is EmbeddedClusterError {
      return nil
    }
  }

  static func parseVersion(_ line: String) -> Int? {
    guard let mark = line.firstRange(of: ") ") ?? line.firstRange(of: "PostgreSQL ") else { return nil }
    return Int(line[mark.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }
}

struct BinarySearch: Sendable {
  /// The folders of `SYNCCTL_PG_BINDIR`. If it is set, the other folders are searched only with `withoutOverride`.
  var override: [String]?
  var path: [String]
  var patterns: [String]

  static let usualPatterns = [
    "/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/lib64/pgsql/postgresql-*/bin", "/opt/pgsql-*/bin",
    "/usr/lib/postgresql*/bin", "/usr/libexec/postgresql*",
    "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin", "/usr/local/pgsql/bin",
    "/opt/local/lib/postgresql*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
  ]

  init(environment: [String: String], patterns: [String] = usualPatterns) {
    let named = (environment["SYNCCTL_PG_BINDIR"] ?? "").split(separator: ":").map(String.init)
    override = named.isEmpty ? nil : named
    path = (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    self.patterns = patterns
  }

  var withoutOverride: BinarySearch {
    var search = self
    search.override = nil
    return search
  }

  func folders(holding programs: [String], in context: ServerProgram.Context) async throws -> [String] {
    if let override { return override.filter { Self.isComplete($0, programs) } }
    var candidates: [String] = []
    if let program = path.map({ $0 + "/pg_config" }).first(where: { access($0, X_OK) == 0 }),
      let answer = try? await ServerProgram.run(program, ["--bindir"], deadline: Limits.programDeadline, in: context),
      answer.succeeded
    {
      candidates.append(String(answer.standardOutput.prefix { !$0.isNewline }))
    }
    try Task.checkCancellation()
    candidates += path + patterns.flatMap(Self.expand)
    return candidates.filter { Self.isComplete($0, programs) }.compactMap { Self.home($0, programs) }.distinct()
  }

  /// Follows the links in `folder` to the folder of the programs. Returns `nil` for links to `pg_wrapper`, which
  /// chooses a version itself.
  private static func home(_ folder: String, _ programs: [String]) -> String? {
    let path = "\(folder)/\(programs.last ?? "")"
    let program = FileOperations.canonical(path) ?? path
    if program.hasSuffix("/pg_wrapper") { return nil }
    let real = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
    return isComplete(real, programs) ? real : folder
  }

  private static func isComplete(_ folder: String, _ programs: [String]) -> Bool {
    folder.hasPrefix("/") && programs.allSatisfy { access(folder + "/" + $0, X_OK) == 0 }
  }

  static func expand(_ pattern: String) -> [String] {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count == 2, let slash = parts[0].lastIndex(of: "/") else { return [pattern] }
    let parent = String(parts[0][..<slash])
    let prefix = parts[0][parts[0].index(after: slash)...]
    let names = ((try? FileOperations.names(in: parent)) ?? []).filter { $0.hasPrefix(prefix) }
    func version(_ name: String) -> Double { Double(name.drop { !$0.isNumber }) ?? 0 }
    return names.sorted { version($0) > version($1) }.map { "\(parent)/\($0)\(parts[1])" }
  }

  func isInstalled(_ program: String) -> Bool {
    let folders = path + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/sbin"]
    return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  static func installCommand(isInstalled: (String) -> Bool) -> String {
    let commands = [
      ("apt-get", "apt-get install -y --no-install-recommends postgresql"), ("dnf", "dnf install -y postgresql-server"),
      ("yum", "yum install -y postgresql-server"), ("zypper", "zypper install -y postgresql-server"),
      ("apk", "apk add postgresql"), ("pacman", "pacman -S --noconfirm postgresql"),
      ("brew", "brew install postgresql@17"),
    ]
    return commands.first { isInstalled($0.0) }?.1 ?? "your system's package manager to install the PostgreSQL server"
  }
}
