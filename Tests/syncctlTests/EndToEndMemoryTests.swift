import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Bodies near the limit of 32 MiB, as many as a run requests at a time.
  @Suite struct Memory {
    private static let mebibyte = 1 << 20
    private static let most = 256 * mebibyte
    /// `make torture` takes more of them.
    private static let bodies = ProcessInfo.processInfo.environment["SYNCCTL_TEST_BODIES"].flatMap { Int($0) } ?? 4

    /// What fills a body.
    enum Filling: CaseIterable {
      case text, numbers, objects

      /// A JSON value of so many bytes, roughly.
      func value(bytes: Int) -> String {
        switch self {
        case .text: "\"" + String(repeating: "日本語 ", count: bytes / 10) + "\""
        case .numbers: "[0" + String(repeating: ",12345.5", count: bytes / 8) + "]"
        case .objects: "[0" + String(repeating: #",{"a":{}}"#, count: bytes / 9) + "]"
        }
      }
    }

    private static func run(_ mirror: Mirror, _ arguments: String...) async throws {
      let peak = Changing(0)
      let result = try await mirror.program.run(
        ["run"] + arguments, environment: mirror.wholeEnvironment, in: mirror.home.path
      ) { peak.value = try await $0.peakMemory() }
      #expect(result.end == .exit(0), "\(result.standardError)")
      tell("memory: \(arguments): peak \(peak.value / mebibyte) MiB, \(result.duration.inSeconds)")
      #expect(peak.value < most, "peak \(peak.value / mebibyte) MiB")
    }

    @Test(arguments: Filling.allCases)
    func largePages(_ filling: Filling) async throws {
      // Four items of 7 MiB; one may have 8.
      let value = filling.value(bytes: 7 * Self.mebibyte)
      let pages = Self.bodies
      let upstream = ScriptedUpstream { request in
        let page = request.page
        guard page <= pages else { return .json(#"{"status":404}"#, status: 404) }
        let items = (page * 4 - 3...page * 4).map { #"{"mal_id":\#($0),"title":"T\#($0)","filling":\#(value)}"# }
        return .json(
          #"{"pagination":{"last_visible_page":\#(pages),"has_next_page":\#(page < pages)},"#
            + #""data":[\#(items.joined(separator: ","))]}"#)
      }
      let fresh = try await Mirror.make()
      try await SimulatorServer.withServer(upstream) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        try await Self.run(mirror, "--stream", "top-anime")
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.media") == "\(pages * 4)")
      }
    }

    @Test(arguments: Filling.allCases)
    func largeDocuments(_ filling: Filling) async throws {
      let value = filling.value(bytes: 31 * Self.mebibyte)
      let small = try HandmadePokeAPI(pokemon: 1)
      let ids = 1...Self.bodies
      let upstream = ScriptedUpstream { request in
        guard request.path.hasPrefix("/api/v2/move-ailment/") else { return await small.answer(request) }
        let rest = request.path.dropFirst("/api/v2/move-ailment/".count)
        guard let id = Int(rest.prefix { $0.isNumber }) else {
          let rows = ids.map { #"{"name":"ailment-\#($0)","url":"/api/v2/move-ailment/\#($0)/"}"# }
          return .json(
            #"{"count":\#(ids.count),"next":null,"previous":null,"results":[\#(rows.joined(separator: ","))]}"#)
        }
        return .json(#"{"id":\#(id),"name":"ailment-\#(id)","filling":\#(value)}"#)
      }
      let fresh = try await Mirror.make()
      try await SimulatorServer.withServer(upstream) { server in
        let mirror = fresh.with(upstream: server.baseURL).with(["SYNCCTL_POKEAPI_CONCURRENCY": "32"])
        try await Self.run(mirror, "--source", "pokeapi", "--stream", "move-ailment")
        let stored = "SELECT count(*) FROM pokeapi.resource WHERE endpoint = 'move-ailment'"
        #expect(try await mirror.sql(stored) == "\(ids.count)")
      }
    }
  }
}
