import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

/// Some workers at work on one database, of which any may be killed and is replaced then.
actor WorkerCrew {
  /// One process, from its start to its end.
  private struct Member {
    let work: Task<ProgramResult, any Error>
    let program: Task<RunningProgram, Never>
  }

  private let mirror: Mirror
  private let arguments: [String]
  private var members: [Member] = []
  /// Processes that were killed, with the moments, in seconds since 1970.
  private(set) var kills: [Int32: Double] = [:]

  init(_ mirror: Mirror, _ arguments: [String] = []) {
    self.mirror = mirror
    self.arguments = arguments
  }

  func start(_ count: Int) {
    for _ in 0..<count { members.append(member()) }
  }

  private func member() -> Member {
    let (stream, continuation) = AsyncStream<RunningProgram>.makeStream()
    let work = Task { [mirror, arguments] in
      try await mirror.program.run(
        ["schedule"] + arguments, environment: mirror.wholeEnvironment, in: mirror.home.path
      ) { continuation.yield($0) }
    }
    let program = Task { () -> RunningProgram in
      for await program in stream { return program }
      return RunningProgram(identifier: 0)
    }
    return Member(work: work, program: program)
  }

  /// Ends one of them without a warning, and puts a new one in its place.
  func kill(_ place: Int) async throws {
    let member = members[place % members.count]
    let program = await member.program.value
    program.signal(SIGKILL)
    _ = try await member.work.value
    kills[program.identifier] = Date().timeIntervalSince1970
    members[place % members.count] = self.member()
  }

  /// Ends all of them in order.
  ///
  /// - Returns: how they ended, and how long the slowest took.
  func stop() async throws -> (results: [ProgramResult], longest: Duration) {
    let start = ContinuousClock.now
    for member in members { await member.program.value.signal(SIGTERM) }
    var results: [ProgramResult] = []
    for member in members { results.append(try await member.work.value) }
    members = []
    return (results, ContinuousClock.now - start)
  }
}

extension Mirror {
  /// Makes all workers look as if they were on other machines, where nobody can see that a process is gone: only the
  /// end of a lease tells. Notes who takes over from whom.
  func moveWorkersElsewhere() async throws {
    _ = try await sql(
      """
      CREATE SCHEMA IF NOT EXISTS witness;
      CREATE TABLE witness.takeover (at timestamptz DEFAULT clock_timestamp(), pid integer);
      CREATE FUNCTION witness.move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        IF OLD.state = 'running' AND NEW.state = 'running' AND NEW.generation > OLD.generation THEN
          INSERT INTO witness.takeover (pid) VALUES ((OLD.owner->>'pid')::integer);
        END IF;
        IF NEW.owner IS NOT NULL THEN NEW.owner := NEW.owner || '{"boot": "elsewhere"}'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER move BEFORE UPDATE ON sync.job_run FOR EACH ROW EXECUTE FUNCTION witness.move();
      UPDATE sync.job_run SET owner = owner;
      """)
  }

  /// How long after its worker's end each run was taken over, in seconds.
  func takeovers(after kills: [Int32: Double]) async throws -> [Double] {
    try await sql("SELECT pid, extract(epoch FROM at) FROM witness.takeover").split(separator: "\n").map { line in
      let fields = line.split(separator: "|")
      let pid = try #require(Int32(fields[0]))
      return try #require(Double(fields[1])) - (try #require(kills[pid], "a worker that lives was replaced"))
    }
  }
}
