import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

/// A browser without scripts, at a port of this machine.
struct Browser: Sendable {
  let port: Int
  /// The cookie of a browser that has signed in, as `NAME=VALUE`.
  var cookie: String?

  var server: String { "127.0.0.1:\(port)" }

  func ask(
    _ method: String, _ path: String, host: String? = nil, fields: [String] = [], body: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> RawClient.Answer {
    let cookies = cookie.map { ["Cookie: other=1; \($0)"] } ?? []
    let answer = await RawClient.ask(
      method, path, host: host ?? server, fields: fields + cookies, body: body, port: port)
    return try #require(answer, "\(method) \(path)", sourceLocation: sourceLocation)
  }

  func get(_ path: String, host: String? = nil) async throws -> RawClient.Answer {
    try await ask("GET", path, host: host)
  }

  /// Opens the address with the token, and keeps the cookie.
  mutating func signIn(_ token: String, at path: String = "/") async throws {
    let answer = try await ask("GET", "\(path)?token=\(token)")
    #expect(answer.status == 303 && answer.fields["location"] == path, "\(answer)")
    cookie = answer.fields["set-cookie"].map { String($0.prefix { $0 != ";" }) }
    #expect(cookie != nil, "\(answer)")
  }

  /// Sends a form as a page of the server does.
  func submit(_ path: String, _ form: String, from page: String) async throws -> RawClient.Answer {
    try await ask(
      "POST", path, fields: ["Sec-Fetch-Site: same-origin", "Referer: http://\(server)\(page)"], body: form)
  }
}

extension Mirror {
  /// A mirror with a data folder of its own, also if root runs the tests.
  var withDataFolder: Mirror { with(["SYNCCTL_DATA_DIR": "\(home.path)/data"]) }

