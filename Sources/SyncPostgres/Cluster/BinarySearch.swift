import Foundation
import SyncCore

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
