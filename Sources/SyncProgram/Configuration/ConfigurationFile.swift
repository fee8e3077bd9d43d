import Foundation
import LibPQ
package import SyncCore
import SyncPostgres
package import Yams

/// The YAML file. Unknown keys are errors, because a limit with a misspelled key would silently have no effect.
package struct ConfigurationFile {
  package let path: String
  private(set) var isEmpty = true
  private(set) var databaseURL: String?
  private(set) var texts: [String: String] = [:]
  private(set) var sources: [String: Node] = [:]
  private(set) var jobs: [Job] = []

  enum Keys {
    static let root = ["database", "runs", "history", "retention", "sources", "jobs", "telemetry", "web"]
    static let database = ["url"]
    static let runs = ["lease_ttl", "resume_within", "timeout"]
    static let history = ["positions", "retention"]
    static let retention = Retention.allCases.map(\.rawValue)
    static let job = [
      "name", "source", "streams", "schedule", "time_zone", "jitter", "timeout", "catch_up", "retries", "full",
      "refresh", "verify", "heartbeat_url",
    ]
    static let telemetry = ["listen", "metrics_file", "log_format", "log_level", "heartbeat_url"]
    static let web = ["enabled", "hosts", "path", "pictures", "token", "writable", "password_file"]
    static let texts = ["runs": runs, "history": history, "retention": retention, "telemetry": telemetry, "web": web]
  }

  private static let maxBytes = 1 << 20

  static func locate(flag: String?, environment: [String: String]) -> Setting<String>? {
    if let flag { return Setting(flag, .flag("--config")) }
    if let path = environment["SYNCCTL_CONFIG"], !path.isEmpty { return Setting(path, .environment("SYNCCTL_CONFIG")) }
    let home = environment["HOME"].map { $0 + "/.config" }
    let folders = [".", (environment["XDG_CONFIG_HOME"] ?? home).map { $0 + "/syncctl" }].compactMap(\.self)
    let found = zip(folders, ["syncctl.yaml", "config.yaml"]).map { "\($0)/\($1)" }
      .first { FileManager.default.fileExists(atPath: $0) }
    return found.map { Setting($0, .standard) }
  }

  init(path: String) throws(SyncError) {
    self.path = path
    guard let root = try Self.root(of: path) else { return }
    isEmpty = false
    try read(root)
  }

  /// Returns the root of the YAML file at `path`; `nil` for an empty file. Checks no keys.
  /// - Throws: `SyncError` `.configuration` unless the file is a readable regular file with YAML in UTF-8 of at most
  ///   1 MiB.
  package static func root(of path: String) throws(SyncError) -> Node? {
    let data = try Self.contents(of: path)
    guard data.count <= Self.maxBytes, let text = String(data: data, encoding: .utf8) else {
      throw SyncError(.configuration, "\(path): not a text of at most \(Self.maxBytes) bytes", hint: "check the path")
    }
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch {
      throw SyncError(
        .configuration, "\(path): not valid YAML: \(Self.text(error))", hint: Self.hint(after: error, in: text))
    }
    return root?.null == nil ? root : nil
  }

  /// An empty file at this path, for messages.
  init(empty path: String) { self.path = path }

  /// Rejects pipes and devices, because reading them can block forever.
  private static func contents(of path: String) throws(SyncError) -> Data {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let unreadable = SyncError(.configuration, "\(path): cannot be read", hint: "check the path and its permissions")
    if descriptor < 0, errno == ENOENT {
      throw SyncError(
        .configuration, "\(path): no such file", hint: "check the path; syncctl init writes a configuration file")
    }
    guard descriptor >= 0 else { throw unreadable }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SyncError(
        .configuration, "\(path): not a regular file", hint: "copy the contents of the pipe or device to a file")
    }
    guard let data = try? file.read(upToCount: maxBytes + 1) ?? Data() else { throw unreadable }
    return data
  }

  /// Omits the line that the parser quotes, because the line can contain a password.
  private static func text(_ error: any Error) -> String {
    switch error {
    case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
      YamlError.composer(_, let problem, let mark, _):
      "line \(mark.line), column \(mark.column): \(problem)"
    case YamlError.duplicatedKeysInMapping(let keys, let context):
      "line \(context.mark.line): the key \(keys.first.map { Excerpt.of($0) } ?? "") appears twice"
    default: "a character that YAML does not allow"
    }
  }

  private static func hint(after error: any Error, in yaml: String) -> String {
    if case YamlError.duplicatedKeysInMapping = error {
      return "write it once; below it, put the settings of both"
    }
    if let schedule = quotedSchedule(at: error, in: yaml) { return "quote it: schedule: '\(schedule)'" }
    return "a setting is a line such as runs: { timeout: 24h }; syncctl init --stdout prints a whole file"
  }

  /// Returns the unquoted schedule that caused `error`; `nil` for other errors. YAML reserves `@` and `*`.
  private static func quotedSchedule(at error: any Error, in yaml: String) -> String? {
    guard case YamlError.scanner(_, _, let mark, _) = error else { return nil }
    let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(mark.line - 1) else { return nil }
    let schedule = #/\bschedule["']?\s*:\s+(@\w+|\*\S*(?:[ \t]+[0-9A-Za-z*\/,\-]+){0,4})/#
    return lines[mark.line - 1].firstMatch(of: schedule).map { found in
      Excerpt.of(found.1.trimmingCharacters(in: CharacterSet(charactersIn: ",")), scalars: 60)
    }
  }

  private mutating func read(_ root: Node) throws(SyncError) {
    var faults = ConfigurationFaults()
    for (key, node) in try members(root, at: "", keys: Keys.root) {
      faults.reading { () throws(SyncError) in try read(key, node) }
    }
    try faults.check()
  }

  private mutating func read(_ key: String, _ node: Node) throws(SyncError) {
    switch key {
    case "database":
      for (_, node) in try members(node, at: "database", keys: Keys.database) {
        databaseURL = try text(node, at: "database.url")
        if databaseURL.map(Self.holdsPassword) == true {
          throw fault(
            "database.url", "contains a password", hint: "remove it there, and put it in ~/.pgpass or PGPASSWORD")
        }
      }
    case "jobs": jobs = try readJobs(node)
    case "sources":
      let names = Registry.names + Self.declared(in: node).map(\.name)
      for (name, node) in try members(node, at: "sources", keys: names) { sources[name] = node }
    default:
      for (name, node) in try members(node, at: key, keys: Keys.texts[key] ?? []) {
        let path = "\(key).\(name)"
        texts[path] = path == "web.hosts" ? try joined(node, at: path) : try text(node, at: path)
      }
    }
  }

  /// The sources whose `type` is a kind of this program. A worker that reads the file again ignores new ones.
  private static func declared(in sources: Node) -> [(name: String, node: Node, kind: any SourceKind.Type)] {
    (sources.mapping.map { Array($0) } ?? []).compactMap { key, node in
      guard let name = key.string, let type = node.mapping?["type"]?.string else { return nil }
      return Registry.kinds.first { $0.type == type }.map { (name, node, $0) }
    }
  }

  /// Returns the declared sources of the file at `path`, in its order: the members of `sources` whose `type` is that of
  /// a kind in `Registry.kinds`. Checks nothing else in the file.
  /// - Throws: `SyncError` `.configuration` for the first invalid declaration, for a declared source with the name of a
  ///   source in `Registry.sources`, and for an unreadable file.
  package static func declaredSources(at path: String) throws(SyncError) -> [SourceDefinition] {
    guard let sources = try root(of: path)?.mapping?["sources"] else { return [] }
    let file = ConfigurationFile(empty: path)
    var definitions: [SourceDefinition] = []
    for (name, node, kind) in declared(in: sources) {
      guard !Registry.names.contains(name) else {
        throw SyncError(
          .configuration, "\(path):\(node.mark?.line ?? 0): sources.\(name) is a source of this program",
          hint: "give the declared source another name")
      }
      definitions.append(try kind.definition(SourceID(rawValue: name), node, in: file))
    }
    return definitions
  }

  func joined(_ node: Node, at path: String) throws(SyncError) -> String {
    let items = node.sequence.map { Array($0) } ?? [node]
    let texts = items.compactMap { $0.scalar?.string }.filter { !$0.isEmpty }
    guard !texts.isEmpty, texts.count == items.count else { throw fault(path, "must be a string or a list of strings") }
    return texts.joined(separator: ",")
  }

  /// Returns the keys and values of a mapping, in the file's order. An empty (null) value has no members.
  ///
  /// - Parameter path: The mapping's path in the file, for errors. Empty for the whole file.
  /// - Throws: `SyncError` `.configuration` if the value is not a mapping, or has a merge key or a key outside `keys`.
  package func members(_ node: Node, at path: String, keys: [String]) throws(SyncError) -> [(String, Node)] {
    if node.null != nil { return [] }
    guard let mapping = node.mapping else {
      let first = keys.first ?? ""
      throw fault(
        path.isEmpty ? "the file" : path, "must have members",
        hint: "write them below it, as in \(SampleFile.line("\(path).\(first)") ?? "\(first): …")")
    }
    var result: [(String, Node)] = []
    var faults = ConfigurationFaults()
    for (key, value) in mapping {
      let name = key.string ?? ""
      if name == "<<" {
        throw fault(
          path.isEmpty ? "the file" : path, "has a merge key (<<), which is not supported",
          hint: "write the keys where they belong; an alias (*name) for a whole value is possible")
      }
      guard keys.contains(name) else {
        // A text that does not look like a key can be a secret value whose key is missing, so it is not shown.
        let isName = name.utf8.count <= 40 && name.allSatisfy { $0.isASCII && ($0.isLetter || "_-".contains($0)) }
        let shown = isName ? name : "in line \(key.mark?.line ?? 0)"
        let full = path.isEmpty || !isName ? shown : "\(path).\(shown)"
        let near = Suggestion.nearest(to: name, among: keys).map { "did you mean \($0)?" }
        faults.add(
          SyncError(
            .configuration, "\(self.path): unknown key \(full)",
            hint: near ?? "known here: \(keys.joined(separator: ", "))"))
        continue
      }
      result.append((name, value))
    }
    try faults.check()
    return result
  }

  /// Returns a scalar as written in the file. Numbers and Booleans are texts, too.
  ///
  /// - Throws: `SyncError` `.configuration` if the value is not a scalar, or is empty.
  package func text(_ node: Node, at path: String) throws(SyncError) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else { throw fault(path, "must be a string") }
    return text
  }

  private static func holdsPassword(_ url: String) -> Bool {
    guard let settings = try? ConnectionSettings.parse(url: url) else {
      // Without a regular expression, because `:.*@` needs the square of the length.
      let rest = url.firstRange(of: "://").map { url[$0.upperBound...] }
      let user = rest?.lastIndex(of: "@").flatMap { rest?[..<$0] }
      return user?.contains(":") ?? false || url.contains("password=")
    }
    return settings.password != nil || settings.secret("sslpassword") != nil
  }

  /// Returns the error for a wrong value. The message has the file's path, the key and the problem.
  ///
  /// - Parameters:
  ///   - key: The key's path in the file, such as `runs.timeout`.
  ///   - problem: A predicate, such as `must be a string`.
  ///   - hint: The advice (default: a line with this key from the sample file, if it has the key).
  package func fault(_ key: String, _ problem: String, hint: String? = nil) -> SyncError {
    let line = SampleFile.line(key).map { "write it as in \($0)" }
    return SyncError(
      .configuration, "\(path): \(key) \(problem)",
      hint: hint ?? line ?? "syncctl init --stdout prints a file with examples")
  }

  struct Job: Sendable {
    let path: String
    fileprivate(set) var values: [String: String] = [:]
    fileprivate(set) var streams: [String] = []
    fileprivate(set) var isFull = false
    fileprivate(set) var refreshes = false
  }

  func readJobs(_ node: Node) throws(SyncError) -> [Job] {
    if node.null != nil { return [] }
    guard let sequence = node.sequence else {
      throw fault("jobs", "must be a list", hint: #"write jobs: [{ name: daily, schedule: "@daily" }]"#)
    }
    var jobs: [Job] = []
    var faults = ConfigurationFaults()
    for (index, item) in sequence.enumerated() {
      faults.reading { () throws(SyncError) in jobs.append(try job(item, at: "jobs[\(index)]")) }
    }
    try faults.check()
    return jobs
  }

  private func job(_ node: Node, at path: String) throws(SyncError) -> Job {
    var job = Job(path: path)
    for (key, node) in try members(node, at: path, keys: Keys.job) {
      let path = "\(path).\(key)"
      switch key {
      case "streams":
        guard let sequence = node.sequence, !sequence.isEmpty else {
          throw fault(path, "must be a non-empty list", hint: "write streams: [NAME, NAME], or omit it")
        }
        for item in sequence { job.streams.append(try text(item, at: path)) }
      case "full", "refresh":
        guard let value = node.bool else { throw fault(path, "must be true or false", hint: "write \(key): true") }
        if key == "full" { job.isFull = value } else { job.refreshes = value }
      default: job.values[key] = try text(node, at: path)
      }
    }
    return job
  }
}