  /// The token of this mirror's data folder.
  func token() throws -> String {
    try String(contentsOfFile: "\(home.path)/data/web-access/token", encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }

  /// Runs `syncctl web` during `body`, then ends it with SIGTERM. At a loopback address, the browser signs in.
  @discardableResult
  func browse(
    _ arguments: String..., listening address: String = "127.0.0.1:0", signsIn: Bool = true,
    body: (Browser) async throws -> Void
  ) async throws -> ProgramResult {
    let mirror = withDataFolder
    let result = try await mirror.syncctl(["web", "--listen", address] + arguments) { program in
      var browser = Browser(port: try await EndToEnd.Telemetry.port(of: program, mirror))
      if signsIn, address.hasPrefix("127.") { try await browser.signIn(try mirror.token()) }
      try await body(browser)
      program.signal(SIGTERM)
    }
    #expect(result.end == .exit(143), "\(result.standardError)")
    return result
  }
}

extension EndToEnd {
  @Suite struct Web {
    @Test func everyPageIsShown() async throws {
      try await Mirror.with(GeneratedJikan.plain(50)) { mirror, _ in
        try await mirror.succeed("run", "--stream", "top-anime")
        let id = try await mirror.sql("SELECT id FROM sync.run")
        try await mirror.browse { browser in
          for (path, words) in [
            ("/", ["All well, 1 stream, none failed", "top-anime", "Rate limits in use", "/runs/\(id)"]),
            ("/runs", ["/runs/\(id)", "1 run", "name=\"since\"", "href=\"/\" aria-current", "square well"]),
            ("/runs?stream=top-anime&failed=true", ["Remove the filter top-anime", "No run matches", "--failed"]),
            ("/quarantine", ["No item is in quarantine", "name=\"reason\""]),
            ("/runs/\(id)", ["Run of jikan/top-anime", "complete: the list", "Items that could not be used"]),
            ("/runs/\(id.prefix(8))", ["Run of jikan/top-anime"]), ("/favorites", ["No favorites yet"]),
            ("/reports/", ["/reports/freshness", "href=\"/reports\" aria-current"]),
            ("/reports/freshness", ["top-anime", "<caption>"]),
            ("/reports/top-by-genre?limit=3", ["name=\"limit\"", "value=\"3\""]),
            ("/reports/top-by-genre?genre=Action", ["/reports/top-by-genre.csv?genre=Action", "--genre Action"]),
          ] {
            let answer = try await browser.get(path)
            #expect(answer.status == 200, "\(path): \(answer.body)")
            for word in words + ["<html lang=\"en\">", "<h1>", "aria-label=\"Pages\""] {
              #expect(answer.body.contains(word), "\(path): \(word) is not in \(answer.body)")
            }
            #expect(!answer.body.contains("<script") && !answer.body.contains("{{"), "\(path)")
            #expect(answer.fields["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
            #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
            let head = try await browser.ask("HEAD", path)
            #expect(head.status == 200 && head.body.isEmpty && head.fields["content-type"] != nil, "\(path)")
          }
          for (path, words) in [
            ("/reports/top-by-genre?limit=many", ["role=\"alert\"", "value=\"many\""]),
            ("/runs?source=nope", ["role=\"alert\"", "there is no source nope"]), ("/runs?page=0", ["role=\"alert\""]),
            ("/favorites?page=x", ["role=\"alert\""]), ("/reports/freshness.csv?page=", []),
          ] {
            let answer = try await browser.get(path)
            #expect(answer.status == (words.isEmpty ? 200 : 400), "\(path): \(answer)")
            for word in words { #expect(answer.body.contains(word), "\(path): \(word) is not in \(answer.body)") }
          }
          for (file, type, beginning) in [("csv", "text/csv", "source,stream"), ("json", "application/json", "[")] {
            let answer = try await browser.get("/reports/freshness.\(file)")
            #expect(answer.fields["content-type"] == "\(type); charset=utf-8", "\(answer)")
            #expect(answer.fields["content-disposition"] == "attachment; filename=\"freshness.\(file)\"")
            #expect(answer.body.hasPrefix(beginning) && answer.body.contains("top-anime"), "\(answer)")
          }
          #expect(try await browser.get("/style.css").fields["content-type"] == "text/css; charset=utf-8")
          #expect(try await browser.get("/icon.svg").status == 200)
          #expect(try await browser.get("/metrics").body.contains("process_resident_memory_bytes"))
          #expect(try await !browser.get("/").body.contains("http-equiv"), "nothing runs")
        }
      }
    }

    @Test func aWalkUnderWayRefreshesTheState() async throws {
      let gate = Gate()
      try await Mirror.with(GeneratedJikan.plain(200).waiting(from: 4, at: gate)) { mirror, _ in
        defer { gate.open() }
        let run = try await mirror.syncctl("run", "--stream", "top-anime") { _ in
          try await waitUntil("page 4") { gate.arrivals > 0 }
          try await mirror.wait("page 3", until: "SELECT cursor = 3 FROM sync.stream_state")
          try await mirror.browse { browser in
            let body = try await browser.get("/").body
            #expect(body.contains("Runs under way") && body.contains("http-equiv=\"refresh\""), "\(body)")
          }
          gate.open()
        }
        #expect(run.end == .exit(0), "\(run.standardError)")
      }
    }

    @Test func foreignRequestsAreRefused() async throws {
      let mirror = try await Mirror.make()
      try await mirror.browse { browser in
        for host in ["evil.example", "evil.example:\(browser.port)", "127.0.0.1.evil.example"] {
          let answer = try await browser.get("/", host: host)
          #expect(answer.status == 421 && answer.body.contains("web.hosts"), "\(host): \(answer)")
          #expect(try await browser.get("/healthz", host: host).status == 200)
        }
        for host in ["localhost:1", "[::1]", "127.0.0.1"] {
          #expect(try await browser.get("/favorites", host: host).status == 200, "\(host)")
        }
        let proxied = try await browser.ask("GET", "/favorites", fields: ["X-Forwarded-For: a"])
        #expect(proxied.status == 421 && proxied.body.contains("<h1>Proxy</h1>"), "\(proxied)")
        for hosts in [["127.0.0.1", "evil.example"], ["evil.example", "127.0.0.1"]] {
          let answer = try await browser.ask("GET", "/favorites", host: hosts[0], fields: ["Host: \(hosts[1])"])
          #expect(answer.status == 400 && answer.body.contains("more than one host"), "\(hosts): \(answer)")
        }
        for path in ["/nope", "/runs/ffffffff", "/reports/nope", "/favorites/remove", "/style.css/x"] {
          let answer = try await browser.get(path)
          #expect(answer.status == 404 && answer.body.contains("<h1>Not found</h1>"), "\(path): \(answer)")
          #expect(try await browser.ask("HEAD", path).body.isEmpty)
        }
        for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
          let answer = try await browser.ask(method, "/favorites")
          #expect(answer.status == 405 && answer.fields["allow"] == "GET, HEAD, POST", "\(method): \(answer)")
        }
        for path in ["/favorites?page=x", "/favorites?page=%00", "/runs/%00", "/favorites?page=%ff"] {
          #expect(try await browser.get(path).status == 400, "\(path)")
        }
        for fields in [
          [], ["Origin: http://evil.example"], ["Origin: https://\(browser.server)"], ["Origin: null"],
          ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: none", "Origin: http://\(browser.server)"],
        ] {
          for path in ["/favorites", "/favorites/remove"] {
            let answer = try await browser.ask("POST", path, fields: fields, body: "source=jikan&kind=anime&id=1")
            #expect(answer.status == 403, "\(fields): \(answer)")
          }
        }
      }
      try await mirror.syncctl("web", "--listen", "nowhere").expectFailure(64, naming: "nowhere")
      try await mirror.syncctl("web", "--listen", "0.0.0.0:0").expectFailure(78, naming: "web.hosts")
    }

