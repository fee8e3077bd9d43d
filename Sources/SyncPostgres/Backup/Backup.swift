import Foundation
import LibPQ
import SyncCore
import SystemPackage

/// Backups of the mirror with `pg_dump`, and their restoration with `pg_restore` and `psql`.
package struct Backup: Sendable {
  private let database: Database
  private let environment: [String: String]

  /// Creates backups of this database's mirror.
  /// - Parameter environment: The environment of the client programs, except variables that begin with `SYNCCTL_` or
  ///   `LC_`. Its `SYNCCTL_PG_BINDIR` and `PATH` name folders with these programs.
  package init(_ database: Database, environment: [String: String]) {
    self.database = database
    self.environment = environment
  }

  /// Writes a backup in the custom format of pg_dump, by calling the program.
  /// - Parameters:
  ///   - path: The file, which appears only when it is complete. `-` means standard output.
  ///   - overwrites: Whether an existing file is replaced.
  ///   - whole: Whether the backup contains the whole database, and not only syncctl's schemas.
  /// - Throws: `SyncError` `.configuration` if the database has no mirror. `.usage` if the file exists or is a folder.
  ///   `.permission` or `.usage` if the file cannot be written. `.database` if pg_dump is missing or fails.
  package func write(to path: String, overwrites: Bool, whole: Bool) async throws {
    try await BackupFile.write(path, overwrites: overwrites) { try await write(to: $0, whole: whole) }
  }

  private func write(to file: FileDescriptor, whole: Bool) async throws {
    let facts = try await facts()
    guard !facts.schemas.isEmpty else {
      throw SyncError(.configuration, "database \(database.place) holds no mirror yet", hint: "syncctl run fills it")
    }
    let program = try await clients(["pg_dump"], version: facts.majorVersion) + "/pg_dump"
    let chosen = whole ? [] : facts.schemas.map { "--schema=\($0)" }
    let result = try await run(program, ["--format=custom"] + connection + chosen, output: file)
    guard result.succeeded else { throw failure("pg_dump", result) }
  }

  /// Restores a backup in one transaction, then analyzes the tables. The restoring user becomes the owner. Rights of
  /// other roles are not restored, because the roles can be missing. If the restore fails, nothing has changed.
  /// - Parameters:
  ///   - replacing: Drops syncctl's existing schemas in the same transaction. Without it, the database must have none.
  ///   - droppingDependents: Also drops users' objects that are in these schemas or depend on them.
  /// - Returns: The names of the users' objects that were dropped.
  /// - Throws: `SyncError` `.guarded` if the database has a mirror and `replacing` is false. `.configuration` if users'
  ///   objects would have to be dropped, if the mirror is distributed, or if the backup's schema is not known to this
  ///   program. `.tryLater` if runs are at work. `.database` if the file is not a backup, or a client program is
  ///   missing or fails.
  @discardableResult
  package func restore(
    from file: BackupFile, replacing: Bool, droppingDependents: Bool = false
  ) async throws -> [String] {
    let facts = try await facts()
    guard facts.distributed.isEmpty else {
      throw SyncError(
        .configuration,
        "the mirror in database \(database.place) is distributed (Citus): \(facts.distributed.joined(separator: ", ")) "
          + "are on other machines, where --replace cannot drop them",
        hint: "restore into a new database, distribute that one, and drop this one (docs/growing.md)",
        disposition: .stopRun)
    }
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
    // An older psql does not know every command that a newer pg_restore writes, so both are of one version.
    let folder = try await clients(
      ["pg_restore", "psql"], version: max(facts.majorVersion, file.oldestReader ?? 0))
    let drop = facts.schemas.isEmpty ? "" : Self.dropping(facts.schemas)
    let (from, to) = try Self.pipe()
    let script = (
      begin: "BEGIN;\nSET LOCAL lock_timeout = '60s';\n\(drop)",
      filter: Self.filter(for: facts),
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
      folder + "/psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "--file=-"] + connection,
      source: .file(from, closes: true))
    let reading: ServerProgram.Result
    do {
      defer { try? to.close() }
      reading = try await send(script, of: folder + "/pg_restore", reading: file.descriptor, to: to)
    }
    let written = try await writing
    // psql's error can be the cause of pg_restore's error.
    guard written.succeeded || !written.everything.contains("ERROR:") else {
      throw otherSchema(written) ?? runsAtWork(written) ?? failure("restore", written)
    }
    guard reading.succeeded else { throw unreadable(reading) ?? failure("pg_restore", reading) }
    guard written.succeeded else { throw failure("psql", written) }
    try await database.write(bounds: TransactionBounds(statement: .seconds(3600))) { connection in
      _ = try connection.query("ANALYZE")
    }
    return dependents
  }

  /// Sends `script.end`, which contains the COMMIT, only if pg_restore has read the whole archive.
  private func send(
    _ script: (begin: String, filter: String, end: String), of reader: String, reading file: FileDescriptor,
    to pipe: FileDescriptor
  ) async throws -> ServerProgram.Result {
    // Another process (`cat`) sends the script, because a full pipe blocks the thread that writes.
    _ = try await run("/bin/cat", [], source: .text(script.begin), output: pipe)
    let (from, to) = try Self.pipe()
    async let filtering = run(
      "/usr/bin/env", ["sed", "-E", script.filter], source: .file(from, closes: true), output: pipe)
    let reading: ServerProgram.Result
    do {
      defer { try? to.close() }
      reading = try await run(
        reader, ["--no-owner", "--no-privileges", "--file=-"], source: .file(file, closes: false), output: to)
    }
    let filtered = try await filtering
    guard reading.succeeded, filtered.succeeded else { return reading.succeeded ? filtered : reading }
    _ = try await run("/bin/cat", [], source: .text(script.end), output: pipe)
    return reading
  }

  /// Returns a program of `sed` that removes what the server does not know: settings that a newer pg_dump sets at the
  /// beginning, and columns' compression by LZ4. Lines of rows stay as they are.
  private static func filter(for facts: Facts) -> String {
    let known = facts.settings.map { $0.replacing(".", with: "[.]") }.joined(separator: "|")
    let rows = #"/^COPY .* FROM stdin;$/,/^\\[.]$/b"#
    let settings = """
      1,/^SELECT pg_catalog[.]set_config/{
      /^SET [a-z_.]+ = /{
      /^SET (\(known)) = /!d
      }
      }
      """
    let compression = facts.hasLZ4 ? [] : ["/^ALTER TABLE .* SET COMPRESSION lz4;$/d"]
    return ([rows, settings] + compression).joined(separator: "\n")
  }

  private static let runsAtWorkState = "SY075"

  /// Returns SQL that drops the schemas unless a run is at work. All relations are locked first, because DROP cannot be
  /// repeated after a deadlock with a session that uses several of them.
  private static func dropping(_ schemas: [String]) -> String {
    let names = schemas.joined(separator: ", ")
    return """
      \\set VERBOSITY verbose
      DO $$ DECLARE
        runs text;
        relations text;
      BEGIN
        -- A page's transaction locks a row of sync.stream_state first.
        SELECT string_agg(oid::regclass::text, ', ' ORDER BY relname <> 'stream_state', oid) INTO relations
        FROM pg_class
        WHERE relnamespace::regnamespace::text = ANY (string_to_array('\(names)', ', '))
          AND relkind IN ('r', 'p', 'v') AND NOT relispartition;
        FOR attempt IN 1..10 LOOP
          EXIT WHEN relations IS NULL;
          BEGIN
            EXECUTE 'LOCK TABLE ' || relations || ' IN ACCESS EXCLUSIVE MODE';
            EXIT;
          EXCEPTION WHEN deadlock_detected THEN
            -- The end of this block has released the locks, so the other session continues.
            IF attempt = 10 THEN RAISE; END IF;
          END;
        END LOOP;
        IF to_regclass('sync.stream_state') IS NOT NULL THEN
          SELECT string_agg(
            format('%s/%s by process %s on %s', source, stream, lease_owner->>'pid', lease_owner->>'host'), ', '
            ORDER BY source, stream)
          INTO runs FROM sync.stream_state WHERE lease_owner IS NOT NULL AND lease_expires_at > clock_timestamp();
        END IF;
        IF runs IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = '\(runsAtWorkState)', MESSAGE = runs; END IF;
      END $$;
      \\set VERBOSITY default
      DROP SCHEMA \(names) CASCADE;

      """
  }

  private func runsAtWork(_ result: ServerProgram.Result) -> SyncError? {
    guard let runs = Self.message(of: Self.runsAtWorkState, in: result) else { return nil }
    return SyncError(
      .tryLater, "runs are at work in database \(database.place): \(runs)",
      hint: "stop them and the workers, then restore again; the lease of a killed run expires after a while",
      disposition: .stopRun)
  }

  /// Names the programs that can read the archive if these programs cannot.
  private func unreadable(_ result: ServerProgram.Result) -> SyncError? {
    let line = EmbeddedClusterError.tellingLine(of: result.everything)
    guard let found = line.firstMatch(of: /unsupported version \(1\.([0-9]+)\)/), let minor = Int(found.output.1) else {
      return nil
    }
    let oldest = BackupFile.oldestReader(ofFormat: minor)
    return SyncError(
      .database, "the backup was written by a newer pg_dump: \(line)",
      hint: "install the client programs of PostgreSQL \(oldest) or newer, or set SYNCCTL_PG_BINDIR to their folder",
      disposition: .stopRun)
  }

  private static let otherSchemaState = "SY078"

  /// Returns the checks of `Migrator.plan` as SQL for psql. Before COMMIT, only psql's session sees the restored
  /// tables. A backup with `ReplacedMigrations` passes, because the restored database can be carried over.
  private static func expectingKnownSchema() -> String {
    let known = Migration.all
    let checksums = known.map { "(\($0.version), '\\x\($0.checksum.hexadecimal)'::bytea)" }
    return """
      DO $$ DECLARE step record; BEGIN
        SELECT m.version, m.name, k.version IS NULL AS is_newer INTO step
        FROM sync.migration m LEFT JOIN (VALUES \(checksums.joined(separator: ", "))) AS k (version, checksum)
          ON k.version = m.version
        WHERE m.checksum IS DISTINCT FROM k.checksum AND NOT \(ReplacedMigrations.areRecorded)
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
    guard let schema = Self.message(of: Self.otherSchemaState, in: result) else { return nil }
    return SyncError(
      .configuration, "the backup has \(schema)",
      hint: "restore it with a newer syncctl, or the one that made it; nothing was changed in \(database.place)",
      disposition: .stopRun)
  }

  /// - Returns: the text of an error that one of this file's scripts raised.
  private static func message(of state: String, in result: ServerProgram.Result) -> String? {
    let parts = EmbeddedClusterError.tellingLine(of: result.everything).split(separator: " \(state): ", maxSplits: 1)
    return parts.count == 2 ? String(parts[1]) : nil
  }

  private struct Facts {
    let majorVersion: Int
    /// The schemas of the mirror that exist.
    let schemas: [String]
    /// Schemas that Citus has moved to other machines.
    let distributed: [String]
    /// The names of all settings that the server knows.
    let settings: [String]
    let hasLZ4: Bool
  }

  private func facts() async throws -> Facts {
    try await database.read { connection in
      let known = Migration.schemas + (try DeclaredSchema.schemas(connection))
      let schemas = try connection.texts(
        "SELECT nspname::text FROM pg_namespace WHERE nspname = ANY ($1) ORDER BY nspname", [.texts(known)])
      return Facts(
        majorVersion: connection.serverVersion / 10_000, schemas: schemas,
        distributed: try Distribution.schemas(connection).filter(schemas.contains),
        settings: try connection.texts("SELECT name FROM pg_settings ORDER BY name"),
        hasLZ4: try Migrator.hasLZ4(connection))
    }
  }

  private var connection: [String] { ["--no-password", "--dbname", database.link.settings.withoutSecrets] }

  private var context: ServerProgram.Context {
    var environment = environment.filter { !$0.key.hasPrefix("SYNCCTL_") && !$0.key.hasPrefix("LC_") }
    environment["LC_ALL"] = "C"
    if let password = database.link.settings.password { environment["PGPASSWORD"] = password.reveal() }
    return ServerProgram.Context(environment: environment, clock: ContinuousClock())
  }

  /// Returns the folder of these client programs.
  private func clients(_ names: [String], version: Int) async throws -> String {
    try await EmbeddedClusterError.asSyncError {
      try await ClientProgram.folder(
        of: names, forServer: version, search: BinarySearch(environment: environment), in: context)
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

/// An open backup for `Backup.restore`. The caller closes the file.
package struct BackupFile: Sendable {
  let descriptor: FileDescriptor

  /// Opens the file, or standard input for the path `-`. Does not check that the file is a backup.
  /// - Throws: `SyncError` `.usage` if the file cannot be opened.
  package init(reading path: String) throws {
    do {
      descriptor = path == "-" ? .standardInput : try FileOperations.opened(path, .readOnly, [.closeOnExec])
    } catch {
      throw SyncError(
        .usage, "\(Excerpt.of(path)) cannot be read: \(error)", hint: "give a file that syncctl db backup wrote, or -")
    }
  }

  /// Closes the file, which is standard input for the path `-`. An error is ignored.
  package func close() { try? descriptor.close() }

  /// The oldest major version whose pg_restore can read the file; `nil` for a pipe, and for a file of another format.
  var oldestReader: Int? {
    var head = [UInt8](repeating: 0, count: 7)
    let count = head.withUnsafeMutableBytes { try? descriptor.read(fromAbsoluteOffset: 0, into: $0) }
    guard count == head.count, head.starts(with: Array("PGDMP".utf8) + [1]) else { return nil }
    return Self.oldestReader(ofFormat: Int(head[6]))
  }

  /// - Parameter minor: the second number of the archive's version, such as 16 for 1.16.
  static func oldestReader(ofFormat minor: Int) -> Int {
    switch minor {
    case ...14: 12
    case 15: 16
    case 16: 17
    // This syncctl does not know the format. A version after the newest known one may read it.
    default: 19
    }
  }

  /// Lets `body` write a new file beside `path`, and gives the file this name only after `body` has succeeded. `-`
  /// means standard output.
  /// - Throws: `SyncError` `.usage` or `.permission`, as `Backup.write` does, or the error of `body`.
  static func write(_ path: String, overwrites: Bool, _ body: (FileDescriptor) async throws -> Void) async throws {
    if path == "-" { return try await body(.standardOutput) }
    try checkTarget(path, overwrites: overwrites)
    let unfinished = "\(path).\(getpid()).part"
    do {
      let file = try FileOperations.opened(
        unfinished, .writeOnly, [.create, .exclusiveCreate, .noFollow, .closeOnExec], permissions: [.ownerReadWrite])
      defer { try? file.close() }
      try await body(file)
      guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      // Another process can have created the file while `body` was writing.
      try checkTarget(path, overwrites: overwrites)
      let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      try FileOperations.rename(unfinished, to: path, in: folder)
    } catch {
      _ = unlink(unfinished)
      guard let refusal = error as? Errno else { throw error }
      throw SyncError(
        refusal == .permissionDenied ? .permission : .usage, "\(Excerpt.of(path)) cannot be written: \(refusal)",
        hint: "choose a file in a folder that you can write to")
    }
  }

  /// - Throws: `SyncError` `.usage` if the path is a folder, or an existing file that must not be overwritten.
  private static func checkTarget(_ path: String, overwrites: Bool) throws(SyncError) {
    guard let found = try? FileOperations.status(path) else { return }

    if found.kind == .folder {
      throw SyncError(.usage, "\(Excerpt.of(path)) is a folder", hint: "give a file")
    }
    if !overwrites {
      throw SyncError(
        .usage, "\(Excerpt.of(path)) already exists", hint: "choose another file, or give --force to overwrite it")
    }
  }
}
