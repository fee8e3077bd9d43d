import Foundation
import LibPQ
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

/// Steps that run outside of a transaction, tested with a separate set of steps.
@Suite(.timeLimit(.minutes(10)))
struct SchemaConcurrentTests {
  /// A partitioned table with rows, then an index on it that is built concurrently.
  private static func steps() throws -> [Migration] {
    [
      try #require(
        Migration(
          path: "migrations/0001_table.sql",
          text: """
            CREATE TABLE sync.part (id int, month int) PARTITION BY LIST (month);
            CREATE TABLE sync.part_1 PARTITION OF sync.part FOR VALUES IN (1);
            CREATE TABLE sync."Part 2" PARTITION OF sync.part FOR VALUES IN (2);
            INSERT INTO sync.part SELECT n % 10, 1 + n % 2 FROM generate_series(1, 1000) n;
            """)),
      try #require(
        Migration(
          path: "migrations/0002_index.sql",
          text: """
            -- transaction: none
            -- An index of a partitioned table.
            CREATE INDEX IF NOT EXISTS part_id ON ONLY sync.part (id);
            SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s (id)', relname || '_id', oid::regclass)
            FROM pg_class
            WHERE oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'sync.part'::regclass)
            ORDER BY relname;
            SELECT format('ALTER INDEX sync.part_id ATTACH PARTITION sync.%I', relname || '_id')
            FROM pg_class
            WHERE oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'sync.part'::regclass);
            """)),
      try #require(Migration(path: "migrations/0003_last.sql", text: "CREATE TABLE sync.last ();")),
    ]
  }

  private static func expectWhole(_ mirror: Mirror) async throws {
    let indexes = try await mirror.rows(
      """
      SELECT c.relname, i.indisvalid::text, i.indisunique::text,
        (SELECT inhparent::regclass::text FROM pg_inherits WHERE inhrelid = c.oid)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid IN (SELECT relid FROM pg_partition_tree('sync.part')) ORDER BY 1
      """)
    #expect(
      indexes == [
        ["Part 2_id", "true", "false", "sync.part_id"], ["part_1_id", "true", "false", "sync.part_id"],
        ["part_id", "true", "false", nil],
      ])
    #expect(try await mirror.rows("SELECT version FROM sync.migration ORDER BY 1") == [["1"], ["2"], ["3"]])
  }

  /// A transaction that has written to one partition only: an index of it cannot be finished meanwhile.
  private static func blocking(_ mirror: Mirror, _ body: () async throws -> Void) async throws {
    let blocker = try await PostgresConnection.connect(mirror.test.settings)
    let (started, finished) = (Gate(), DispatchSemaphore(value: 0))
    async let blocked: Void = blocker.withTransaction { connection in
      try connection.script("INSERT INTO sync.part_1 VALUES (1, 1)")
      started.open()
      finished.wait()
    }
    await started.pass()
    do { try await body() } catch {
      finished.signal()
      throw error
    }
    finished.signal()
    try await blocked
  }

  /// Waits until an index build waits for the blocker; the index exists then, and is invalid.
  private static func waitForIndex(_ mirror: Mirror) async throws {
    try await waitUntil("the index to wait") {
      try await mirror.value(
        """
        SELECT count(*) FROM pg_stat_activity a, pg_index i
        WHERE a.datname = current_database() AND a.query LIKE 'CREATE INDEX CONCURRENTLY%'
          AND a.wait_event_type = 'Lock'
          AND i.indexrelid = to_regclass('sync.part_1_id') AND NOT i.indisvalid
        """) == "1"
    }
  }

  @Test("each step may take as long as a large index needs", .ownersAlone("migrates"))
  func bounds() async throws {
    try await Mirror.withEmpty { mirror in
      let text = "CREATE TABLE sync.seen AS SELECT current_setting('statement_timeout') AS value"
      let step = try #require(Migration(path: "migrations/0001_seen.sql", text: text))
      _ = try await Migrator(mirror.database, known: [step]).migrate()
      #expect(try await mirror.value("SELECT value::interval = interval '2 h' FROM sync.seen") == "t")
    }
  }

  @Test("an index of a partitioned table, during writes of others", .ownersAlone("migrates"))
  func partitioned() async throws {
    try await Mirror.withEmpty { mirror in
      let applied = try await Migrator(mirror.database, known: try Self.steps()).migrate()
      #expect(applied.map(\.version) == [1, 2, 3])
      try await Self.expectWhole(mirror)
      #expect(try await Migrator(mirror.database, known: try Self.steps()).migrate() == [])
    }
  }

  @Test("an invalid index of an earlier attempt is dropped first, wherever that stopped", .ownersAlone("migrates"))
  func leftover() async throws {
    try await Mirror.withEmpty { mirror in
      let steps = try Self.steps()
      _ = try await Migrator(mirror.database, known: [steps[0]]).migrate()
      let other = try await PostgresConnection.connect(mirror.test.settings)
      for (name, table) in [("part_1_id", "part_1"), ("\"Part 2_id\"", "\"Part 2\"")] {
        let failed = await #expect(throws: PostgresError.self) {
          try await other.withConnection {
            try $0.script(SQL(trusted: "CREATE UNIQUE INDEX CONCURRENTLY \(name) ON sync.\(table) (id)"))
          }
        }
        #expect(failed?.sqlState == .uniqueViolation)
      }
      #expect(try await Migrator(mirror.database, known: steps).migrate().map(\.version) == [2, 3])
      try await Self.expectWhole(mirror)
    }
  }

  @Test("a session that is killed during an index build: the step is repeated", .ownersAlone("migrates"))
  func killed() async throws {
    try await Mirror.withEmpty { mirror in
      let steps = try Self.steps()
      _ = try await Migrator(mirror.database, known: [steps[0]]).migrate()
      try await Mirror.connected(to: mirror.test) { migrating in
        let task = Task { try await Migrator(migrating.database, known: steps).migrate() }
        try await Self.blocking(mirror) {
          try await Self.waitForIndex(mirror)
          try await mirror.execute(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%'
            """)
          #expect(try await mirror.value("SELECT count(*) FROM sync.migration") == "1")
        }
        #expect(try await task.value.map(\.version) == [2, 3])
      }
      try await Self.expectWhole(mirror)
    }
  }

  @Test("a program that is stopped during an index build: the next one repeats the step", .ownersAlone("migrates"))
  func stopped() async throws {
    try await Mirror.withEmpty { mirror in
      let steps = try Self.steps()
      _ = try await Migrator(mirror.database, known: [steps[0]]).migrate()
      try await mirror.other { stopping in
        let task = Task { try await Migrator(stopping, known: steps).migrate() }
        try await Self.blocking(mirror) {
          try await Self.waitForIndex(mirror)
          task.cancel()
          await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
      }
      #expect(
        try await mirror.value("SELECT indisvalid FROM pg_index WHERE indexrelid = 'sync.part_1_id'::regclass") == "f")
      #expect(try await Migrator(mirror.database, known: steps).migrate().map(\.version) == [2, 3])
      try await Self.expectWhole(mirror)
    }
  }

  @Test("four programs at once, one of them delayed: each step once, no deadlock", .ownersAlone("migrates"))
  func concurrent() async throws {
    try await Mirror.withEmpty { mirror in
      let steps = try Self.steps()
      _ = try await Migrator(mirror.database, known: [steps[0]]).migrate()
      let settings = mirror.test.settings
      let task = Task {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 1...4 {
            group.addTask {
              try await Database.with(settings, applicationName: "migrator \(number)") {
                try await Migrator($0, known: steps).migrate().count
              }
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      try await Self.blocking(mirror) { try await Self.waitForIndex(mirror) }
      // A program that starts between two steps of another finds the first one done.
      #expect(try await task.value.reduce(0, +) == 2)
      try await Self.expectWhole(mirror)
    }
  }

  @Test("through a pooler such a step is refused, and those before it are applied", .ownersAlone("migrates"))
  func pooler() async throws {
    try await Mirror.withEmpty { mirror in
      let pooler = try await ThrowawayPgBouncer.start(before: mirror.test)
      defer { pooler.stop() }
      let steps = try Self.steps()
      let error = await syncError {
        try await Database.with(pooler.settings(mirror.test), applicationName: "pooled") {
          _ = try await Migrator($0, known: steps).migrate()
        }
      }
      #expect(error?.code == .configuration && error?.hint?.contains("pooler") == true, "\(error as Any)")
      #expect(try await mirror.rows("SELECT version FROM sync.migration") == [["1"]])
      #expect(try await Migrator(mirror.database, known: steps).migrate().map(\.version) == [2, 3])
      try await Self.expectWhole(mirror)
    }
  }
}