    @Test func aHeartIsAFavorite() async throws {
      try await Mirror.with(GeneratedJikan.plain(50)) { fresh, _ in
        try await fresh.succeed("run", "--stream", "top-anime")
        let mirror = fresh.asOwner
        let id = try await mirror.sql("SELECT min(mal_id) FROM jikan.media")
        let form = "source=jikan&kind=anime&id=\(id)&collection=favorites"
        try await mirror.browse { browser in
          let set = try await browser.submit("/favorites", form, from: "/favorites?collection=favorites")
          #expect(set.status == 303 && set.fields["location"] == "/favorites?collection=favorites", "\(set)")
          #expect(try await mirror.rows("favorites", "list").map { $0["id"]?.int } == [Int(id)])
          _ = try await mirror.sql("UPDATE app.favorite SET note = 'mine'")
          let origin = "Origin: http://\(browser.server)"
          let again = try await browser.ask("POST", "/favorites", fields: [origin], body: form)
          #expect(again.status == 303 && again.fields["location"] == "/", "\(again)")
          let page = try await browser.get("/favorites").body
          #expect(page.contains("action=\"/favorites/remove\"") && page.contains("mine"), "\(page)")
          for (wrong, status) in [
            ("kind=anime&id=1", 400), ("source=jikan&kind=song&id=1", 400), ("source=jikan&kind=anime&id=x", 400),
            ("source=jikan&kind=anime&id=99999999", 404), (String(repeating: "a", count: 5000), 413),
          ] {
            #expect(try await browser.submit("/favorites", wrong, from: "/").status == status, "\(wrong.prefix(40))")
          }
          for _ in 1...2 {
            #expect(try await browser.submit("/favorites/remove", form, from: "/favorites").status == 303)
          }
          #expect(try await mirror.rows("favorites", "list").isEmpty)
        }
      }
    }

    @Test func otherAddressesShowLessAndChangeNothing() async throws {
      let fresh = try await Mirror.make()
      let mirror = fresh.asOwner.with(["SYNCCTL_WEB_HOSTS": "mirror.example, other.example"])
      let form = "source=jikan&kind=anime&id=1"
      let fields = ["Sec-Fetch-Site: same-origin"]
      try await fresh.server.grant(in: fresh.database)
      _ = try await mirror.sql(
        "INSERT INTO app.favorite (collection, source, kind, id, note) VALUES ('owned', 'jikan', 'anime', 7, 'my secret')"
      )
      let (search, failed) = ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002")
      _ = try await mirror.sql(
        """
        INSERT INTO sync.run (id, source, stream, status, error) VALUES
          ('\(search)', 'itunes', 'search:@words-1', 'complete', NULL),
          ('\(failed)', 'jikan', 'top-anime', 'failed', 'the database of ann failed')
        """)
      try await mirror.browse { browser in
        let favorites = try await browser.get("/favorites").body
        #expect(favorites.contains("my secret"), "\(favorites)")
        let state = try await browser.get("/").body
        #expect(state.contains("@words") && state.contains("database of ann"), "\(state)")
      }
      let result = try await mirror.browse(listening: "0.0.0.0:0") { browser in
        #expect(try await browser.get("/", host: "mirror.example:80").status == 200)
        let favorites = try await browser.get("/favorites", host: "mirror.example").body
        #expect(favorites.contains("owned") && !favorites.contains("my secret"), "\(favorites)")
        for path in [
          "/", "/runs", "/runs/\(failed)", "/reports/run-costs", "/reports/run-costs.csv", "/reports/freshness",
        ] {
          let body = try await browser.get(path, host: "mirror.example").body
          #expect(body.contains("top-anime") || path == "/reports/freshness", "\(path): \(body)")
          #expect(!body.contains("@words") && !body.contains("database of ann"), "\(path): \(body)")
        }
        #expect(try await browser.get("/runs/\(search)", host: "mirror.example").status == 404)
        #expect(try await browser.get("/", host: "localhost").status == 421)
        let proxied = try await browser.ask("GET", "/", host: "mirror.example", fields: ["X-Forwarded-For: 1.2.3.4"])
        #expect(proxied.status == 200, "\(proxied)")
        let answer = try await browser.ask("POST", "/favorites", host: "mirror.example", fields: fields, body: form)
        #expect(answer.status == 403 && answer.body.contains("web.writable"), "\(answer)")
      }
      #expect(!result.standardError.contains("all rights"), "\(result.standardError)")
      #expect(result.standardError.contains("http://mirror.example:"), "\(result.standardError)")
      let file = try mirror.home.write("ann:secret\n", to: "password")
      let writable = mirror.with(["SYNCCTL_WEB_WRITABLE": "true", "SYNCCTL_WEB_PASSWORD_FILE": file])
      #expect(chmod(file, 0o644) == 0)
      try await writable.syncctl("web", "--listen", "0.0.0.0:0").expectFailure(78, naming: "other users", "chmod 600")
      #expect(chmod(file, 0o600) == 0)
      try await writable.browse(listening: "0.0.0.0:0") { browser in
        func post(_ fields: [String]) async throws -> RawClient.Answer {
          try await browser.ask("POST", "/favorites", host: "other.example", fields: fields, body: form)
        }
        let asked = try await post(fields)
        #expect(asked.status == 401 && asked.fields["www-authenticate"]?.hasPrefix("Basic ") == true, "\(asked)")
        let password = Data("ann:secret".utf8).base64EncodedString()
        #expect(try await post(fields + ["Authorization: Basic \(password)"]).status == 404, "there is no such anime")
        #expect(try await post(["Authorization: Basic \(password)"]).status == 403)
      }
    }

