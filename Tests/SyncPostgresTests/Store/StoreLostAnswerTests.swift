import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

/// The proxy cuts the connection at any message, including the answer to COMMIT. Every change must take effect once.
@Suite(.timeLimit(.minutes(10 * testFactor)))
struct StoreLostAnswerTests {
  private static func walk(_ mirror: StoredMirror, _ stream: StreamDescription) async throws -> RunReport {
    let store = PostgresWalkStore(mirror.database)
    var walk = try await WalkedList(store, stream)
    let unreadable = RejectedItem(key: nil, reason: "no_id", detail: "x", excerpt: "x")
    try await walk.commit(1, [Media(1), Media(2), Media(3)], rejected: [unreadable])
    try await store.renew(walk.open, stream: stream)
    return try await walk.finish()
  }

  @Test("cut at every message of a walk", arguments: [FaultProxy.Cut.beforeMessage, .afterMessage, .insideMessage])
  func everyMessage(_ cut: FaultProxy.Cut) async throws {
    try await StoredMirror.behindProxy { proxy, mirror, direct in
      let before = proxy.messageCount
      _ = try await Self.walk(mirror, .list("whole", subtype: "whole"))
      let count = proxy.messageCount - before
      try #require(count > 40)
      // A server acts on only one of a statement's five messages, so two kinds of cut are tried only at some messages.
      let places = Array(stride(from: 0, to: count, by: cut == .afterMessage ? 1 : max(1, 8 / testFactor)))
      for number in places {
        try await direct.execute("DELETE FROM jikan.media_counters")
        try await direct.execute("DELETE FROM jikan.media")
        try await direct.execute("DELETE FROM sync.quarantine")
        let stream = StreamDescription.list("cut-\(number)", subtype: "cut-\(number)")
        proxy.arm(cut, after: number)
        let report = try await Self.walk(mirror, stream)
        #expect(proxy.messageCount > number)
        #expect(report.status == .complete && report.counters.inserted == 3, "cut at \(number) of \(count)")
        let runs = try await direct.rows(
          "SELECT id::text, status, inserted, quarantined, pages FROM sync.run WHERE stream = $1",
          [.text(stream.id.name)])
        #expect(runs == [[report.id, "complete", "3", "1", "1"]], "cut at \(number) of \(count)")
        let state = try await direct.rows(
          "SELECT lease_generation, lease_owner, last_complete_run_id::text FROM sync.stream_state WHERE stream = $1",
          [.text(stream.id.name)])
        #expect(state == [["1", nil, report.id]], "cut at \(number) of \(count)")
        let pages = try await direct.rows(
          "SELECT page, keys FROM sync.walk_page JOIN sync.walk ON walk.id = walk_id WHERE stream = $1 ORDER BY 1",
          [.text(stream.id.name)])
        #expect(pages == [["1", "{1,2,3}"]], "cut at \(number) of \(count)")
        #expect(try await direct.value("SELECT sum(count) FROM sync.quarantine") == "1", "cut at \(number) of \(count)")
      }
      tellTorture("\(places.count) walks of \(count) messages, each cut at another one (\(cut))")
    }
  }

  @Test(
    "cut at every message of a batch of lookups: a removed item is counted once",
    arguments: [FaultProxy.Cut.beforeMessage, .afterMessage])
  func lookups(_ cut: FaultProxy.Cut) async throws {
    try await StoredMirror.behindProxy { proxy, mirror, direct in
      let store = PostgresWalkStore(mirror.database)
      try await WalkedList.run(direct, [[Media(1), Media(2), Media(3)]])
      var walk = try await WalkedList(store, .catalogue())
      try await walk.commit(1, [Media(1)])
      var before = proxy.messageCount
      try await walk.lookUp(2, found: [Media(2)], gone: [3])
      let count = proxy.messageCount - before
      try #require(count > 30)
      for number in 0..<count {
        try await direct.execute("UPDATE jikan.media SET vanished_at = NULL WHERE vanished_at IS NOT NULL")
        before = proxy.messageCount
        proxy.arm(cut, after: number)
        try await walk.lookUp(number + 3, found: [Media(2)], gone: [3])
        #expect(proxy.messageCount - before > number)
        #expect(walk.counters.vanished == number + 2, "cut at \(number) of \(count)")
      }
      tellTorture("\(count) batches of lookups, each cut at another message (\(cut))")
      try await direct.expect("SELECT vanished, pages FROM sync.run WHERE stream = 'anime-catalog'", "\(count + 1)|1")
      #expect(try await direct.value("SELECT max(page) FROM sync.walk_page") == "\(count + 2)")
    }
  }

  /// A plain write has no ledger row that proves its commit, so the client asks PostgreSQL for the status.
  @Test(
    "a row is added once, wherever the connection is cut", arguments: [FaultProxy.Cut.beforeMessage, .afterMessage])
  func plainWrite(_ cut: FaultProxy.Cut) async throws {
    try await StoredMirror.behindProxy { proxy, mirror, direct in
      try await direct.execute("CREATE TABLE public.once (n int)")
      try await direct.execute("GRANT INSERT ON public.once TO PUBLIC")
      let before = proxy.messageCount
      try await mirror.execute("INSERT INTO public.once VALUES (0)")
      for number in 0..<(proxy.messageCount - before) {
        try await direct.execute("TRUNCATE public.once")
        proxy.arm(cut, after: number)
        try await mirror.execute("INSERT INTO public.once VALUES (1)")
        #expect(try await direct.rows("SELECT n FROM public.once") == [["1"]], "cut at \(number)")
        #expect(proxy.cutCount == number + 1)
      }
    }
  }

