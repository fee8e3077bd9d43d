import Foundation
import LibPQ
import SyncCore
import SystemPackage

package struct Backup: Sendable {
  private let database: Database
  private let environment: [String: String]

  package init(_ database: Database, environment: [String: String]) {
    self.database = database
    self.environment = environment
  }

  /// The path `-` means standard output.
  package func write(to path: String, overwrites: Bool, whole: Bool) async throws {
    try await BackupFile.write(path, overwrites: overwrites) { try await write(to: $0, whole: whole) }
  }

  private func write(to file: FileDescriptor, whole: Bool) async throws {
    let facts = try await facts()
    guard !facts.schemas.isEmpty else {
      throw SyncError(.configuration, "database \(database.place) holds no mirror yet", hint: "syncctl run fills it")
    }
    let program = try await client("pg_dump", facts)
    let chosen = whole ? [] : facts.schemas.map { "--schema=\($0)" }
    let result = try await run(program, ["--format=custom"] + connection + chosen, output: file)
    guard result.succeeded else { throw failure("pg_dump", result) }
  }

  /// Restores a backup in one transaction, then analyzes the tables. The restoring user becomes the owner. Rights of
  /// other roles are not restored, because the roles can be missing. If the restore fails, nothing has changed.
  /// - Parameters:
  ///   - replacing: drops syncctl's existing schemas in the same transaction.
  ///   - droppingDependents: also drops users' objects that are in these schemas or depend on them.
  /// - Returns: the names of the users' objects that were dropped.
  @discardableResult
  package func restore(
    from file: BackupFile, replacing: Bool, droppingDependents: Bool = false
  ) async throws -> [String] {
    let facts = try await facts()
    guard replacing || facts.schemas.isEmpty else {
      throw SyncError(
        .guarded,
        "database \(database.place) already holds a mirror (schemas \(facts.schemas.joined(separator: ", ")))",
        hint: "restore into an empty database, or give --replace, which drops them")
    }
    let dependents = try await database.read { try MirrorDependents.names(in: facts.schemas, $0) }
    guard droppingDependents || dependents.isEmpty else {
      throw SyncError(
        .configuration,
        "objects that syncctl did not make are inside the mirror in database \(database.place), or depend on it: "
          + dependents.map { Excerpt.of($0) }.joined(separator: ", "),
        hint: "drop them, or move them to a schema of your own and recreate dependent objects after the restore; "
          + "or give --drop-dependents, which drops them", disposition: .stopRun)
    }
    let reader = try await client("pg_restore", facts)
    let writer = try await client("psql", facts)
    let drop = facts.schemas.isEmpty ? "" : "DROP SCHEMA \(facts.schemas.joined(separator: ", ")) CASCADE;\n"
    let (from, to) = try Self.pipe()
    let script = (
      begin: "BEGIN;\nSET LOCAL lock_timeout = '60s';\n\(drop)",
      end: """
      DO $$ BEGIN IF to_regclass('sync.migration') IS NULL OR to_regclass('app.favorite') IS NULL THEN
        RAISE EXCEPTION 'it is not a backup of syncctl';
      END IF; END $$;
      \\set VERBOSITY verbose
      \(Self.expectingKnownSchema())
      COMMIT;

      """
    )
    async let writing = run(
      writer, ["-X", "-q", "-v", "ON_ERROR_STOP=1", "--file=-"] + connection, source: .file(from, closes: true))
    let reading: ServerProgram.Result
    do {
      defer { try? to.close() }
      reading = try await send(script, of: reader, reading: file.descriptor, to: to)
    }
    let written = try await writing
    // psql's error can be the cause of pg_restore's error.
    guard written.succeeded || !written.everything.contains("ERROR:") else {
      throw otherSchema(written) ?? failure("restore", written)
    }
    guard reading.succeeded else { throw failure("pg_restore", reading) }
    guard written.succeeded else { throw failure("psql", written) }
    try await database.write(bounds: TransactionBounds(statement: .seconds(3600))) { connection in
      _ = try connection.query("ANALYZE")
    }
    return dependents
  }

  /// Sends `script.end`, which contains the COMMIT, only if pg_restore has read the whole archive.
  private func send(
    _ script: (begin: String, end: String), of reader: String, reading file: FileDescriptor, to pipe: FileDescriptor
  ) async throws -> ServerProgram.Result {
    // Another process (`cat`) sends the script, because a full pipe blocks the thread that writes.
    _ = try await run("/bin/cat", [], source: .text(script.begin), output: pipe)
    let result = try await run(
      reader, ["--no-owner", "--no-privileges", "--file=-"], source: .file(file, closes: false), output: pipe)
    if result.succeeded { _ = try await run("/bin/cat", [], source: .text(script.end), output: pipe) }
    return result
  }

  private static let otherSchemaState = "SY078"

  /// Returns the checks of `Migrator.plan` as SQL for psql. Before COMMIT, only psql's session sees the restored
  /// tables.
  private static func expectingKnownSchema() -> String {
    let known = Migration.all
    let checksums = known.map { "(\($0.version), '\\x\($0.checksum.hexadecimal)'::bytea)" }
    return """
      DO $$ DECLARE step record; BEGIN
        SELECT m.version, m.name, k.version IS NULL AS is_newer INTO step
        FROM sync.migration m LEFT JOIN (VALUES \(checksums.joined(separator: ", "))) AS k (version, checksum)
          ON k.version = m.version
        WHERE m.checksum IS DISTINCT FROM k.checksum AND NOT (m.version <= \(Adoption.count) AND \(Adoption.isRecorded))
        ORDER BY m.version DESC LIMIT 1;
        IF FOUND THEN
          RAISE EXCEPTION USING ERRCODE = '\(otherSchemaState)', MESSAGE = CASE
            WHEN step.is_newer
              THEN format('schema version %s, this syncctl knows up to \(known.last?.version ?? 0)', step.version)
            ELSE format('another migration %s (%s) than this syncctl', step.version, step.name) END;
        END IF;
      END $$;
      """
  }

  private func otherSchema(_ result: ServerProgram.Result) -> SyncError? {
    let parts = EmbeddedClusterError.tellingLine(of: result.everything)
      .split(separator: " \(Self.otherSchemaState): ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    return SyncError(
      .configuration, "the backup has \(parts[1])",
      hint: "restore it with a newer syncctl, or the one that made it; nothing was changed in \(database.place)",
      disposition: .stopRun)
  }

  private typealias Facts = (majorVersion: Int, schemas: [String])

  private func facts() async throws -> Facts {
    try await database.read { connection in
      let known = Migration.schemas + (try DeclaredSchema.schemas(connection))
      let schemas = try connection.texts(
        "SELECT nspname::text FROM pg_namespace WHERE nspname = ANY ($1) ORDER BY nspname", [.texts(known)])
      return (majorVersion: connection.serverVersion / 10_000, schemas: schemas)
    }
  }

  private var connection: [String] { ["--no-password", "--dbname", database.link.settings.withoutSecrets] }

  private var context: ServerProgram.Context {
    var environment = environment.filter { !$0.key.hasPrefix("SYNCCTL_") && !$0.key.hasPrefix("LC_") }
    environment["LC_ALL"] = "C"
    if let password = database.link.settings.password { environment["PGPASSWORD"] = password.reveal() }
    return ServerProgram.Context(environment: environment, clock: ContinuousClock())
  }

  private func client(_ name: String, _ facts: Facts) async throws -> String {
    try await EmbeddedClusterError.asSyncError {
      try await ClientProgram.find(
        name, forServer: facts.majorVersion, search: BinarySearch(environment: environment), in: context)
    }
  }

  private func run(
    _ program: String, _ arguments: [String], source: ServerProgram.Source = .text(""), output: FileDescriptor? = nil
  ) async throws -> ServerProgram.Result {
    try await EmbeddedClusterError.asSyncError {
      try await ServerProgram.run(
        program, arguments, source: source, output: output, deadline: Limits.backupDeadline, in: context)
    }
  }

  private func failure(_ program: String, _ result: ServerProgram.Result) -> SyncError {
    SyncError(
      .database, "\(program) failed: \(EmbeddedClusterError.tellingLine(of: result.everything))",
      hint: program == "pg_dump" ? "correct what it reports, then retry" : "nothing was changed in \(database.place)")
  }

  private static func pipe() throws -> (FileDescriptor, FileDescriptor) {
    let ends = try FileDescriptor.pipe()
    for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    return (ends.readEnd, ends.writeEnd)
  }
}

