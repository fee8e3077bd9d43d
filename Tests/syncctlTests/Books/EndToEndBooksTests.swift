import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// The suite checks the example source of docs/adding-a-source.md.
  @Suite struct FourthSource {
    private static let pages = 5

    private static func library(waitingFrom first: Int = .max, at gate: Gate = Gate()) -> ScriptedUpstream {
      ScriptedUpstream { request in
        let page = request.page
        if page >= first { await gate.pass() }
        guard request.path == "/books", (1...pages).contains(page) else { return .json("{}", status: 404) }
        let books = (1...10).map { #"{"id": \#(10 * (page - 1) + $0), "title": "Book \#(page)-\#($0)"}"# }
        return .json(#"{"books": [\#(books.joined(separator: ","))], "pages": \#(pages)}"#)
      }
    }

    private static func mirror(_ server: SimulatorServer) async throws -> Mirror {
      let made = try await Mirror.make(.empty)
      var mirror = Mirror(
        program: try ProgramUnderTest.named("syncctl-books"), server: made.server, database: made.database,
        home: made.home
      ).asOwner
      mirror.environment["SYNCCTL_BOOKS_BASE_URL"] = server.baseURL
      return mirror
    }

    @Test func isMirroredAndResumedAfterAKill() async throws {
      let gate = Gate()
      try await SimulatorServer.withServer(Self.library(waitingFrom: 3, at: gate)) { server in
        defer { gate.open() }
        let mirror = try await Self.mirror(server)
        #expect(try await mirror.syncctl("migrate").end == .exit(0))
        let killed = try await mirror.syncctl("run", "--source", "books") { program in
          try await waitUntil("page 2") {
            gate.arrivals > 0 ? try await mirror.sql("SELECT cursor FROM sync.stream_state") == "2" : false
          }
          program.signal(SIGKILL)
        }
        #expect(killed.end == .signal(SIGKILL))
        gate.open()
        let run = try await mirror.onlyRun(stream: "catalogue")
        #expect(run["pages"]?.int == Self.pages - 2)
        #expect(try await mirror.sql("SELECT count(*), min(title) FROM books.book") == "50|Book 1-1")
        let again = try await mirror.syncctl("run", "--source", "books", "--format", "json")
        #expect(try mirror.runs(again)["catalogue"]?["unchanged"]?.int == 50)
      }
    }

    @Test func isRunByAWorker() async throws {
      try await SimulatorServer.withServer(Self.library()) { server in
        let owner = try await Self.mirror(server)
        #expect(try await owner.syncctl("migrate").end == .exit(0))
        try await owner.server.grant(in: owner.database)
        let user = "books_\(owner.database.name)"
        _ = try await owner.sql("CREATE ROLE \(user) LOGIN PASSWORD 'S3cr3t' IN ROLE syncctl_worker")
        let place = "127.0.0.1:\(owner.database.tcpPort)/\(owner.database.name)?sslmode=disable"
        let mirror = owner.with(["SYNCCTL_DATABASE_URL": "postgresql://\(user):S3cr3t@\(place)"])
        try await mirror.succeed("run", "--source", "books")
        #expect(try await mirror.syncctl("doctor", "--all").standardOutput.contains("all that a worker needs"))
      }
    }

    @Test func isShownByEveryCommand() async throws {
      try await SimulatorServer.withServer(Self.library()) { server in
        let mirror = try await Self.mirror(server)
        #expect(try await mirror.syncctl("run", "--source", "books").end == .exit(0))
        for (command, words) in [
          ("status", ["✓ books 1"]), ("status --all", ["catalogue", "complete"]),
          ("config", ["sources.books.base_url", server.baseURL]),
          ("doctor --all", ["upstream books", "10 books on its first page"]),
          ("run --help", ["run --source books", "every book that the library lists", "books, or all"]),
          ("--help", ["a library of books"]), ("favorites add --help", ["book of books"]),
          ("init --source books --stdout", ["name: books-daily", "# rate_limits: [2/1s]"]),
          ("health --source books --max-age 1h", ["catalogue"]), ("migrate", []),
        ] {
          let said = try await mirror.shell("\"$0\" \(command)")
          for word in words { #expect(said.standardOutput.contains(word), "\(command): \(said)") }
          if !command.hasPrefix("doctor") { #expect(said.end == .exit(0), "\(command): \(said.standardError)") }
        }
        try await mirror.syncctl("run", "--source", "bocks").expectFailure(64, naming: "bocks", "did you mean books?")
        let file = try mirror.home.write("sources: { books: { base_ulr: x } }", to: "syncctl.yaml")
        try await mirror.syncctl("config", "--config", file).expectFailure(78, naming: "did you mean base_url?")
      }
    }

    @Test func hasPages() async throws {
      let hostile = ScriptedUpstream { request in
        guard request.path == "/books", request.page == 1 else { return .json("{}", status: 404) }
        let titles = [#"<script>\u202Ealert('日本語')</script>"#, #"\"\u0301 x=y"#]
        let books = titles.enumerated().map { #"{"id": \#($0 + 1), "title": "\#($1)"}"# }
        return .json(#"{"books": [\#(books.joined(separator: ","))]}"#)
      }
      try await SimulatorServer.withServer(hostile) { server in
        let mirror = try await Self.mirror(server)
        #expect(try await mirror.syncctl("run", "--source", "books").end == .exit(0))
        try await mirror.browse { browser in
          let list = try await browser.get("/books")
          #expect(list.status == 200 && list.body.contains("href=\"/books\" aria-current=\"page\""), "\(list)")
          #expect(list.body.contains("&lt;script&gt;\\u{202E}alert(&#39;日本語&#39;)&lt;/script&gt;"), "\(list)")
          #expect(list.body.contains("&quot;\\u{301} x=y"), "\(list)")
          #expect(try await browser.submit("/favorites", "source=books&kind=book&id=1", from: "/books").status == 303)
          #expect(try await browser.get("/books/1").body.contains("Remove book 1 from favorites"))
          #expect(try await browser.get("/books/2").body.contains("Add book 2 to favorites"))
          #expect(try await browser.get("/favorites").body.contains("href=\"/books/1\""))
          for path in ["/books/3", "/books/x"] { #expect(try await browser.get(path).status == 404, "\(path)") }
        }
      }
    }

    @Test func isKeptAsAFavorite() async throws {
      try await SimulatorServer.withServer(Self.library()) { server in
        let mirror = try await Self.mirror(server)
        #expect(try await mirror.syncctl("run", "--source", "books").end == .exit(0))
        #expect(try await mirror.syncctl("favorites", "add", "books", "book", "12").end == .exit(0))
        #expect(try await mirror.syncctl("favorites", "list").standardOutput.contains("Book 2-2"))
        try await mirror.syncctl("favorites", "add", "books", "book", "51").expectFailure(1, naming: "51")
        try await mirror.syncctl("favorites", "add", "books", "song", "1").expectFailure(64, naming: "song", "book")
      }
    }
  }
}
