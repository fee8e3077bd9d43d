import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Workers {
    private static func jobs(period: Int) -> [String] {
      let anime = ["tv", "movie", "ova", "special", "ona", "music"].map { ("anime-\($0)", "jikan", "top-anime:\($0)") }
      let manga = ["manga", "novel", "lightnovel", "oneshot", "doujin", "manhwa", "manhua"].map {
        ("manga-\($0)", "jikan", "top-manga:\($0)")
      }
      let pokeapi = ["berry", "gender", "nature"].map { ("poke-\($0)", "pokeapi", $0) }
      let charts = ["songs", "albums", "apps", "podcasts"].map { ("chart-\($0)", "itunes", "chart:us-\($0)") }
      return (anime + manga + pokeapi + charts).enumerated().map { index, job in
        "name: \(job.0), source: \(job.1), streams: ['\(job.2)'], schedule: every \(period + index % 3 * period)s"
      }
    }

    private static var upstream: some SimulatedUpstream {
      SideBySideUpstream([.pokeAPI: SimulatedPokeAPI(), .iTunes: GeneratedITunes()], other: GeneratedJikan.plain(120))
    }

    @Test func everyTimeIsRunOnceWhoeverDies() async throws {
      let seconds = DrillSize.number("SYNCCTL_TEST_WORKER_SECONDS", otherwise: 25)
      let period = DrillSize.number("SYNCCTL_TEST_WORKER_PERIOD", otherwise: 10)
      let limit = (requests: 60, seconds: 10)
      let leaseTTL = 6
      let seed = UInt64(DrillSize.number("SYNCCTL_TEST_SEED", otherwise: 8))
      var generator = SeededGenerator(seed: seed)
      let jobs = Self.jobs(period: period)
      #expect(jobs.count == 20)
      try await Mirror.with(Self.upstream) { fresh, server in
        let limits = "\(limit.requests)/\(limit.seconds)s"
        let mirror = try fresh.with(jobs: jobs, leaseTTL: "\(leaseTTL)s")
          .with(["JIKAN", "POKEAPI", "ITUNES"].reduce(into: [:]) { $0["SYNCCTL_\($1)_RATE_LIMITS"] = limits })
        let crew = WorkerCrew(mirror)
        await crew.start(3)
        try await mirror.wait("the jobs", until: "SELECT count(*) = 20 FROM sync.job")
        try await mirror.moveWorkersElsewhere()
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
          try await letPass(.milliseconds(Int.random(in: 1000...5000, using: &generator)))
          try await crew.kill(Int.random(in: 0..<3, using: &generator))
        }
        let kills = await crew.kills
        // The paused jobs start no new runs, so the workers only finish the runs of killed workers.
        _ = try await mirror.sql("UPDATE sync.job SET paused_at = clock_timestamp()")
        try await mirror.wait("all runs to end", until: "SELECT count(*) = 0 FROM sync.job_run WHERE state = 'running'")
        #expect(try await crew.stop().results.allSatisfy { $0.end == .exit(143) })

        let figures = try await mirror.sql(
          """
          SELECT count(*), count(*) FILTER (WHERE outcome = 'done'), count(*) FILTER (WHERE attempts > 1),
                 sum(deaths), sum(skipped)
          FROM sync.job_run WHERE outcome IS DISTINCT FROM 'superseded'
          """)
        let delays = try await mirror.takeovers(after: kills)
        let most = ArrivalTimes(server.history.records).most(within: .seconds(limit.seconds))
        tell(
          "workers: seed \(seed), \(kills.count) kills in \(seconds) s; runs|done|retried|deaths|merged "
            + "\(figures); \(delays.count) take-overs, the slowest after "
            + "\(Duration.seconds(delays.max() ?? 0).inSeconds) (lease \(leaseTTL) s); at most \(most) "
            + "of \(server.history.count) requests in any \(limit.seconds) s (limit \(limit.requests))")
        // Each scheduled time of a job has a successful run or is counted in `skipped` of a later run.
        let missing = try await mirror.sql(
          """
          SELECT job, sum(1 + skipped) FROM sync.job_run WHERE outcome IS DISTINCT FROM 'superseded' GROUP BY job
          HAVING (max(extract(epoch FROM nominal_at)) - min(extract(epoch FROM nominal_at)))::bigint
            / (SELECT substring(schedule FROM '[0-9]+')::bigint FROM sync.job WHERE name = job)
            <> sum(1 + skipped) - 1 - (array_agg(skipped ORDER BY nominal_at))[1]
          """)
        #expect(missing == "", "times without a run")
        #expect(
          try await mirror.sql(
            "SELECT count(*) FROM sync.job_run WHERE outcome NOT IN ('done', 'superseded') AND state = 'ended'") == "0")
        // Each scheduled time has exactly one complete run of its stream, so killed runs were resumed.
        let twice = try await mirror.sql(
          """
          SELECT job, job_nominal_at, count(*) FROM sync.run
          WHERE status = 'complete' AND stream <> 'index' GROUP BY 1, 2 HAVING count(*) <> 1
          """)
        #expect(twice == "", "times with more than one complete run")
        #expect(most <= limit.requests)
        // A busy machine can delay a process, so only half of the take-overs must happen within TTL + 5 s.
        #expect(delays.count { $0 <= Double(leaseTTL + 5) } * 2 >= delays.count)
      }
    }

    @Test func deadWorkersRunIsTakenOverAndGoneOnWith() async throws {
      let gate = Gate()
      let list = GeneratedJikan.plain(200)
      let upstream = ScriptedUpstream { request in
        if request.path.hasSuffix("/top/manga"), request.page >= 5 { await gate.pass() }
        return await list.answer(request)
      }
      try await Mirror.with(upstream) { fresh, server in
        defer { gate.open() }
        let mirror = try fresh.with(
          jobs: ["name: top, source: jikan, streams: [top-anime, top-manga], schedule: every 1h"], leaseTTL: "6s")
        let crew = WorkerCrew(mirror)
        await crew.start(1)
        try await mirror.wait("the job", until: "SELECT count(*) = 1 FROM sync.job")
        _ = try await mirror.syncctl("jobs", "trigger", "top")
        try await mirror.wait("page 4", until: "SELECT cursor = 4 FROM sync.stream_state WHERE stream = 'top-manga'")
        try await mirror.moveWorkersElsewhere()
        try await crew.kill(0)
        let start = ContinuousClock.now
        gate.open()
        try await mirror.wait("the take-over", until: "SELECT attempts = 2 FROM sync.job_run")
        tell("workers: taken over \((ContinuousClock.now - start).inSeconds) after the kill, lease 6 s")
        try await mirror.wait("the end", until: "SELECT outcome = 'done' FROM sync.job_run")
        let asked = server.history.records.map { "\($0.path.split(separator: "/").last ?? "") \($0.page ?? 1)" }
        let committed = (1...8).map { "anime \($0)" } + (1...4).map { "manga \($0)" }
        for page in committed { #expect(asked.count { $0 == page } == 1, "\(page) is not requested again") }
        #expect(try await mirror.sql("SELECT deaths, attempts FROM sync.job_run") == "1|2")
        _ = try await crew.stop()
      }
    }

    @Test func stopsInTimeAtAnyMoment() async throws { try await Self.stopsInTime(isFirstProcess: false) }

    @Test(.enabled(if: Namespaces.mayBeMade, "unshare makes no namespace of processes here (CAP_SYS_ADMIN)"))
    func stopsInTimeAtAnyMomentAsTheFirstProcess() async throws { try await Self.stopsInTime(isFirstProcess: true) }

    private static func stopsInTime(isFirstProcess: Bool) async throws {
      let count = DrillSize.number("SYNCCTL_TEST_STOPS", otherwise: 4)
      var generator = SeededGenerator(seed: UInt64(DrillSize.number("SYNCCTL_TEST_SEED", otherwise: 50)))
      try await Mirror.with(GeneratedJikan.plain(DrillSize.rows)) { fresh, _ in
        let mirror = try fresh.with(
          jobs: ["name: top, source: jikan, streams: [top-anime], full: true, schedule: every 1s"], leaseTTL: "60s")
        var longest: Duration = .zero
        for stop in 1...count {
          let moment = Duration.milliseconds(Int.random(in: 0...3000, using: &generator))
          let start = Changing(ContinuousClock.now)
          let ended = try await Self.worker(mirror, isFirstProcess: isFirstProcess) { worker in
            // Without a handler, SIGTERM would kill the worker, or would be ignored if the worker is process 1.
            try await waitUntil("the first line") { worker.catchesSIGTERM }
            try await letPass(moment)
            start.value = .now
            worker.signal(SIGTERM)
          }
          let time = ContinuousClock.now - start.value
          longest = max(longest, time)
          #expect(ended.end == .exit(143), "stop \(stop) after \(moment): \(ended.standardError)")
          #expect(time < .seconds(10), "stop \(stop) after \(moment)")
          guard try await mirror.sql("SELECT to_regclass('sync.job_run') IS NOT NULL") == "t" else { continue }
          #expect(try await mirror.sql("SELECT count(*) FROM sync.job_run WHERE state = 'running'") == "0")
          #expect(try await mirror.sql("SELECT count(*) FROM sync.stream_state WHERE lease_owner IS NOT NULL") == "0")
        }
        tell("stops: \(count) \(isFirstProcess ? "as PID 1" : "plain"), the longest took \(longest.inSeconds)")
        let done = "SELECT count(*) FROM sync.job_run WHERE outcome = 'done'"
        let before = try await mirror.sql("SELECT to_regclass('sync.job_run')") == "" ? "0" : try await mirror.sql(done)
        try await mirror.whileWorking { _ in try await mirror.wait("the end", until: "SELECT (\(done)) > \(before)") }
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "\(DrillSize.rows)")
      }
    }

    /// Runs a worker. If `isFirstProcess` is true, the worker is process 1 of a new namespace, as in a container.
    private static func worker(
      _ mirror: Mirror, isFirstProcess: Bool, _ body: (RunningProgram) async throws -> Void
    ) async throws -> ProgramResult {
      guard isFirstProcess else {
        return try await mirror.program.run(
          ["worker"], environment: mirror.wholeEnvironment, in: mirror.home.path, while: body)
      }
      // The worker is a child of unshare, and `body` signals the worker. unshare returns the worker's exit status.
      // libdispatch needs `--mount-proc`, because libdispatch reads the state of its threads in /proc.
      return try await ProgramUnderTest(path: "/usr/bin/unshare").run(
        ["--pid", "--fork", "--mount-proc", "--kill-child", mirror.program.path, "worker"],
        environment: mirror.wholeEnvironment, in: mirror.home.path
      ) { unshare in
        let child = Changing<Int32?>(nil)
        try await waitUntil("the worker") {
          let path = "/proc/\(unshare.identifier)/task/\(unshare.identifier)/children"
          child.value = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ").first.flatMap {
            Int32($0)
          }
          return child.value != nil
        }
        try await body(RunningProgram(identifier: try #require(child.value)))
      }
    }

    /// Whether unshare works here. Root in a container can lack the right, and a chroot cannot mount /proc.
    private enum Namespaces {
      static let mayBeMade: Bool = {
        let unshare = Process()
        unshare.executableURL = URL(filePath: "/usr/bin/unshare")
        unshare.arguments = ["--pid", "--fork", "--mount-proc", "--kill-child", "/bin/true"]
        unshare.standardError = FileHandle.nullDevice
        guard (try? unshare.run()) != nil else { return false }
        unshare.waitUntilExit()
        return unshare.terminationStatus == 0
      }()
    }
  }
}
