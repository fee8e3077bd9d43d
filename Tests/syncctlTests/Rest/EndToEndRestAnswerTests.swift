import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredAnswers {
    /// Starts a mirror with the source `shop`, whose resources are written as in the configuration file.
    private static func withResources(
      _ api: PagedAPI, _ resources: [String], _ body: (Mirror) async throws -> Void
    ) async throws {
      try await Mirror.with(api, start: .migrated) { mirror, server in
        let lines = resources.map { "      - { primary_key: id, \($0) }" }
        let head = ["sources:", "  shop:", "    type: rest_api", "    client: { base_url: \(server.baseURL) }"]
        _ = try mirror.home.write(
          (head + ["    resources:"] + lines).joined(separator: "\n") + "\n", to: "syncctl.yaml")
        try await mirror.asOwner.succeed("migrate")
        try await body(mirror)
      }
    }

    @Test("a name with brackets and a value with a space arrive once encoded, and so do the cursors of later pages")
    func brackets() async throws {
      let api = PagedAPI(.products(1...7))
      let all = api.items
      api.hook = { request, _ in
        // The service decodes the query once, as each service does.
        guard request.parameters["filter[text]"] == "cowboy bebop" else {
          return .json(#"{"data": [], "links": {"next": null}}"#)
        }
        let start = request.parameters["page[after]"].flatMap { $0.hasPrefix("é ") ? Int($0.dropFirst(2)) : nil } ?? 0
        let items = all.dropFirst(start).prefix(3)
        let next = start + 3 < all.count ? "\"é \(start + 3)\"" : "null"
        return .json(#"{"data": [\#(items.map(\.json).joined(separator: ","))], "links": {"next": \#(next)}}"#)
      }
      let resource = """
        name: products, endpoint: { path: next, data_selector: data, params: { "filter[text]": cowboy bebop }, \
        paginator: { type: cursor, cursor_path: links.next, cursor_param: "page[after]" } }
        """
      try await Self.withResources(api, [resource]) { mirror in
        try await mirror.walk()
        #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
        let said = try await mirror.succeed("source", "check", "shop").standardOutput
        #expect(said.contains("?filter%5Btext%5D=cowboy%20bebop"), "\(said)")
      }
    }

    @Test("an error with status 200 ends no list: nothing is published, and a temporary error is retried")
    func namedErrors() async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, Shop(paging: .pages)) { mirror, _ in
        for body in [
          #"{"success": false, "data": []}"#, #"{"errors": [{"message": "no rights"}], "data": null}"#,
          #"{"error": "no rights", "meta": {"total": 3}, "data": []}"#,
        ] {
          api.hook = { _, number in number == 2 ? .json(body) : nil }
          let (run, said) = try await mirror.walk("--full", exit: 69)
          #expect(run["status"] == .string("failed") && said.contains("answered 200 with an error"), "\(said)")
          #expect(try await mirror.sql("SELECT count(*) FROM sync.publication") == "0")
          api.forget()
        }
        api.hook = { _, number in number == 2 ? .json(#"{"error": {"code": 503}, "data": []}"#) : nil }
        let (run, _) = try await mirror.walk("--full")
        #expect(run["retries"]?.int == 1)
        #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
      }
    }

    @Test("a run and a check name a declared path that no page has")
    func absentPaths() async throws {
      let api = PagedAPI(.products(1...7))
      let resource = """
        name: products, total_path: meta.totl, endpoint: { path: pages, data_selector: data, \
        params: { per_page: 3 }, paginator: { type: page_number, base_page: 1, has_more_path: meta.more } }
        """
      try await Self.withResources(api, [resource]) { mirror in
        let (_, said) = try await mirror.walk()
        #expect(said.contains("no page has has_more_path meta.more or total_path meta.totl"), "\(said)")
        let checked = try await mirror.syncctl("source", "check", "shop").standardOutput
        #expect(checked.contains("this page has no total_path meta.totl"), "\(checked)")
      }
    }

    @Test("a list that is refused with 403 does not stop the others, unless a second is refused in the same words")
    func refusals() async throws {
      let api = PagedAPI(.products(1...3))
      let resources = ["pages", "single", "next"].map { path in
        let selector = path == "single" ? "" : "data_selector: data, "
        return "name: \(path), endpoint: { path: \(path), \(selector)paginator: single_page }"
      }
      try await Self.withResources(api, resources) { mirror in
        for (words, requested, exit) in [
          (["pages": "no rights"], ["/pages", "/single", "/next"], 1),
          (["pages": "no rights", "single": "no plan"], ["/pages", "/single", "/next"], 1),
          (["pages": "no rights", "single": "no rights"], ["/pages", "/single"], 69),
        ] as [([String: String], [String], Int32)] {
          api.forget()
          api.hook = { request, _ in
            words[String(request.path.dropFirst())].map { .json(#"{"message": "\#($0)"}"#, status: 403) }
          }
          let result = try await mirror.syncctl("run", "--source", "shop", "--full")
          #expect(result.end == .exit(exit), "\(result.standardError)")
          #expect(result.standardError.contains("no rights"), "\(result.standardError)")
          #expect(api.lists.map(\.path) == requested)
        }
      }
    }
  }
}
