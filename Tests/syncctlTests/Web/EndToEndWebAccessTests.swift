import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Who sees and changes what.
  @Suite struct WebAccess {
    private static let notice = "this browser is not signed in"

    /// A mirror with roles, a favorite with a note, and a run of a one-off search.
    private static func mirror() async throws -> Mirror {
      let mirror = try await Mirror.make().asOwner.withDataFolder
      try await mirror.server.grant(in: mirror.database)
      _ = try await mirror.sql(
        """
        INSERT INTO app.favorite (collection, source, kind, id, note) VALUES ('owned', 'jikan', 'anime', 7, 'my note');
        INSERT INTO sync.run (id, source, stream, status) VALUES
          ('00000000-0000-4000-8000-000000000001', 'itunes', 'search:@words-1', 'complete')
        """)
      return mirror
    }

    private static func seesAll(_ browser: Browser, host: String? = nil) async throws -> Bool {
      let (state, favorites) = (try await browser.get("/", host: host), try await browser.get("/favorites", host: host))
      #expect(state.status == 200 && favorites.status == 200, "\(state) \(favorites)")
      let parts = [
        state.body.contains("@words"), favorites.body.contains("my note"), favorites.body.contains("class=\"heart\""),
        !state.body.contains(notice), !favorites.body.contains(notice),
      ]
      #expect(Set(parts).count == 1, "\(parts)")
      return parts[0]
    }

    @Test func onlyASignedInBrowserSeesAndChangesTheOwnersData() async throws {
      let mirror = try await Self.mirror()
      let form = "source=jikan&kind=anime&id=7&collection=owned"
      let result = try await mirror.browse(signsIn: false) { stranger in
        let token = try mirror.token()
        var owner = stranger
        try await owner.signIn(token, at: "/favorites")
        // The page of the state is cached for two seconds.
        for _ in 1...2 {
          #expect(try await !Self.seesAll(stranger))
          #expect(try await Self.seesAll(owner))
        }
        #expect(try await Self.seesAll(owner, host: "localhost:\(owner.port)"))
        #expect(try await !Self.seesAll(owner, host: "localhost:1"), "the cookie's name has the port")
        let forged = Browser(port: stranger.port, cookie: "syncctl-\(stranger.port)=\(token)")
        #expect(try await !Self.seesAll(forged))
        #expect(try await stranger.get("/itunes").body.contains("Last searches") == false)
        #expect(try await owner.get("/itunes").body.contains("Last searches"))
        for name in ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Via", "X-Real-IP"] {
          for path in ["/favorites", "/favorites?token=\(token)"] {
            let answer = try await owner.ask("GET", path, fields: ["\(name): a"])
            #expect(answer.status == 421 && answer.fields["set-cookie"] == nil, "\(name): \(answer)")
          }
        }

        let refused = try await stranger.submit("/favorites/remove", form, from: "/favorites")
        #expect(refused.status == 403 && refused.body.contains("syncctl web --url"), "\(refused)")
        #expect(try await mirror.sql("SELECT count(*) FROM app.favorite") == "1")

        // The database refuses, too.
        _ = try await mirror.sql("REVOKE SELECT ON app.favorite_item FROM syncctl_reader")
        let limited = try await stranger.get("/favorites")
        #expect(limited.status == 503 && !limited.body.contains("syncctl_reader"), "\(limited)")
        #expect(try await owner.get("/favorites").status == 200)
        #expect(try await owner.submit("/favorites/remove", form, from: "/favorites").status == 303)
        #expect(try await mirror.sql("SELECT count(*) FROM app.favorite") == "0")
        #expect(try await !owner.get("/metrics").body.contains(token))
      }
      let token = try mirror.token()
      let lines = result.standardError.split(separator: "\n").filter { $0.contains(token) }
      #expect(lines.count == 1 && lines[0].contains("/?token=\(token) (Ctrl-C"), "\(result.standardError)")
      #expect(result.standardOutput.isEmpty)
    }

    @Test func theFirstVisitTakesTheTokenOutOfTheAddress() async throws {
      let mirror = try await Mirror.make().withDataFolder
      let result = try await mirror.browse(signsIn: false) { browser in
        let token = try mirror.token()
        for (target, location) in [
          ("/?token=\(token)", "/"), ("/reports?a=%22&token=\(token)&b=2", "/reports?a=%22&b=2"),
          ("//evil.example/?token=\(token)", "/"), ("/nope?token=\(token)", "/nope"),
        ] {
          for method in ["GET", "HEAD"] {
            let answer = try await browser.ask(method, target)
            #expect(answer.status == 303 && answer.fields["location"] == location, "\(answer)")
            let cookie = try #require(answer.fields["set-cookie"])
            #expect(cookie.hasPrefix("syncctl-\(browser.port)=") && cookie.hasSuffix("; HttpOnly; SameSite=Strict"))
            #expect(answer.fields["referrer-policy"] == "no-referrer" && answer.fields["cache-control"] == "no-store")
            #expect(!"\(answer)".contains(token))
          }
        }
        // Browsers send no strict cookie with a redirect that a file or another site began.
        let opened = try await browser.ask(
          "GET", "/reports?a=%22&token=\(token)&b=2", fields: ["Sec-Fetch-Site: cross-site"])
        #expect(opened.status == 200 && opened.fields["set-cookie"] != nil, "\(opened)")
        #expect(opened.body.contains("content=\"0;url=/reports?a=%22&amp;b=2\"") && !opened.body.contains(token))

        var statuses: [Int] = []
        for number in 1...8 {
          let answer = try await browser.get("/?token=wrong\(number)")
          statuses.append(answer.status)
          #expect(answer.fields["set-cookie"] == nil && !answer.body.contains("wrong\(number)"), "\(answer)")
        }
        #expect(statuses[..<5] == [403, 403, 403, 403, 403] && statuses[7] == 429, "\(statuses)")
        var owner = browser
        try await owner.signIn(token)
        #expect(try await owner.get("/?token=old").fields["location"] == "/", "a browser that has signed in")
        #expect(try await browser.get("/").body.contains(Self.notice))
      }
      let reports = result.standardError.split(separator: "\n").filter { $0.contains("wrong token") }
      #expect((5...7).contains(reports.count) && reports.allSatisfy { $0.contains("127.0.0.1") }, "\(result)")
      #expect(!result.standardError.contains("wrong1"))
    }

    @Test func runningServersAreListed() async throws {
      let mirror = try await Self.mirror()
      try await mirror.syncctl("web", "--url").expectFailure(
        1, naming: "no syncctl web is running", "\(mirror.home.path)/data")
      var first: Browser?
      try await mirror.browse { one in
        first = one
        try await mirror.browse { other in
          let urls = try await mirror.succeed("web", "--url").standardOutput.split(separator: "\n")
          let token = try mirror.token()
          #expect(urls == [other, one].map { "http://\($0.server)/?token=\(token)" })
          #expect(one.cookie != other.cookie)
          let value = try #require(one.cookie).split(separator: "=")[1]
          let foreign = Browser(port: other.port, cookie: "syncctl-\(other.port)=\(value)")
          #expect(try await !Self.seesAll(foreign), "the cookie of another server")
        }
        #expect(try await mirror.succeed("web", "--url").standardOutput.split(separator: "\n").count == 1)
      }
      try await mirror.syncctl("web", "--url").expectFailure(1, naming: "no syncctl web is running")
      // After a restart, the printed address is valid, but not the cookie.
      let before = try #require(first)
      try await mirror.browse(listening: before.server) { again in
        let (isOwner, wasOwner) = (try await Self.seesAll(again), try await Self.seesAll(before))
        #expect(isOwner && !wasOwner)
      }
    }

    @Test func aMachineWithOneUserNeedsNoToken() async throws {
      let mirror = try await Self.mirror()
      for (mirror, options) in [(mirror, ["--no-token"]), (mirror.with(["SYNCCTL_WEB_TOKEN": "false"]), [])] {
        _ = try await mirror.syncctl(["web", "--listen", "127.0.0.1:0"] + options) { program in
          defer { program.signal(SIGTERM) }
          let browser = Browser(port: try await Telemetry.port(of: program, mirror))
          #expect(try await Self.seesAll(browser))
          #expect(try await browser.ask("GET", "/", fields: ["X-Forwarded-For: a"]).status == 421)
          #expect(try await mirror.succeed("web", "--url").standardOutput == "http://\(browser.server)/\n")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(mirror.home.path)/data/web-access/token"))
      }
      let error = try await mirror.with(["SYNCCTL_WEB_TOKEN": "my-secret"]).syncctl("web")
      error.expectFailure(78, naming: "web.token is not true or false")
      #expect(!error.standardError.contains("my-secret"))
    }

    @Test func aTokenThatCannotBeStoredLetsNobodySignIn() async throws {
      let mirror = try await Self.mirror()
      _ = try mirror.home.write("", to: "data")
      let result = try await mirror.syncctl("web", "--listen", "127.0.0.1:0") { program in
        defer { program.signal(SIGTERM) }
        let browser = Browser(port: try await Telemetry.port(of: program, mirror))
        let favorites = try await browser.get("/favorites").body
        #expect(!favorites.contains("my note") && !favorites.contains(Self.notice), "\(favorites)")
        #expect(try await browser.get("/?token=").status == 403)
      }
      #expect(result.standardError.contains("nobody can sign in"), "\(result.standardError)")
    }

    @Test func theBrowserOpensAFileWithTheAddress() async throws {
      let mirror = try await Mirror.make().withDataFolder
      let (tools, seen) = ("\(mirror.home.path)/tools", "\(mirror.home.path)/seen")
      try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
      let program = try mirror.home.write(
        "#!/bin/sh\nprintf '%s\\n' \"$*\" > '\(seen).new'\n/bin/cat \"$1\" >> '\(seen).new'\n"
          + "/usr/bin/stat -c %a \"$1\" >> '\(seen).new'\n/bin/mv '\(seen).new' '\(seen)'\n", to: "tools/xdg-open")
      #expect(chmod(program, 0o755) == 0)
      try await mirror.with(["PATH": tools]).browse("--open") { browser in
        try await waitUntil("the browser") { FileManager.default.fileExists(atPath: seen) }
        let lines = try String(contentsOfFile: seen, encoding: .utf8).split(separator: "\n")
        let token = try mirror.token()
        #expect(lines[0].hasSuffix(".html") && !lines[0].contains(token), "\(lines)")
        #expect(lines.contains { $0.contains("url=http://\(browser.server)/?token=\(token)\"") }, "\(lines)")
        #expect(lines.last == "600")
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: "\(mirror.home.path)/data/web-access")
      #expect(left == ["token"])
      #expect(unlink(program) == 0)
      let result = try await mirror.with(["PATH": tools]).browse("--open") { browser in
        let answer = try await browser.get("/")
        #expect(answer.status == 200)
      }
      #expect(result.standardError.contains("no browser could be opened (xdg-open is not installed)"), "\(result)")
    }

    @Test func aProxyHasTheReadersPagesUnderItsNameAndPath() async throws {
      let fresh = try await Self.mirror()
      let file = try fresh.home.write("ann:secret\n", to: "password")
      #expect(chmod(file, 0o600) == 0)
      let mirror = fresh.with([
        "SYNCCTL_WEB_HOSTS": "mirror.example", "SYNCCTL_WEB_PATH": "/mirror/", "SYNCCTL_WEB_WRITABLE": "true",
        "SYNCCTL_WEB_PASSWORD_FILE": file,
      ])
      let result = try await mirror.browse(signsIn: false) { browser in
        let token = try mirror.token()
        let forwarded = ["X-Forwarded-For: 203.0.113.7"]
        func ask(_ method: String, _ path: String, _ fields: [String] = [], body: String = "") async throws
          -> RawClient.Answer
        { try await browser.ask(method, path, host: "mirror.example", fields: fields, body: body) }
        for fields in [forwarded, []] {
          for path in ["/mirror", "/mirror/", "/mirror/favorites", "/mirror/?token=\(token)"] {
            let answer = try await ask("GET", path, fields)
            #expect(answer.status == 200 && answer.fields["set-cookie"] == nil, "\(path): \(answer)")
            #expect(
              !answer.body.contains("my note") && !answer.body.contains("@words") && !answer.body.contains(Self.notice))
            for link in answer.body.matches(of: /(?:href|action)="(\/[^"]*)"/) {
              #expect(link.output.1.hasPrefix("/mirror/"), "\(path): \(link.output.0)")
            }
            #expect(try await ask("HEAD", path, fields).body.isEmpty)
          }
        }
        #expect(try await ask("GET", "/mirror/style.css").fields["content-type"] == "text/css; charset=utf-8")
        let stripped = try await ask("GET", "/favorites")
        #expect(stripped.status == 404 && stripped.body.contains("web.path") && stripped.body.contains("\"/mirror/\""))
        #expect(try await browser.ask("GET", "/mirror/", host: "evil.example", fields: forwarded).status == 421)
        #expect(try await browser.ask("GET", "/mirror/", fields: forwarded).status == 421)

        var owner = browser
        try await owner.signIn(token, at: "/mirror/")
        #expect(try await owner.get("/mirror/favorites").body.contains("my note"))
        let url = try await mirror.succeed("web", "--url").standardOutput
        #expect(url == "http://\(browser.server)/mirror/?token=\(token)\n")

        // The password, with a slow client that another client does not slow.
        let form = "source=jikan&kind=anime&id=99"
        func post(_ password: String, from client: String) async throws -> RawClient.Answer {
          try await ask(
            "POST", "/mirror/favorites",
            [
              "Sec-Fetch-Site: same-origin", "X-Forwarded-For: \(client)",
              "Authorization: Basic \(Data(password.utf8).base64EncodedString())",
              "Referer: https://mirror.example/mirror/favorites",
            ], body: form)
        }
        var statuses: [Int] = []
        for _ in 1...7 { statuses.append(try await post("ann:guess", from: "1.2.3.4, 203.0.113.9").status) }
        #expect(statuses[..<5] == [401, 401, 401, 401, 401] && statuses.contains(429), "\(statuses)")
        #expect(try await post("ann:secret", from: "203.0.113.7").status == 404, "there is no such anime")
        let remove = try await ask(
          "POST", "/mirror/favorites/remove",
          [
            "Sec-Fetch-Site: same-origin", "Referer: https://mirror.example/mirror/favorites?collection=owned",
            "Authorization: Basic \(Data("ann:secret".utf8).base64EncodedString())",
          ], body: "source=jikan&kind=anime&id=7&collection=owned")
        #expect(remove.status == 303 && remove.fields["location"] == "/mirror/favorites?collection=owned", "\(remove)")
      }
      #expect(result.standardError.contains("wrong password for the pages, from 203.0.113.9 through 127.0.0.1"))
      for secret in ["guess", "secret", "1.2.3.4"] { #expect(!result.standardError.contains(secret), "\(secret)") }
    }
  }
}