package struct BackupFile: Sendable {
  let descriptor: FileDescriptor

  package init(reading path: String) throws {
    do {
      descriptor = path == "-" ? .standardInput : try FileOperations.opened(path, .readOnly, [.closeOnExec])
    } catch {
      throw SyncError(
        .usage, "\(Excerpt.of(path)) cannot be read: \(error)", hint: "give a file that syncctl db backup wrote, or -")
    }
  }

  package func close() { try? descriptor.close() }

  static func write(_ path: String, overwrites: Bool, _ body: (FileDescriptor) async throws -> Void) async throws {
    if path == "-" { return try await body(.standardOutput) }
    let shown = Excerpt.of(path)
    func refuseExisting() throws {
      guard let found = try? FileOperations.status(path), found.kind == .folder || !overwrites else { return }
      throw found.kind == .folder
        ? SyncError(.usage, "\(shown) is a folder", hint: "give a file")
        : SyncError(.usage, "\(shown) already exists", hint: "choose another file, or give --force to overwrite it")
    }
    try refuseExisting()
    let unfinished = "\(path).\(getpid()).part"
    do {
      let file = try FileOperations.opened(
        unfinished, .writeOnly, [.create, .exclusiveCreate, .noFollow, .closeOnExec], permissions: [.ownerReadWrite])
      defer { try? file.close() }
      try await body(file)
      guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      try refuseExisting()
      let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      try FileOperations.rename(unfinished, to: path, in: folder)
    } catch {
      _ = unlink(unfinished)
      guard let refusal = error as? Errno else { throw error }
      throw SyncError(
        refusal == .permissionDenied ? .permission : .usage, "\(shown) cannot be written: \(refusal)",
        hint: "choose a file in a folder that you can write to")
    }
  }
}
