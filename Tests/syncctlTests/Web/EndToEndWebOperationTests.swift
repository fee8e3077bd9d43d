import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Jobs, pauses and held runs, operated by pages.
  @Suite struct WebOperations {
    private static let origin = "http://127.0.0.1:9"

    private static func mirror() async throws -> Mirror {
      let fresh = try await Mirror.make().asOwner.withDataFolder
      try await fresh.server.grant(in: fresh.database)
      let mirror = try fresh.with(jobs: ["name: top, source: jikan, streams: [top-anime], schedule: every 1d"])
      _ = try await mirror.sql("SELECT sync.pause_origin('\(origin)', 3600000000)")
      return mirror
    }

    private static func jobs(_ mirror: Mirror) async throws -> String {
      try await mirror.sql(
        """
        SELECT (SELECT count(*) FROM sync.job_run WHERE triggered_by = 'person') || ' '
          || (SELECT count(*) FROM sync.job WHERE paused_at IS NOT NULL)
        """)
    }

    private static func isPaused(_ mirror: Mirror) async throws -> Bool {
      try await mirror.sql("SELECT sync.pause_left('\(origin)') > 0") == "t"
    }

    @Test func aSignedInBrowserOperatesTheMirror() async throws {
      let mirror = try await Self.mirror()
      try await mirror.browse { browser in
        let state = try await browser.get("/").body
        for path in ["/jobs/top/trigger", "/jobs/top/pause", "/limits/itunes/resume"] {
          #expect(state.contains("href=\"\(path)\""), "\(path) is not in \(state)")
          let page = try await browser.get(path)
          let command = "syncctl \(path.hasPrefix("/jobs") ? "jobs \(path.dropFirst(10)) top" : "limits resume itunes")"
          #expect(page.status == 200 && page.body.contains("action=\"\(path)\""), "\(page)")
          #expect(page.body.contains(command), "\(command) is not in \(page.body)")
        }
        #expect(try await Self.jobs(mirror) == "0 0", "pages change nothing")
        for (path, jobs) in [
          ("/jobs/top/trigger", "1 0"), ("/jobs/top/trigger", "1 0"), ("/jobs/top/pause", "1 1"),
          ("/jobs/top/resume", "1 0"),
        ] {
          let answer = try await browser.submit(path, "", from: path)
          #expect(answer.status == 303 && answer.fields["location"] == "/#jobs", "\(answer)")
          #expect(try await Self.jobs(mirror) == jobs, "\(path)")
        }
        #expect(try await browser.get("/").body.contains("waiting"), "the page of the state is made again")
        #expect(try await Self.isPaused(mirror))
        #expect(try await browser.submit("/limits/itunes/resume", "", from: "/").status == 303)
        #expect(try await !Self.isPaused(mirror))
        for path in ["/jobs/nope/trigger", "/limits/nope/resume", "/runs/ffffffff/confirm"] {
          #expect(try await browser.get(path).status == 404, "\(path)")
          #expect([400, 404].contains(try await browser.submit(path, "", from: "/").status), "\(path)")
        }
      }
    }

    @Test func othersOperateNothing() async throws {
      let mirror = try await Self.mirror()
      let paths = ["/jobs/top/trigger", "/limits/itunes/resume", "/runs/ffffffff/confirm"]
      try await mirror.browse { browser in
        for path in paths {
          for fields in [[], ["Sec-Fetch-Site: cross-site"], ["Origin: http://evil.example"]] {
            let answer = try await browser.ask("POST", path, fields: fields)
            #expect(answer.status == 403, "\(path) \(fields)")
          }
        }
      }
      // The password is enough for hearts, but not for operations.
      let file = try mirror.home.write("ann:secret\n", to: "password")
      #expect(chmod(file, 0o600) == 0)
      let writable = mirror.with([
        "SYNCCTL_WEB_HOSTS": "mirror.example", "SYNCCTL_WEB_WRITABLE": "true", "SYNCCTL_WEB_PASSWORD_FILE": file,
      ])
      try await writable.browse(signsIn: false) { stranger in
        let password = "Authorization: Basic \(Data("ann:secret".utf8).base64EncodedString())"
        for path in paths {
          #expect(try await stranger.get(path).status == 404)
          for host in [stranger.server, "mirror.example"] {
            let answer = try await stranger.ask(
              "POST", path, host: host, fields: ["Sec-Fetch-Site: same-origin", password])
            #expect(answer.status == 403 && answer.body.contains("signed in"), "\(answer)")
          }
        }
        #expect(try await !stranger.get("/").body.contains("/jobs/top/"))
      }
      // A login without the role of workers has no buttons, and a sentence with the GRANT.
      let url = mirror.database.url
      let limited = mirror.with([
        "SYNCCTL_DATABASE_URL": "\(url)\(url.contains("?") ? "&" : "?")options=-c%20role%3Dsyncctl_user"
      ])
      try await limited.browse { browser in
        let state = try await browser.get("/").body
        #expect(state.contains("GRANT syncctl_worker TO syncctl_user"), "\(state)")
        #expect(!state.contains("/jobs/top/pause"), "\(state)")
        let page = try await browser.get("/jobs/top/trigger")
        #expect(page.body.contains("GRANT syncctl_worker") && !page.body.contains("method=\"post\""), "\(page)")
        let answer = try await browser.submit("/jobs/top/trigger", "", from: "/")
        #expect(answer.status == 403 && answer.body.contains("GRANT syncctl_worker"), "\(answer)")
      }
      #expect(try await Self.jobs(mirror) == "0 0")
      #expect(try await Self.isPaused(mirror))
    }

    @Test func aHeldRunIsConfirmedByAPage() async throws {
      try await VanishingWorld.with(items: 240) { world in
        world.jikan.remove(.anime, Set(world.jikan.ids(.anime)[100..<160]))
        let run = try await world.expectNothingGone(running: "top-anime", exit: 86, status: "failed")
        let id = try #require(run["id"]?.text)
        // Another mirror of the cluster has created the role of workers, which has no rights in this mirror.
        _ = try await world.mirror.sql(
          """
          DO $$ BEGIN CREATE ROLE syncctl_worker NOLOGIN;
          EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
          """)
        try await world.mirror.browse { browser in
          #expect(try await browser.get("/").body.contains("href=\"/runs/\(id.prefix(8))/confirm\""))
          #expect(try await browser.get("/runs/\(id)").body.contains("href=\"/runs/\(id)/confirm\""))
          let page = try await browser.get("/runs/\(id)/confirm").body
          for words in ["without these 60 entries", "syncctl confirm \(id.prefix(8))"] {
            #expect(page.contains(words), "\(words) is not in \(page)")
          }
          let answer = try await browser.submit("/runs/\(id)/confirm", "", from: "/runs/\(id)")
          #expect(answer.status == 303 && answer.fields["location"] == "/runs/\(id)", "\(answer)")
          try await waitUntil("the confirmation") {
            try await browser.get("/runs/\(id)").body.contains("The run was confirmed.")
          }
          let listed = try await world.mirror.sql("SELECT count(*) FROM jikan.ranking WHERE kind = 'anime'")
          #expect(listed == "180")
        }
      }
    }
  }
}
