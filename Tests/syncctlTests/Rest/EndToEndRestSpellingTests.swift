import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// A service that repeats the key everywhere, in each spelling.
  @Suite struct RepeatedSecrets {
    private static let secret = "Sk_l1ve+7f/Q=&9\"xAb3Zk#T"

    private static func escaped(
      _ prefix: String, _ digits: Int, _ suffix: String = "", where isEscaped: (Unicode.Scalar) -> Bool = { _ in true }
    ) -> String {
      secret.unicodeScalars.map { scalar in
        let text = String(scalar.value, radix: 16)
        let padded = String(repeating: "0", count: max(0, digits - text.count)) + text
        return isEscaped(scalar) ? prefix + padded + suffix : String(scalar)
      }.joined()
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
      !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
    }

    private static let percent = escaped("%", 2, where: isPunctuation)
    private static let html = secret.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    private static let json = secret.replacing("\"", with: "\\\"")

    static let spellings = [
      secret, secret.lowercased(), secret.uppercased(), percent, percent.lowercased(), escaped("%", 2),
      percent.replacing("%", with: "%25"), secret.replacing("+", with: " "), escaped("%u", 4, where: isPunctuation),
      json,
      json.replacing("/", with: "\\/"), escaped("\\u", 4, where: isPunctuation), escaped("\\u", 4),
      escaped("\\u", 4, where: isPunctuation).replacing("\\", with: "\\\\"), escaped("\\x", 2, where: isPunctuation),
      html, html.replacing("&", with: "&amp;"), escaped("&#x", 2, ";", where: isPunctuation),
      secret.unicodeScalars.map { "&#\($0.value);" }.joined(), html.replacing("&", with: "\\u0026"),
      Data(secret.utf8).base64EncodedString(), Data("u:\(secret)".utf8).base64EncodedString(),
      Data("us:\(secret)".utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_"),
      escaped("", 2), escaped("", 2).uppercased(), String(secret.prefix(16)),
    ]

    /// Pieces of the spellings that must not be found, and pieces of the spellings as texts of JSON.
    private static let traces: [String] = spellings.flatMap { text -> [String] in
      let middle = String(text.dropFirst(text.count / 2 - 6).prefix(12))
      return [middle, quoted(middle)].map { $0.lowercased() }
    }

    private static func quoted(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    private static func expectSilence(
      _ text: String, _ place: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let text = text.lowercased()
      let found = traces.filter { text.contains($0) }
      #expect(found.isEmpty, "\(place): \(found)", sourceLocation: sourceLocation)
    }

    private static func database(_ mirror: Mirror) async throws -> String {
      let tables = try await mirror.sql(
        """
        SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
        WHERE schemaname IN ('sync', 'shop', 'app') AND tablename <> 'fingerprint_key' ORDER BY 1
        """)
      var text = ""
      for table in tables.split(separator: "\n") {
        text += try await mirror.sql("SELECT '\(table)', string_agg(t::text, ' ') FROM \(table) t") + "\n"
      }
      return text
    }

    /// A page for each spelling, which also is in its headers.
    private static func page(_ number: Int, address: String) -> SimulatedAnswer {
      let spelling = spellings[number - 1]
      let next = number < spellings.count ? "\"\(address)/next?at=\(number + 1)&key=\(percent)\"" : "null"
      return .json(
        """
        {"meta": {"total": \(spellings.count)}, "echo": "\(quoted(spelling))", "next": \(next), "data": [\
        {"id": \(number), "title": "key \(quoted(spelling)).", "published_at": "\(quoted(spelling))"}]}
        """,
        headers: [
          HeaderField("ETag", "\"\(number)-\(spelling.replacing("\"", with: "%22"))\""),
          HeaderField("Link", "<\(address)/next?key=\(spelling)>; rel=\"self\""),
          HeaderField("X-RateLimit-Policy", spelling), HeaderField("Via", spelling), HeaderField("Server", spelling),
        ])
    }

    @Test("no spelling of a key is shown, stored or recorded, and the recording can be served")
    func everywhere() async throws {
      let api = PagedAPI(.products(1...1))
      let auth = "auth: { type: api_key, name: key, location: query, api_key: { env: SHOP_TOKEN } }"
      try await Mirror.withShop(api, Shop(paging: .next, client: [auth], resource: [])) { fresh, address in
        let mirror = fresh.with(["SHOP_TOKEN": Self.secret, "SYNCCTL_LOG_LEVEL": "trace"])
        api.hook = { request, _ in
          guard request.parameters["key"] == Self.secret else { return .json("{}", status: 401) }
          return Self.page(request.parameters["at"].flatMap { Int($0) } ?? 1, address: address)
        }
        for command in [
          "run --stream products --record recording --metrics-file shop.prom",
          "run --stream products --log-format json",
          "run --stream products --full --dry-run", "source check shop", "runs show", "status --all",
          "runs show --quarantine",
        ] {
          let result = try await mirror.shell("\"$0\" \(command)")
          #expect(result.end == .exit(0), "\(command): \(result.standardError)")
          Self.expectSilence(result.standardOutput + result.standardError, command)
        }
        #expect(try await mirror.sql("SELECT count(*), count(title) FROM shop.products") == "26|26")
        Self.expectSilence(try await mirror.shell("cat shop.prom").standardOutput, "metrics")
        let recording = try await mirror.shell("zcat -f recording/*").standardOutput
        #expect(recording.contains("key ***."))
        Self.expectSilence(recording, "recording")
        for (number, spelling) in Self.spellings.enumerated() {
          api.hook = { _, _ in
            let body =
              "{\"message\": \"no access with \(Self.quoted(spelling)) here\", \"echo\": \"\(Self.quoted(spelling))\"}"
            let headers = [HeaderField("Location", "/next?key=\(spelling)"), HeaderField("Retry-After", spelling)]
            return .json(body, status: [400, 401, 302, 410][number % 4], headers: headers)
          }
          let result = try await mirror.syncctl("run", "--stream", "products")
          let text = result.standardOutput + result.standardError
          #expect(result.end == .exit(69) && text.contains("***"), "\(spelling): \(text)")
          Self.expectSilence(text, "error with \(spelling)")
        }
        Self.expectSilence(try await Self.database(mirror), "database")
        try await mirror.browse { browser in
          let runs = try await mirror.sql("SELECT '/runs/' || id FROM sync.run").split(separator: "\n").map(String.init)
          let pages = ["/", "/sources/shop/products", "/favorites", "/reports/quarantine", "/reports/run-costs"]
          for path in pages + runs {
            let page = try await browser.get(path)
            #expect(page.status == 200, "\(path): \(page)")
            Self.expectSilence(page.body, path)
          }
        }
        _ = try await mirror.sql("TRUNCATE sync.walk, sync.run, sync.publication, shop.products CASCADE")
        try await fresh.reading(mirror.home.path + "/recording") { copy in
          try await copy.succeed("run", "--stream", "products", "--adopt-origin")
        }
        #expect(try await mirror.sql("SELECT count(*), count(title) FROM shop.products") == "26|26")
      }
    }

    @Test("a literal key is neither stored nor shown nor recorded, and a check warns of it")
    func literals() async throws {
      let key = "0f3c9a71e5d24b6c8a90"
      let api = PagedAPI(.products(1...7))
      api.secret = .query("appid", key)
      try await Mirror.withShop(api, Shop(paging: .next)) { mirror, address in
        let text = Shop.file([Shop(paging: .next)], at: address)
          .replacing("path: next,", with: "path: next, params: { appid: \(key), lang: en },")
          .replacing("client:\n", with: "client:\n      headers: { X-Auth: \(key)f }\n")
        _ = try mirror.home.write(text, to: "syncctl.yaml")
        let checked = try await mirror.succeed("source", "check", "shop")
        for word in ["appid", "X-Auth", "env"] {
          #expect(checked.standardOutput.contains(word), "\(checked.standardOutput)")
        }
        let run = try await mirror.succeed("run", "--stream", "products", "--record", "recording")
        #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
        #expect(api.lists.allSatisfy { $0.parameters["lang"] == "en" && $0.header("x-auth") == key + "f" })
        api.hook = { request, _ in .json("{\"message\": \"no \(request.parameters["appid"] ?? "")\"}", status: 400) }
        let failed = try await mirror.syncctl("run", "--stream", "products")
        #expect(failed.end == .exit(69) && failed.standardError.contains("no ***"), "\(failed.standardError)")
        for text in [
          checked.standardOutput, run.standardOutput, run.standardError, failed.standardError,
          try await mirror.shell("zcat -f recording/*").standardOutput, try await Self.database(mirror),
        ] {
          #expect(!text.contains(key), "\(text)")
        }
      }
    }

    @Test("empty and dummy passwords are sent, and are no secrets", arguments: ["", "x"])
    func dummyPasswords(password: String) async throws {
      let api = PagedAPI(.products(1...7))
      api.secret = .header("Authorization", "Basic \(Data("\(Self.secret):\(password)".utf8).base64EncodedString())")
      let auth = "auth: { type: http_basic, username: { env: SHOP_TOKEN }, password: \"\(password)\" }"
      try await Mirror.withShop(api, Shop(client: [auth])) { fresh, _ in
        let mirror = fresh.with(["SHOP_TOKEN": Self.secret])
        try await mirror.onlyRun(stream: "products")
        api.hook = { _, _ in .json(#"{"message": "exactly x boxes"}"#, status: 400) }
        let failed = try await mirror.syncctl("run", "--stream", "products")
        #expect(failed.standardError.contains("exactly x boxes"), "\(failed.standardError)")
        let short = try await fresh.with(["SHOP_TOKEN": "abc"]).syncctl("source", "check", "shop")
        #expect(!short.standardError.contains("fewer"), "a name of a user can be short: \(short.standardError)")
      }
    }

    @Test("a secret of fewer than six characters, and a file that is not regular, are refused at once")
    func refused() async throws {
      let api = PagedAPI(.products(1...3))
      let bearer = "auth: { type: bearer, token: { env: SHOP_TOKEN } }"
      try await Mirror.withShop(api, Shop(client: [bearer])) { mirror, address in
        try await mirror.with(["SHOP_TOKEN": "abcde"]).syncctl("run", "--source", "shop")
          .expectFailure(78, naming: "the variable SHOP_TOKEN", "fewer than 6 characters", isQuiet: false)
        try mirror.declare(Shop(client: ["auth: { type: bearer, token: { file: token.txt } }"]), at: address)
        // The pipe has a secret for 20 seconds, so that a program that reads pipes does not wait for ever.
        let pipe = "mkfifo token.txt; (exec 3<> token.txt; echo abcdefghijkl >&3; exec sleep 20) > /dev/null 2>&1 &"
        for command in [pipe, "mkdir token.txt", "ln -s /dev/zero token.txt"] {
          _ = try await mirror.shell("rm -rf token.txt; \(command)")
          let result = try await mirror.syncctl("run", "--source", "shop")
          result.expectFailure(78, naming: "the file token.txt", isQuiet: false)
          #expect(result.duration < .seconds(20), "\(command)")
        }
        #expect(api.requests.isEmpty)
      }
    }
  }
}
