import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct ProcessLimits {
    @Test func softLimitOnDescriptors() async throws {
      let mirror = try await Mirror.make(.empty)
      let result = try await mirror.shell("ulimit -Sn 8; exec \"$0\" config")
      #expect(result.end == .exit(0), "\(result.standardError)")
    }

    @Test func closedStreams() async throws {
      try await Mirror.with(GeneratedJikan.plain(60)) { mirror, _ in
        for redirections in ["1>&-", "2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-", "0<&-"] {
          for (command, status) in [("run --stream top-anime", 0), ("config", 0), ("run --stream nope", 64)] {
            let result = try await mirror.shell("\"$0\" \(command) \(redirections)")
            #expect(result.end == .exit(Int32(status)), "\(command) \(redirections): \(result.standardError)")
          }
        }
        #expect(try await mirror.sql("SELECT count(*) FROM sync.run WHERE status = 'complete'") == "5")
      }
    }

    @Test func configurationThatIsNoFile() async throws {
      let mirror = try await Mirror.make(.empty)
      let pipe = mirror.home.path + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      for path in [pipe, "/dev/zero", "/dev/null", "/dev/tty", mirror.home.path] {
        let result = try await mirror.syncctl("config", "--config", path)
        result.expectFailure(78, naming: path)
      }
    }

    @Test func reloadOfWhatIsNoConfiguration() async throws {
      try await Mirror.with(GeneratedJikan.plain(25)) { fresh, _ in
        let mirror = try fresh.with(jobs: ["name: top, source: jikan, streams: [top-anime], schedule: every 1s"])
        let file = mirror.home.path + "/jobs.yaml"
        let ended = try await mirror.whileWorking("--log-format", "json") { worker in
          func expectMore() async throws {
            let seen = try await mirror.sql("SELECT count(*) FROM sync.job_run WHERE outcome = 'done'")
            try await mirror.wait(
              "further runs of the job", deadline: .seconds(30),
              until: "SELECT count(*) > \(seen) + 1 FROM sync.job_run WHERE outcome = 'done'")
          }
          try await mirror.wait("a run", until: "SELECT count(*) > 0 FROM sync.job_run WHERE outcome = 'done'")
          for text in ["", "# nothing but a comment\n\n", "---\n"] {
            try Data(text.utf8).write(to: URL(filePath: file))
            worker.signal(SIGHUP)
            try await expectMore()
          }
          try FileManager.default.removeItem(atPath: file)
          worker.signal(SIGHUP)
          try await expectMore()
          #expect(mkfifo(file, 0o600) == 0)
          worker.signal(SIGHUP)
          try await expectMore()
          try FileManager.default.removeItem(atPath: file)
          try Data("jobs: [ { name: pa55: canary } ]".utf8).write(to: URL(filePath: file))
          worker.signal(SIGHUP)
          try await expectMore()
          let other = "jobs: [ { name: manga, source: jikan, streams: [top-manga], schedule: every 1s } ]"
          try Data(other.utf8).write(to: URL(filePath: file))
          worker.signal(SIGHUP)
          try await mirror.wait("the new job", until: "SELECT count(*) > 0 FROM sync.job_run WHERE job = 'manga'")
        }
        #expect(ended.end == .exit(143), "\(ended.standardError)")
        let kept = try ended.records().compactMap { $0["message"]?.text }.filter { $0.contains("was not reloaded") }
        #expect(kept.count == 6, "\(kept)")
        #expect(kept.count { $0.contains("is empty") } == 3, "\(kept)")
        #expect(kept.contains { $0.contains("not a regular file") }, "\(kept)")
        #expect(ended.standardError.contains("configuration reloaded"))
        #expect(!ended.standardError.contains("canary"))
      }
    }
  }
}
