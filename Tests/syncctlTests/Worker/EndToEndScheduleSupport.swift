import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension Mirror {
  func with(jobs: [String], _ lines: String = "", leaseTTL: String = "6s") throws -> Mirror {
    let text = "jobs:\n" + jobs.map { "  - { \($0) }\n" }.joined() + lines + "\n"
    let file = try home.write(text, to: "jobs.yaml")
    return with(["SYNCCTL_CONFIG": file, "SYNCCTL_LEASE_TTL": leaseTTL])
  }

  @discardableResult
  func whileWorking(
    _ arguments: String..., body: (RunningProgram) async throws -> Void
  ) async throws -> ProgramResult {
    try await program.run(["worker"] + arguments, environment: wholeEnvironment, in: home.path) { worker in
      do { try await body(worker) } catch {
        worker.signal(SIGKILL)
        throw error
      }
      worker.signal(SIGTERM)
    }
  }

  /// Waits until a query returns `t`. The query can fail at first, for example because its table does not exist yet.
  func wait(_ what: String, deadline: Duration = .seconds(120), until query: String) async throws {
    var refusal: (any Error)?
    do {
      try await waitUntil(what, deadline: deadline) {
        do {
          let answer = try await sql(query)
          refusal = nil
          return answer == "t"
        } catch {
          refusal = error
          return false
        }
      }
    } catch let late as NeverHappened { throw refusal ?? late }
  }

  func jobRuns() async throws -> String {
    try await sql("SELECT job, state, outcome, attempts FROM sync.job_run ORDER BY nominal_at, job")
  }
}

extension ProgramResult {
  func records() throws -> [JSONValue] { try standardError.split(separator: "\n").map { try JSONValue(String($0)) } }
}
