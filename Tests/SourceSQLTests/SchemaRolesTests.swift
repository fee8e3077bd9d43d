import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct SchemaRolesTests {
  @Test("the worker runs streams: new, changed, stopped, resumed, pruned, with a bad item")
  func workerRuns() async throws {
    try await mirror.grant()
    try await mirror.grant()
    try await mirror.asRole("syncctl_worker") { worker in
      #expect(try await worker.value("SELECT current_user") == "syncctl_worker")
      #expect(try await Migrator(worker.database).migrate() == [])
      let list = StreamDescription.list(shrinkGuard: .filteredList)
      try await WalkedList.run(worker, list, [[Media(1), Media(2).with(["year": #""\u0000""#]), Media(3)]])
      try await mirror.execute("UPDATE sync.walk SET finished_at = now() - interval '1 year'")
      try await WalkedList.run(worker, list, [[Media(3).with(["title": "\"New\""]), Media(1).with(["rank": "9"])]])
      #expect(try await worker.value("SELECT count(*) FROM sync.walk") == "1")
      var stopped = try await WalkedList(PostgresWalkStore(worker.database), list)
      try await stopped.commit(1, [Media(1)])
      _ = try await stopped.finish(.partial, publishes: false, isResumable: true)
      #expect(try await PostgresWalkStore(worker.database).open(list, fresh: false).pages.count == 1)
      _ = try await Runs.status(worker.database)
      var catalogue = try await WalkedList(PostgresWalkStore(worker.database), .catalogue())
      try await catalogue.commit(1, [Media(1)])
      #expect(try await catalogue.store.missing(in: catalogue.open, stream: .catalogue()).map(\.key) == [3])
      try await catalogue.lookUp(2, gone: [3])
      #expect(catalogue.counters.vanished == 1)
      let guarded = SyncError(.guarded, "so many")
      let report = try await catalogue.finish(.failed, publishes: false, error: guarded)
      let confirmed = try await WalkedList(PostgresWalkStore(worker.database), .catalogue(), confirming: report.id)
      #expect(try await confirmed.finish().status == .complete)
    }
  }

  @Test("the worker deletes what is old, and only the owner says what that is; nobody else can")
  func upkeep() async throws {
    try await mirror.grant()
    try await mirror.execute(
      """
      INSERT INTO sync.run (source, stream, walk_id, status, started_at)
      SELECT 'jikan', 'removed', n, 'failed', now() - interval '500 days' FROM generate_series(1, 3) n
      """)
    try await mirror.asRole("syncctl_worker") { worker in
      let denied = try await Retention.set([(.runs, days: 600)], in: worker.database)
      #expect(denied.count == 1 && denied.first?.contains("only the owner") == true)
      #expect(
        await syncError { try await worker.execute("UPDATE sync.retention SET kept_days = 1") }?.code == .permission)
      #expect(await syncError { try await worker.execute("DELETE FROM sync.run") }?.code == .permission)
      #expect(try await Upkeep.dropOldRows(in: worker.database) == 3)
      // The worker has no right to analyze tables; syncctl skips them without an error.
      try await Upkeep.analyzeNewTables(in: worker.database)
    }
    #expect(try await Retention.set([(.runs, days: 600)], in: mirror.owner).count == 1)
    #expect(try await Retention.set([(.runs, days: 600)], in: mirror.owner) == [])
    for role in ["syncctl_reader", "syncctl_user"] {
      try await mirror.asRole(role) { other in
        #expect(await syncError { try await Upkeep.dropOldRows(in: other.database) }?.code == .permission)
      }
    }
  }

  @Test("the worker records the history, over months and with a retention; the reader sees it and cannot write it")
  func history() async throws {
    try await mirror.grant()
    let owner = HistoryList(mirror: mirror)
    try await mirror.asRole("syncctl_worker") { worker in
      let list = HistoryList(mirror: worker)
      try await list.publish([Listed(id: 1), Listed(id: 2)])
      try await owner.age(by: "100 days")
      let wish = HistoryRetention(days: 40)
      #expect(try await wish.set(in: worker.database) == .denied(kept: HistoryRetention(days: nil)))
      #expect(
        await syncError { try await worker.execute("UPDATE jikan.ranking_retention SET kept_days = 1") }?.code
          == .permission)
      #expect(try await worker.value("SELECT jikan.drop_ranking_history()") == "0")
      #expect(try await wish.set(in: mirror.owner) == .set(before: HistoryRetention(days: nil)))
      #expect(try await wish.set(in: worker.database) == .unchanged)
      try await list.publish([Listed(id: 2)])
      // The partitions of the current month and of the cutoff's month remain.
      #expect(try await owner.partitions().count == 2)
    }
    try await mirror.asRole("syncctl_reader") { reader in
      let rows = try await HistoryList(mirror: reader).shown("1d").rows
      #expect(rows.map { $0[1] } == ["1", "2"])
      for call in ["make_ranking_history_partition(now())", "drop_ranking_history()"] {
        await expectError(.permission) { try await reader.execute("SELECT jikan.\(call)") }
      }
    }
  }

  @Test("the worker stores documents and derives from them; the reader queries, and derives nothing")
  func documents() async throws {
    try await mirror.grant()
    try await mirror.asRole("syncctl_worker") { worker in
      try await worker.storeSamples()
      let changed = PokeSamples.species.json.replacing(#""capture_rate": 190"#, with: #""capture_rate": 45"#)
      try await worker.store([PokeDocument(25, changed)], in: "pokemon-species")
      let scope = PGParameter.texts(["pokemon-species"])
      #expect(try await worker.poke("stale", [scope, .int(2), .int(0), .int(9)]).count == 1)
      try await worker.store([PokeDocument(25, changed, version: 2)], in: "pokemon-species", rederiving: true)
      #expect(try await worker.poke("vanish", [.ints([25]), scope, .int(2)]) == [["1", nil]])
      #expect(try await worker.poke("absent", [.ints([25]), scope]) == [["25"]])
      try await worker.poke("returned", [.ints([25]), scope, .int(2)])
      #expect(try await worker.poke("preview", [.ints([25]), .jsons([Array("{}".utf8)]), scope]).count == 2)
    }
    try await mirror.asRole("syncctl_reader") { reader in
      #expect(try await reader.value("SELECT capture_rate FROM pokeapi.species") == "45")
      #expect(try await reader.value("SELECT count(*) FROM pokeapi.pokedex") == "2")
      for call in ["matchup('ghost')", "matchup(ARRAY['ghost'])", "attack('ghost')", "efficacy(1)"] {
        let rows = try await reader.rows("SELECT * FROM pokeapi.\(call)")
        #expect(rows.count == 1, "\(call)")
      }
      await expectError(.permission) { try await reader.execute("SELECT pokeapi.derive('type', '{8}')") }
    }
  }

  @Test("the worker takes permits, which the reader sees and cannot take")
  func permits() async throws {
    try await mirror.grant()
    let windows = ["3/1s", "70/60s"].compactMap { RateWindow($0) }
    try await mirror.asRole("syncctl_worker") { worker in
      let budget = PostgresRateBudget(worker.database, origin: "https://api.example", windows: windows)
      for _ in 0..<4 { _ = try await budget.take() }
      try await budget.giveBack(try await budget.take())
      try await budget.pause(for: .seconds(60))
      #expect(try await budget.remainingPause() > .zero)
    }
    try await mirror.asRole("syncctl_reader") { reader in
      try await reader.expect("SELECT count(m) FROM sync.rate_permit, unnest(moments) m", "4")
      let budget = PostgresRateBudget(reader.database, origin: "https://api.example", windows: windows)
      let refusals = [
        await syncError { _ = try await budget.take() }, await syncError { try await budget.pause(for: .seconds(60)) },
      ]
      #expect(refusals.allSatisfy { $0?.code == .permission })
    }
  }

  @Test("the worker executes jobs, which the reader sees and cannot change")
  func jobs() async throws {
    try await mirror.grant()
    let job = JobDescription(
      name: "nightly", source: "jikan", streams: ["top-anime"], schedule: "15 3 * * *", timeZone: "UTC")
    try await mirror.asRole("syncctl_worker") { worker in
      let store = try PostgresJobStore(worker.database, leaseTTL: .seconds(90), worker: WorkerIdentity(version: "1"))
      try await store.register([job], replacing: true)
      for isStopped in [false, true] { try await store.recordWorker(isStopped: isStopped) }
      let now = Int64(try await store.board(of: [job]).now)
      try await store.record([JobFiring(job: job, nominalAt: now + 3600, skipped: 0, delay: .seconds(-3700))])
      let first = try #require(try await store.take([job.name]))
      try await store.renew(first)
      try await store.release(first, after: .zero, error: "the upstream is away", isFailure: true)
      let again = try #require(try await store.take([job.name]))
      #expect(again.key == first.key && again.failures == 1)
      try await store.end(again, JobEnding(outcome: .done, exitStatus: 0, isCertified: true, error: nil))
      #expect(try await Jobs.pause(job.name, in: worker.database))
      #expect(try await Jobs.resume(job.name, in: worker.database))
      #expect(try await Jobs.trigger(job.name, in: worker.database) != nil)
      #expect(try await MirrorFigures.read(worker.database).jobs.map(\.name) == [job.name])
      try await mirror.execute("UPDATE sync.job_run SET ended_at = '2000-01-01' WHERE state = 'ended'")
      try await store.prune()
      #expect(try await worker.value("SELECT count(*) FROM sync.job_run") == "1")
    }
    try await mirror.asRole("syncctl_reader") { reader in
      let listed = try await Jobs.list(reader.database).rows
      #expect(try await Workers.absence(in: reader.database, hasJobs: false) != nil)
      #expect(listed.count == 1)
      let refusals = [
        await syncError { try await reader.execute("DELETE FROM sync.worker") },
        await syncError { _ = try await Jobs.pause(job.name, in: reader.database) },
        await syncError { _ = try await Jobs.trigger(job.name, in: reader.database) },
      ]
      #expect(refusals.allSatisfy { $0?.code == .permission })
    }
  }

  @Test("each role can run the commands' queries; the reader sees no notes and no history of searches")
  func asks() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    _ = try await Favorites.add(.jikan(kind: "anime", id: 1), to: "favorites", note: "mine", in: mirror.owner)
    try await mirror.grant()
    for role in ["syncctl_worker", "syncctl_user", "syncctl_reader"] {
      try await mirror.asRole(role) { asker in
        let isReader = role == "syncctl_reader"
        #expect(try await Runs.list(asker.database, limit: 1).rows.rows.count == 1)
        let favorites = try await Favorites.list(nil, in: asker.database).rows
        #expect(try column("note", favorites) == [isReader ? nil : "mine"])
        #expect(try await asker.value("SELECT count(*) FROM pokeapi.pokedex") == "0")
        #expect(try await asker.rows("SELECT title FROM jikan.anime JOIN jikan.ranking_entry USING (title)").count == 1)
        #expect(try await Migrator(asker.database).status().allSatisfy(\.isApplied))
        let history = await syncError { _ = try await asker.rows("SELECT term FROM itunes.lookup_history") }
        let notes = await syncError { _ = try await asker.rows("SELECT note FROM app.favorite") }
        #expect(history?.code == (isReader ? .permission : nil) && notes?.code == (isReader ? .permission : nil))
      }
    }
  }

  @Test("a user has favorites of their own, and writes nothing else")
  func user() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    try await mirror.grant()
    try await mirror.asRole("syncctl_user") { user in
      let item = Favorites.Item.jikan(kind: "anime", id: 1)
      #expect(try await Favorites.add(item, to: "owned", note: nil, in: user.database).isNew)
      #expect(try await !Favorites.add(item, to: "owned", note: "again", in: user.database).isNew)
      #expect(try await column("note", Favorites.list(nil, in: user.database).rows) == ["again"])
      try await Favorites.remove(item, from: "owned", in: user.database)
      #expect(try await WorkerRights.read(user.database, personal: ["itunes.lookup_history"]).onlyReads)
    }
  }
}
