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
