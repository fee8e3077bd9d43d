import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

/// `kill` starts a new worker in place of the killed worker.
actor WorkerCrew {
  private struct Member {
    let work: Task<ProgramResult, any Error>
    let program: Task<RunningProgram, Never>
  }

  private let mirror: Mirror
  private let arguments: [String]
  private var members: [Member] = []
  /// The times of the kills in seconds since 1970, by process id.
  private(set) var kills: [Int32: Double] = [:]

  init(_ mirror: Mirror, _ arguments: [String] = []) {
    self.mirror = mirror
    self.arguments = arguments
  }

  func start(_ count: Int) { for _ in 0..<count { members.append(member()) } }

  private func member() -> Member {
    let (stream, continuation) = AsyncStream<RunningProgram>.makeStream()
    let work = Task { [mirror, arguments] in
      try await mirror.syncctl(["worker"] + arguments) { continuation.yield($0) }
    }
    let program = Task { () -> RunningProgram in
      for await program in stream { return program }
      return RunningProgram(identifier: 0)
    }
    return Member(work: work, program: program)
  }

  func kill(_ place: Int) async throws {
    let member = members[place % members.count]
    let program = await member.program.value
    program.signal(SIGKILL)
    _ = try await member.work.value
    kills[program.identifier] = Date().timeIntervalSince1970
    members[place % members.count] = self.member()
  }

  func stop() async throws -> (results: [ProgramResult], longest: Duration) {
    let start = ContinuousClock.now
    for member in members {
      let program = await member.program.value
      try await waitUntil("a worker's first line") { program.catchesSIGTERM }
      program.signal(SIGTERM)
    }
    var results: [ProgramResult] = []
    for member in members { results.append(try await member.work.value) }
    members = []
    return (results, ContinuousClock.now - start)
  }
}

extension RunningProgram {
  /// Whether the process handles or ignores SIGTERM (see proc(5)). Otherwise, SIGTERM kills the process, and the
  /// process has no exit status.
  var catchesSIGTERM: Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8) else { return false }
    let masks = status.split(separator: "\n").filter { $0.hasPrefix("SigCgt:") || $0.hasPrefix("SigIgn:") }
      .compactMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) }
    return masks.contains { $0 >> UInt64(SIGTERM - 1) & 1 == 1 }
  }
}

extension Mirror {
  /// Makes all workers seem to run on other machines, so that only the end of a lease shows the end of a worker.
  /// Records the take-overs.
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

  func takeovers(after kills: [Int32: Double]) async throws -> [Double] {
    try await sql("SELECT pid, extract(epoch FROM at) FROM witness.takeover").split(separator: "\n").map { line in
      let fields = line.split(separator: "|")
      let pid = try #require(Int32(fields[0]))
      return try #require(Double(fields[1])) - (try #require(kills[pid], "a live worker was replaced"))
    }
  }
}
