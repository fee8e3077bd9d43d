import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredRecordings {
    private static let auth = "auth: { type: bearer, token: { env: SHOP_TOKEN } }"

    /// Records a run of the shop, then replays the run in an empty database without the secret, after the service has
    /// ended. `recording` and `replaying` change the mirrors.
    private static func replay(
      _ shop: Shop, recording: (Mirror, String) throws -> Mirror = { mirror, _ in mirror },
      address: (String) -> String = { $0 }
    ) async throws {
      let api = PagedAPI(.products(1...7))
      api.secret = .header("Authorization", "Bearer canary-5ecret")
      api.hook = { _, number in number == 1 ? SimulatedAnswer(status: 503) : nil }
      let (recorded, replayed) = (try await Mirror.make(), try await Mirror.make())
      let folder = recorded.home.path + "/recording"
      try await SimulatorServer.withServer(api) { server in
        for mirror in [recorded, replayed] {
          try mirror.declare(shop, at: address(server.baseURL))
          try await mirror.asOwner.succeed("migrate")
        }
        let mirror = try recording(recorded.with(["SHOP_TOKEN": "canary-5ecret"]), server.baseURL)
        try await mirror.onlyRun(stream: "products", "--record", folder).expect(["inserted": 7, "retries": 1])
      }
      let result = try await replayed.succeed("run", "--replay", folder, "--format", "json")
      try #require(try replayed.runs(result)["products"]).expect(["inserted": 7, "retries": 1])
      let goods = try await recorded.goods()
      #expect(goods == (try await replayed.goods()) && goods.contains("products|7|"), "\(goods)")
    }

    @Test(
      "a recorded run gives the same rows in an empty database, without the secret",
      arguments: PagedAPI.Paging.allCases)
    func sameRows(paging: PagedAPI.Paging) async throws {
      try await Self.replay(Shop(paging: paging, client: [Self.auth]))
    }

    @Test("a replay uses the recorded base URL, as for a built-in source")
    func recordedAddress() async throws {
      try await Self.replay(
        Shop(paging: .next, client: [Self.auth]),
        recording: { mirror, address in mirror.with(["SYNCCTL_SHOP_BASE_URL": address]) },
        address: { _ in "https://shop.example/v2" })
    }

    @Test("a recorded removal is replayed with its lookup")
    func removal() async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        let copy = try await mirror.copy()
        _ = try copy.home.write(
          String(contentsOfFile: mirror.home.path + "/syncctl.yaml", encoding: .utf8), to: "syncctl.yaml")
        api.items.removeFirst()
        let folder = mirror.home.path + "/recording"
        try await mirror.onlyRun(stream: "products", "--record", folder).expect(["vanished": 1])
        api.forget()
        try await copy.succeed("run", "--replay", folder)
        #expect(try await copy.vanished() == "1" && api.requests.isEmpty)
        #expect(try await copy.goods() == (try await mirror.goods()))
      }
    }

    @Test("a recording of a source that the configuration does not declare is refused")
    func unknownSource() async throws {
      let api = PagedAPI(.products(1...3))
      try await Mirror.withShop(api) { mirror, address in
        try await mirror.onlyRun(stream: "products", "--record", mirror.home.path + "/recording")
        try mirror.declare(Shop(name: "market"), at: address)
        try await mirror.syncctl("run", "--replay", "recording").expectFailure(78, naming: "shop", isQuiet: false)
      }
    }
  }
}