  /// After a crash, PostgreSQL assigns the number of the lost transaction to a new transaction, and the new one
  /// commits.
  @Test("a page lost in a crash is written again, although another transaction committed under its number")
  func numberGivenAgain() async throws {
    let server = try await ThrowawayPostgres.start()
    // The crash loses the transaction's number only if the transaction's WAL is not on disk yet.
    let frozen = try await server.freezeWALWriter()
    try await StoredMirror.behindProxy(server.makeProductDatabase(), servesAll: false) { proxy, mirror, direct in
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime)
      let before = proxy.messageCount
      try await walk.commit(1, [Media(1)])
      let inTransaction =
        "SELECT backend_xid::text FROM pg_stat_activity WHERE application_name LIKE 'syncctl %' AND state LIKE 'idle in%'"
      // The first execution of the query writes WAL to disk. After page 2, it would write the WAL of page 2 too.
      _ = try await direct.value(inTransaction)
      // COMMIT is the last message; the proxy holds it back.
      proxy.arm(.stall, after: proxy.messageCount - before - 1)
      let committing = Task { [walk] in
        var walk = walk
        try await walk.commit(2, [Media(2)])
        return walk
      }
      await proxy.waitUntilCut()
      let number = try #require(try await direct.value(inTransaction))
      try await server.kill()
      for process in frozen { kill(process, SIGKILL) }
      try await server.start()
      try await direct.execute("CREATE TABLE public.other (n int)")
      for n in 1...50 { try await direct.execute("INSERT INTO public.other VALUES (\(n))") }
      #expect(try await direct.value("SELECT pg_xact_status('\(number)')") == "committed")
      proxy.serveOthers()
      walk = try await committing.value
      #expect(try await walk.finish().counters.inserted == 2)
      #expect(try await direct.rows("SELECT mal_id FROM jikan.ranking ORDER BY position") == [["1"], ["2"]])
    }
    try await server.stop(.immediate)
  }

  @Test("a run whose closing got no answer is closed, although another process has the stream by now")
  func closedAndSucceeded() async throws {
    try await StoredMirror.behindProxy(servesAll: false) { proxy, mirror, direct in
      let store = PostgresWalkStore(mirror.database)
      var lengths: [Int] = []
      for name in ["measured", "cut"] {
        let stream = StreamDescription.list(name, subtype: name)
        var walk = try await WalkedList(store, stream)
        try await walk.commit(1, [Media(1)])
        if name == "measured" {
          let before = proxy.messageCount
          _ = try await walk.finish()
          lengths.append(proxy.messageCount - before)
          continue
        }
        proxy.arm(.afterMessage, after: lengths[0] - 1)
        let finishing = Task { [walk] in try await walk.finish() }
        try await waitUntil("the run to be closed") {
          try await direct.value("SELECT count(*) FROM sync.run WHERE finished_at IS NOT NULL") == "2"
        }
        let next = try await PostgresWalkStore(direct.database).open(stream, fresh: false)
        #expect(next.generation == walk.open.generation + 1)
        proxy.serveOthers()
        #expect(try await finishing.value.status == .complete)
      }
    }
  }

  @Test("the server's answers about a transaction's number, and their meaning", .mirror)
  func outcomes() async throws {
    let current: @Sendable (borrowing PGConnection) throws -> String = { connection in
      try connection.query("SELECT pg_current_xact_id()::text").text(row: 0, column: 0) ?? ""
    }
    var backoff = Backoff(.seconds(60))
    let committed = try await mirror.database.write(current)
    #expect(try await mirror.database.wasCommitted(committed, 1, nil, &backoff))
    #expect(try await mirror.database.wasCommitted(committed, 1, { _, _ in true }, &backoff))
    #expect(try await !mirror.database.wasCommitted(committed, 1, { _, _ in false }, &backoff))
    // PostgreSQL has not assigned this number yet.
    #expect(try await !mirror.database.wasCommitted("4000000000", 1, nil, &backoff))
    // This number is so old that PostgreSQL no longer knows its outcome.
    #expect(try await mirror.database.wasCommitted("5", 1, { _, _ in true }, &backoff))
    await expectError(.database, hint: "run again") {
      _ = try await mirror.database.wasCommitted("5", 1, nil, &backoff)
    }
    // While a transaction is in progress, its outcome is unknown. This transaction ends with a rollback.
    let other = try await PostgresConnection.connect(mirror.test.settings)
    let (started, numbers) = AsyncStream<String>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)
    async let working: Void = other.withTransaction { connection in
      numbers.yield(try current(connection))
      mayEnd.wait()
      throw CancellationError()
    }
    // `defer` comes after `async let`, so that the signal is sent before the scope awaits the task.
    defer { mayEnd.signal() }
    let running = try #require(await started.first { _ in true })
    await expectError(.database) {
      var short = Backoff(.milliseconds(100))
      _ = try await mirror.database.wasCommitted(running, 1, nil, &short)
    }
    async let verdict = {
      var backoff = Backoff(.seconds(60))
      return try await mirror.database.wasCommitted(running, 1, nil, &backoff)
    }()
    mayEnd.signal()
    #expect(try await !verdict)
    _ = try? await working
  }
}
