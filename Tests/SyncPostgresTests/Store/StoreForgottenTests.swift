import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

/// The database returns to an earlier state, as after a failover to a standby that lacks the last commits.
@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreForgottenTests {
  private static func forEachRelation(_ tables: String, _ sequences: String) -> String {
    """
    DO $do$
    DECLARE
      relation record;
    BEGIN
      SET LOCAL session_replication_role = replica;
      FOR relation IN
        SELECT c.relkind, format('%I.%I', n.nspname, c.relname) AS name,
          format('past.%I', n.nspname || c.relname) AS past,
          (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
           WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('sync', 'jikan') AND c.relkind IN ('r', 'p', 'S') AND NOT c.relispartition
      LOOP
        IF relation.relkind = 'S' THEN
          EXECUTE format(\(sequences), relation.name, relation.past);
        ELSE
          EXECUTE format(\(tables), relation.name, relation.past, relation.columns);
        END IF;
      END LOOP;
    END $do$
    """
  }

  private static func remember(_ mirror: StoredMirror) async throws {
    try await mirror.execute("DROP SCHEMA IF EXISTS past CASCADE")
    try await mirror.execute("CREATE SCHEMA past")
    try await mirror.execute(
      forEachRelation(
        "'CREATE TABLE %2$s AS SELECT %3$s FROM %1$s'",
        "'CREATE TABLE %2$s AS SELECT last_value, is_called FROM %1$s'"))
  }

  private static func forget(_ mirror: StoredMirror) async throws {
    try await mirror.execute(forEachRelation("'DELETE FROM %1$s'", "'SELECT 1'"))
    try await mirror.execute(
      forEachRelation(
        "'INSERT INTO %1$s (%3$s) OVERRIDING SYSTEM VALUE SELECT %3$s FROM %2$s'",
        "'SELECT setval(''%1$s'', last_value, is_called) FROM %2$s'"))
  }

  private static let state =
    """
    SELECT stream, xmin::text FROM sync.stream_state UNION ALL SELECT id::text, xmin::text FROM sync.run
    UNION ALL SELECT walk_id || ' ' || page, xmin::text FROM sync.walk_page
    """

  @Test(
    "lost pages end the run with \"try later\", whatever it does next, and the next run resumes before them",
    arguments: [1, 3], [false, true])
  func pages(_ left: Int, commits: Bool) async throws {
    try await WalkedList.run(mirror, [[Media(9)]])
    let store = PostgresWalkStore(mirror.database)
    var walk = try await WalkedList(store, .topAnime)
    for page in 1...4 {
      try await walk.commit(page, [Media(Int64(page))])
      if page == left { try await Self.remember(mirror) }
    }
    try await Self.forget(mirror)
    let said = "the stored walk has \(left) pages, this run had committed 4"
    if commits {
      let (state, rows) = (try await mirror.rows(Self.state), try await mirror.rowVersions())
      var late = walk
      await expectError(.tryLater, said) { try await late.commit(5, [Media(5)]) }
      #expect(try await mirror.rows(Self.state) == state)
      #expect(try await mirror.rowVersions() == rows)
    }
    let report = try await walk.finish()
    #expect(report.status == .failed && report.error?.code == .tryLater)
    #expect(report.error?.message.contains(said) == true, "\(String(describing: report.error))")
    #expect(report.certificate?.complete == false && report.certificate?.endedBy == .failed)
    try await mirror.expect(
      "SELECT status, pages, inserted, certificate->>'complete' FROM sync.run ORDER BY started_at DESC LIMIT 1",
      "failed|\(left)|\(left)|false")
    let list = "SELECT mal_id FROM jikan.ranking ORDER BY position"
    #expect(try await mirror.rows(list) == [["9"]])
    var next = try await WalkedList(store, .topAnime)
    #expect(next.open.walkID == walk.open.walkID && next.open.pages.map(\.number) == Array(1...left))
    for page in (left + 1)...5 { try await next.commit(page, [Media(Int64(page))]) }
    #expect(try await next.finish().status == .complete)
    #expect(try await mirror.rows(list) == (1...5).map { ["\($0)"] })
  }

  /// `isFirst`: the stream has never run before. `isReplaced`: another process has the same generation and walk number.
  @Test(
    "a run whose start is lost writes nothing, even if another one has its generation", arguments: [true, false],
    [true, false])
  func start(isFirst: Bool, isReplaced: Bool) async throws {
    if !isFirst { try await WalkedList.run(mirror, [[Media(9)]]) }
    try await Self.remember(mirror)
    let store = PostgresWalkStore(mirror.database)
    var walk = try await WalkedList(store, .topAnime)
    try await walk.commit(1, [Media(1)])
    try await Self.forget(mirror)
    try await mirror.other { database in
      let other = PostgresWalkStore(database)
      var successor: WalkedList?
      if isReplaced {
        successor = try await WalkedList(other, .topAnime)
        #expect(successor?.open.generation == walk.open.generation && successor?.open.walkID == walk.open.walkID)
        try await successor?.commit(1, [Media(2)])
      }
      let (state, rows) = (try await mirror.rows(Self.state), try await mirror.rowVersions())
      var late = walk
      let ending = walk
      let errors = [
        await syncError { try await late.commit(2, [Media(3)]) },
        await syncError { try await store.renew(ending.open, stream: .topAnime) },
        await syncError { _ = try await ending.finish() },
      ]
      for error in errors {
        #expect(error?.code == .tryLater)
        #expect(error?.message.contains("the database has lost the start of this run") == true)
      }
      #expect(try await mirror.rows(Self.state) == state)
      #expect(try await mirror.rowVersions() == rows)
      if let successor { #expect(try await successor.finish().status == .complete) }
    }
  }

  @Test("a run that failed during a commit does not know its outcome, and ends with the commit's error")
  func unknown() async throws {
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
    try await walk.commit(1, [Media(1)])
    let before = walk
    try await walk.commit(2, [Media(2)])
    let failure = SyncError(.database, "no answer")
    let report = try await before.finish(.failed, publishes: false, isResumable: true, error: failure)
    #expect(report.error?.message == "no answer")
    #expect(try await mirror.value("SELECT cursor FROM sync.stream_state") == "2")
  }
}