    @Test func aDatabaseThatIsDownHasAPage() async throws {
      let server = try await ThrowawayPostgres.start()
      let mirror = try Mirror.on(server, try await server.makeProductDatabase())
      try await mirror.browse { browser in
        #expect(try await browser.get("/").status == 200)
        try await server.crash()
        try await waitUntil("a page that says so") {
          let answer = try await browser.get("/favorites")
          #expect(!answer.body.contains("bug"), "\(answer)")
          return answer.status == 503
        }
        let answer = try await browser.get("/favorites")
        #expect(answer.status == 503 && answer.body.contains("<h1>The database is not available</h1>"), "\(answer)")
        #expect(try await browser.get("/style.css").status == 200)
        try await server.start()
        try await waitUntil("the page") { try await browser.get("/favorites").status == 200 }
      }
    }

    @Test func slowPagesDelayOthersOnlyForTheirTime() async throws {
      let mirror = try await Mirror.make()
      // Databases of one template share the ids of their relations, so the query also compares the database.
      let locks = """
        FROM pg_locks WHERE relation = 'app.favorite'::regclass AND mode = 'AccessExclusiveLock'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
      try await mirror.browse { browser in
        #expect(try await browser.get("/favorites").status == 200)
        async let blocker = mirror.sql("BEGIN; LOCK TABLE app.favorite; SELECT pg_sleep(50)")
        try await waitUntil("the lock") { try await mirror.sql("SELECT count(*) \(locks)") == "1" }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: RawClient.Answer.self) { group in
          for _ in 1...40 { group.addTask { try await browser.get("/favorites") } }
          for try await answer in group {
            #expect(answer.status == 503 && answer.body.contains("<h1>Try later</h1>"), "\(answer)")
          }
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        try await waitUntil("another page") { try await browser.get("/reports/freshness").status == 200 }
        _ = try await mirror.sql("SELECT pg_terminate_backend(pid) \(locks)")
        // The blocker's query fails, because its session was terminated.
        _ = try? await blocker
        try await waitUntil("the page") { try await browser.get("/favorites").status == 200 }
      }
    }

    @Test func theWorkersListenerServesThePages() async throws {
      let fresh = try await Mirror.make()
      let mirror = try fresh.withDataFolder.with(
        jobs: ["name: top, source: jikan, streams: [top-anime], schedule: every 1d"], "web: { enabled: true }")
      let result = try await mirror.whileWorking("--listen", "127.0.0.1:0") { worker in
        var browser = Browser(port: try await Telemetry.port(of: worker, mirror))
        try await waitUntil("the pages") { try await browser.get("/").status == 200 }
        #expect(try await browser.get("/").body.contains("every 1d"))
        #expect(try await browser.get("/", host: "evil.example").status == 421)
        #expect(try await browser.get("/readyz", host: "evil.example").status == 200)
        #expect(try await browser.get("/favorites").body.contains("not signed in"))
        let token = try mirror.token()
        let url = "http://\(browser.server)/?token=\(token)\n"
        #expect(try await mirror.succeed("web", "--url").standardOutput == url)
        #expect(try await browser.get("/?token=wrong").status == 403)
        try await browser.signIn(token)
        #expect(try await !browser.get("/favorites").body.contains("not signed in"))
      }
      let token = try mirror.token()
      #expect(!"\(result)".contains(token) && result.standardError.contains("wrong token"), "\(result)")
    }
  }
}
