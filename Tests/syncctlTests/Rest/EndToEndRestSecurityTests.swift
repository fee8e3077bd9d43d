import Foundation
import SyncTestKit
import Synchronization
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredSecrets {
    /// The text has characters that must be escaped in a query.
    private static let secret = "canary-5ecret+&/="
    /// Every encoding of the secret contains one of these texts.
    private static let traces = ["canary-5ecret", Data("shop:\(secret)".utf8).base64EncodedString()]

    enum Auth: String, CaseIterable, Sendable {
      case bearer, header, query, basic

      var line: String {
        switch self {
        case .bearer: "auth: { type: bearer, token: { env: SHOP_TOKEN } }"
        case .header: "auth: { type: api_key, name: X-Shop-Key, location: header, api_key: { env: SHOP_TOKEN } }"
        case .query: "auth: { type: api_key, name: shop_key, location: query, api_key: { env: SHOP_TOKEN } }"
        case .basic: "auth: { type: http_basic, username: shop, password: { env: SHOP_TOKEN } }"
        }
      }

      var sent: PagedAPI.Secret {
        switch self {
        case .bearer: .header("Authorization", "Bearer \(secret)")
        case .header: .header("X-Shop-Key", secret)
        case .query: .query("shop_key", secret)
        case .basic: .header("Authorization", "Basic \(traces[1])")
        }
      }
    }

    private static func withShop(
      _ api: PagedAPI, _ auth: Auth, _ paging: PagedAPI.Paging = .next,
      _ body: (_ mirror: Mirror, _ address: String) async throws -> Void
    ) async throws {
      // The tables are created without the secret, because only requests need it.
      try await Mirror.withShop(api, Shop(paging: paging, client: [auth.line])) { mirror, address in
        try await body(mirror.with(["SHOP_TOKEN": secret, "SYNCCTL_LOG_LEVEL": "trace"]), address)
      }
    }

    private static func expectSilence(
      _ text: String, _ place: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(!traces.contains { text.contains($0) }, "\(place): \(text)", sourceLocation: sourceLocation)
    }

    private static func expectSilence(
      in mirror: Mirror, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let tables = try await mirror.sql(
        """
        SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
        WHERE schemaname IN ('sync', 'shop', 'app') ORDER BY 1
        """)
      let found = try await mirror.sql(
        tables.split(separator: "\n").flatMap { table in
          traces.map { "SELECT '\(table)', t::text FROM \(table) t WHERE strpos(t::text, '\($0)') > 0" }
        }.joined(separator: " UNION ALL "))
      #expect(found.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("a secret arrives at the service, and nowhere else", arguments: Auth.allCases)
    func secret(auth: Auth) async throws {
      let api = PagedAPI(.products(1...7))
      api.secret = auth.sent
      api.nextAddress = { $0.replacing(/shop_key=[^&]*&/, with: "") }
      try await Self.withShop(api, auth) { mirror, _ in
        let recorded = try await mirror.succeed(
          "run", "--stream", "products", "--record", "recording", "--format", "json")
        Self.expectSilence(recorded.standardOutput + recorded.standardError, "run")
        #expect(try await mirror.sql("SELECT count(*), count(title) FROM shop.products") == "7|7")
        // The removed item is looked up, which needs the secret too.
        api.items.removeFirst()
        for command in [
          "run --stream products --log-format json", "run --stream products --full --dry-run", "config", "status --all",
          "doctor --all", "source list", "source check shop", "runs show", "limits", "verify --source shop",
          "run --source shop --metrics-file shop.prom", "config --format json",
        ] {
          let result = try await mirror.shell("\"$0\" \(command); cat shop.prom 2> /dev/null")
          Self.expectSilence(result.standardOutput + result.standardError, command)
        }
        #expect(try await mirror.vanished() == "1")
        #expect(try await mirror.sql("SELECT count(next) > 0 FROM sync.walk_page") == "t")
        try await Self.expectSilence(in: mirror)
        let recording = try await mirror.shell("zcat -f recording/*").standardOutput
        #expect(recording.contains("Product 7"), "\(recording)")
        Self.expectSilence(recording, "recording")
      }
    }

    @Test("a key that the service repeats in its links is not stored or printed")
    func repeatedKey() async throws {
      let api = PagedAPI(.products(1...7))
      api.secret = Auth.query.sent
      try await Self.withShop(api, .query) { mirror, _ in
        try await mirror.walk("--record", mirror.home.path + "/recording")
        #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
        #expect(api.lists.allSatisfy { $0.query.matches(of: /shop_key=/).count == 1 }, "\(api.lists)")
        try await Self.expectSilence(in: mirror)
        api.nextAddress = { $0.replacing("127.0.0.1", with: "127.0.0.2") }
        api.total = .absent
        let (_, said) = try await mirror.walk(exit: 69)
        Self.expectSilence(said, "link")
        try await Self.expectSilence(in: mirror)
        Self.expectSilence(try await mirror.shell("zcat -f recording/*").standardOutput, "recording")
      }
    }

    @Test("a next link is followed and stored without a secret under another name", arguments: [Auth.bearer, .query])
    func otherName(auth: Auth) async throws {
      let api = PagedAPI(.products(1...7))
      api.secret = auth.sent
      api.nextAddress = { "\($0)&ticket=canary-5ecret%2B%26%2F%3D&c=7" }
      try await Self.withShop(api, auth) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
        #expect(api.lists.map { $0.parameters["c"] } == [nil, "7", "7"], "\(api.lists)")
        #expect(!api.lists.contains { $0.query.contains("ticket") }, "\(api.lists)")
        try await Self.expectSilence(in: mirror)
      }
    }

    @Test("a link keeps its escapes", arguments: [Auth.bearer, .query])
    func escapes(auth: Auth) async throws {
      let api = PagedAPI(.products(1...7))
      api.secret = auth.sent
      api.nextAddress = { "\($0)&c=a%2Bb%26c" }
      try await Self.withShop(api, auth) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        #expect(api.lists[1].query.contains("c=a%2Bb%26c"), "\(api.lists)")
      }
    }

    @Test("a secret that the service repeats in an error is not stored or printed", arguments: Auth.allCases)
    func repeatedInAnError(auth: Auth) async throws {
      let api = PagedAPI(.products(1...3))
      try await Self.withShop(api, auth) { mirror, _ in
        for status in [401, 403, 400, 404, 418] {
          api.hook = { request, _ in
            let sent = request.header("authorization") ?? request.header("x-shop-key") ?? request.parameters["shop_key"]
            return .json(#"{"message": "no access with \#(sent ?? "nothing")"}"#, status: status)
          }
          // A retry of an answer 403 would only take time.
          let command = status == 403 ? ["source", "check", "shop"] : ["run", "--stream", "products"]
          let result = try await mirror.syncctl(command)
          #expect(result.end == .exit(69) && !result.standardError.contains("nothing"), "\(result)")
          Self.expectSilence(result.standardOutput + result.standardError, "\(status)")
        }
        try await Self.expectSilence(in: mirror)
      }
    }

    @Test("no piece of a secret at the end of an excerpt is stored or printed")
    func cutInAnError() async throws {
      let api = PagedAPI(.products(1...3))
      let token = "q7Zx9Kv2Wm4Tb8Ry"
      let pieces = (0...token.count - 4).map { String(token.dropFirst($0).prefix(4)) }
      try await Self.withShop(api, .bearer) { fresh, _ in
        let mirror = fresh.with(["SHOP_TOKEN": token])
        // An excerpt has 200 characters, for some statuses of the first 400 bytes.
        for (status, filler, count) in [
          (401, "x", 175), (401, "x", 183), (400, "x", 179), (400, "\u{1F600}", 94), (400, "\u{1F600}", 95),
        ] {
          let body = "{\"message\": \"" + String(repeating: filler, count: count) + token + "\"}"
          api.hook = { _, _ in .json(body, status: status) }
          let result = try await mirror.syncctl("run", "--stream", "products")
          let text = result.standardOutput + result.standardError
          #expect(result.end == .exit(69) && text.contains(filler + filler), "\(text)")
          #expect(!pieces.contains { text.contains($0) }, "\(status) \(count): \(text)")
        }
        let runs = try await mirror.sql("SELECT r::text FROM sync.run r")
        #expect(runs.contains("message") && !pieces.contains { runs.contains($0) }, "\(runs)")
      }
    }

    @Test("a link to another server, port or scheme is not followed", arguments: [PagedAPI.Paging.next, .link])
    func foreignLinks(paging: PagedAPI.Paging) async throws {
      let (api, trap) = (PagedAPI(.products(1...7)), PagedAPI(.products(4...7)))
      try await SimulatorServer.withServer(trap) { other in
        try await Self.withShop(api, .bearer, paging) { mirror, address in
          let (own, path) = (address.split(separator: "/")[1], "/\(paging.rawValue)?at=0.3")
          for link in [
            other.baseURL + path, "https://\(own)\(path)", "//127.0.0.1:\(other.port)\(path)",
            "http://shop:word@\(own)\(path)", "http://\(own)@127.0.0.1:\(other.port)\(path)",
            "http://localhost:\(other.port)\(path)", "http://\(own).example\(path)", "ftp://\(own)\(path)",
            "file:///etc/hostname", "javascript:alert(1)", "http://[", "http://127.0.0.1:999999\(path)",
          ] {
            api.forget()
            api.nextAddress = { _ in link }
            let (run, said) = try await mirror.walk(exit: 69)
            #expect(run["status"] == .string("failed") && said.contains("another origin"), "\(link): \(said)")
            #expect(api.lists.count == 1, "\(link)")
          }
          #expect(trap.requests.isEmpty)
          for base in ["/\(paging.rawValue)", ""] {
            api.nextAddress = { address in "\(base)?at=" + (address.split(separator: "=").last ?? "") }
            try await mirror.onlyRun(stream: "products")
            #expect(try await mirror.listed() == "1 2 3 4 5 6 7", "\(base)")
          }
        }
      }
    }

    @Test("a stored address of another server is not requested", arguments: [PagedAPI.Paging.next, .link])
    func storedAddress(paging: PagedAPI.Paging) async throws {
      let (api, trap) = (PagedAPI(.products(1...7)), PagedAPI(.products(4...7)))
      try await SimulatorServer.withServer(trap) { other in
        try await Self.withShop(api, .bearer, paging) { mirror, _ in
          try await mirror.succeed("run", "--stream", "products", "--max-pages", "1")
          // Every worker of the mirror can write this column, also one without the key of the service.
          let isStored = try await mirror.sql(
            """
            UPDATE sync.walk_page SET next = '\(other.baseURL)/\(paging.rawValue)?at=0.3' WHERE next IS NOT NULL
            RETURNING true
            """)
          #expect(isStored == "t")
          let (run, said) = try await mirror.walk(exit: 78)
          #expect(run["status"] == .string("failed") && said.contains("has another origin"), "\(said)")
          #expect(trap.requests.isEmpty && api.lists.count == 1)
          try await mirror.succeed("run", "--full", "--source", "shop", "--stream", "products")
          #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
        }
      }
    }

    @Test("access tokens are requested, replaced when the service refuses one, and never stored or shown")
    func accessTokens() async throws {
      let api = PagedAPI(.products(1...7))
      let issued = TokenCounter()
      let auth =
        "auth: { type: oauth2_client_credentials, access_token_url: \"ADDRESS/token\", client_id: shop, "
        + "client_secret: { env: SHOP_TOKEN } }"
      try await Mirror.withShop(api, Shop(paging: .next)) { fresh, address in
        let file = Shop.file([Shop(paging: .next, client: [auth.replacing("ADDRESS", with: address)])], at: address)
        _ = try fresh.home.write(file, to: "syncctl.yaml")
        let mirror = fresh.with(["SHOP_TOKEN": Self.secret, "SYNCCTL_LOG_LEVEL": "trace"])
        api.hook = { request, _ in
          if request.path == "/token" {
            let form = SimulatedRequest(path: "/", query: String(decoding: request.body, as: UTF8.self)).parameters
            guard form["client_id"] == "shop", form["client_secret"] == Self.secret else {
              return .json(#"{"error": "invalid_client"}"#, status: 401)
            }
            return .json(#"{"access_token": "access-\#(issued.next())-token", "expires_in": 3600}"#)
          }
          // The service ends the first token after its second page.
          let pages = issued.value == 1 ? issued.nextPage() : 0
          let isAccepted = request.header("Authorization") == "Bearer access-\(issued.value)-token" && pages <= 2
          return isAccepted ? nil : .json(#"{"message": "expired"}"#, status: 401)
        }
        let copy = try await mirror.copy()
        _ = try copy.home.write(
          String(contentsOfFile: mirror.home.path + "/syncctl.yaml", encoding: .utf8), to: "syncctl.yaml")
        let run = try await mirror.succeed("run", "--stream", "products", "--record", "recording")
        #expect(try await mirror.listed() == "1 2 3 4 5 6 7" && issued.value == 2)
        // A server of the recording needs no token, and does not answer with the recorded 401.
        try await copy.reading(mirror.home.path + "/recording") { copy in
          try await copy.succeed("run", "--stream", "products")
        }
        #expect(try await copy.goods() == (try await mirror.goods()) && issued.value == 2)
        let recording = try await mirror.shell("zcat -f recording/*").standardOutput
        for text in [run.standardOutput, run.standardError, recording] {
          Self.expectSilence(text, "run")
          #expect(!text.contains("-token"), "\(text)")
        }
        try await Self.expectSilence(in: mirror)
        let stored = try await mirror.sql("SELECT count(*) FROM sync.run r WHERE r::text LIKE '%access-%'")
        #expect(stored == "0")
        let wrong = try await fresh.with(["SHOP_TOKEN": "another-secret"]).syncctl("run", "--stream", "products")
        #expect(wrong.end == .exit(69) && wrong.standardError.contains("refuses an access token"))
        #expect(!wrong.standardError.contains("another-secret"))
      }
    }

    /// Counts the issued tokens, and the pages that were requested with the first one.
    private final class TokenCounter: Sendable {
      private let state = Mutex((tokens: 0, pages: 0))

      var value: Int { state.withLock { $0.tokens } }

      func next() -> Int {
        state.withLock { state in
          state.tokens += 1
          return state.tokens
        }
      }

      func nextPage() -> Int {
        state.withLock { state in
          state.pages += 1
          return state.pages
        }
      }
    }

    @Test("redirects are not followed", arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) async throws {
      let (api, trap) = (PagedAPI(.products(1...7)), PagedAPI(.products(1...7)))
      try await SimulatorServer.withServer(trap) { other in
        api.hook = { [address = other.baseURL] request, _ in
          SimulatedAnswer(status: status, headers: [HeaderField("Location", address + request.target)])
        }
        try await Self.withShop(api, .bearer, .pages) { mirror, _ in
          let (_, said) = try await mirror.walk(exit: 69)
          #expect(said.contains("redirects are not followed"), "\(said)")
          #expect(trap.requests.isEmpty && api.requests.count == 1)
        }
      }
    }

    @Test("a missing secret exits with 78 and names the variable or the file")
    func missingSecret() async throws {
      let api = PagedAPI(.products(1...3))
      try await Mirror.withShop(api, Shop(client: [Auth.bearer.line])) { mirror, address in
        for (variables, words) in [
          ([:], ["SHOP_TOKEN"]), (["SHOP_TOKEN": ""], ["SHOP_TOKEN"]),
          (["SHOP_TOKEN": "canary-5ecret\nX: y"], ["SHOP_TOKEN", "control character"]),
        ] as [([String: String], [String])] {
          for command in [["run", "--source", "shop"], ["source", "check", "shop"]] {
            let result = try await mirror.with(variables).syncctl(command)
            result.expectFailure(78, naming: "shop", isQuiet: false)
            for word in words { #expect(result.standardError.contains(word), "\(result.standardError)") }
            Self.expectSilence(result.standardOutput + result.standardError, "\(command)")
          }
        }
        try mirror.declare(Shop(client: ["auth: { type: bearer, token: { file: token.txt } }"]), at: address)
        try await mirror.syncctl("run", "--source", "shop")
          .expectFailure(78, naming: "the file token.txt", isQuiet: false)
        #expect(api.requests.isEmpty)
        api.secret = Auth.bearer.sent
        _ = try mirror.home.write(Self.secret + "\n", to: "token.txt")
        let run = try await mirror.program.run(
          ["run", "--stream", "products", "--config", mirror.home.path + "/syncctl.yaml"],
          environment: mirror.wholeEnvironment, in: "/")
        #expect(run.end == .exit(0), "\(run.standardError)")
      }
    }

    @Test("the file of a secret can be a symbolic link, and has at most 64 KiB")
    func secretFiles() async throws {
      let api = PagedAPI(.products(1...3))
      api.secret = Auth.bearer.sent
      let auth = "auth: { type: bearer, token: { file: token.txt } }"
      try await Mirror.withShop(api, Shop(client: [auth])) { mirror, _ in
        let path = try mirror.home.write(Self.secret + String(repeating: "\n", count: 64 << 10), to: "token.txt")
        try await mirror.syncctl("run", "--source", "shop")
          .expectFailure(78, naming: "the file token.txt", isQuiet: false)
        #expect(api.requests.isEmpty)
        try FileManager.default.removeItem(atPath: path)
        _ = try mirror.home.write(Self.secret + "\n", to: "other.txt")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other.txt")
        try await mirror.onlyRun(stream: "products").expect(["inserted": 3])
      }
    }

    @Test("plain http to another machine, and secrets in the file, are refused with their line")
    func refusals() async throws {
      let mirror = try await Mirror.make(.empty)
      for (address, client, words) in [
        ("http://shop.example/v2", "headers: { Accept: text/json }", ["without encryption", "allow_insecure"]),
        ("https://u:canary-5ecret@shop.example", "headers: { Accept: text/json }", ["base_url"]),
        ("https://shop.example/?key=canary-5ecret", "headers: { Accept: text/json }", ["base_url"]),
        ("https://shop.example", "auth: { type: bearer, token: canary-5ecret }", ["a secret in the file", "env"]),
        ("https://shop.example", "headers: { Authorization: Bearer canary-5ecret }", ["a secret in the file"]),
        ("https://shop.example", "headers: { X-Api-Key: canary-5ecret }", ["a secret in the file"]),
        ("https://shop.example", "auth: { type: bearer, token: { env: canary-5ecret } }", ["not the secret"]),
      ] {
        try mirror.declare(Shop(client: [client]), at: address)
        for command in [["config"], ["run"], ["run", "--source", "shop"], ["source", "check", "syncctl.yaml"]] {
          let result = try await mirror.syncctl(command)
          result.expectFailure(78, naming: "syncctl.yaml:")
          for word in words { #expect(result.standardError.contains(word), "\(result.standardError)") }
          Self.expectSilence(result.standardError, client)
        }
      }
      try mirror.declare(Shop(client: ["allow_insecure: true"]), at: "http://shop.example/v2")
      try await mirror.succeed("config")
      try mirror.declare(Shop(), at: "https://shop.example/v2")
      try await mirror.succeed("config")
      try await mirror.with(["SYNCCTL_SHOP_BASE_URL": "http://shop.example"]).syncctl("config")
        .expectFailure(78, naming: "SYNCCTL_SHOP_BASE_URL", "without encryption")
    }

    @Test("control characters of a service are printed as escapes")
    func controlCharacters() async throws {
      let api = PagedAPI([
        PagedAPI.Item(key: "5", json: #"{"id": 5, "title": "\u001b[31m\u202e\u0007", "tags": "\u001b[2J"}"#),
        PagedAPI.Item(key: "6", json: #"{"id": "\u001b[31m\u202e", "title": "x"}"#),
      ])
      api.items += .products(1...4)
      try await Mirror.withShop(api, Shop(paging: .next)) { fresh, _ in
        let mirror = fresh.asOwner
        func expectHarmless(_ command: String, showing escape: String) async throws {
          let result = try await mirror.shell("\"$0\" \(command)")
          let text = result.standardOutput + result.standardError
          let isHostile = text.unicodeScalars.contains {
            $0.value < 0x20 && $0 != "\n" && $0 != "\r" || $0.value == 0x7F || $0.value == 0x202E
          }
          #expect(
            !isHostile && (text.contains(escape) || command.hasPrefix("source")), "\(command): \(text.debugDescription)"
          )
        }
        try await expectHarmless("run --stream products --dry-run", showing: #"\u{1B}[31m\u{202E}"#)
        try await expectHarmless("run --stream products", showing: "tags")
        for command in ["runs show --quarantine", "source check shop", "favorites add shop products 5"] {
          try await expectHarmless(command, showing: "[31m")
        }
        try await expectHarmless("favorites list", showing: #"\u{1B}[31m\u{202E}"#)
        api.nextAddress = { _ in #"http://shop.example/\u001b[31m"# }
        try await expectHarmless("run --stream products", showing: "control character")
        for status in [400, 418, 500] {
          api.hook = { _, _ in .json("{\"message\": \"\u{1B}[31mbad\u{7}\u{202E}\"}", status: status) }
          try await expectHarmless("source check shop", showing: #"\u{1B}[31mbad"#)
        }
      }
    }
  }
}
