import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredRecordings {
    private static let auth = "auth: { type: bearer, token: { env: SHOP_TOKEN } }"

    /// Records a run of the shop. Then two runs read the recording in empty databases, without the secret, after the
    /// service has ended. `recording` changes the mirror of the recorded run, and `address` the declared base URL.
    private static func serve(
      _ shop: Shop, recording: (Mirror, String) throws -> Mirror = { mirror, _ in mirror },
      address: (String) -> String = { $0 }
    ) async throws {
      let api = PagedAPI(.products(1...7))
      api.secret = .header("Authorization", "Bearer canary-5ecret")
      api.hook = { _, number in number == 1 ? SimulatedAnswer(status: 503) : nil }
      let (recorded, copy, again) = (try await Mirror.make(), try await Mirror.make(), try await Mirror.make())
      let folder = recorded.home.path + "/recording"
      try await SimulatorServer.withServer(api) { server in
        for mirror in [recorded, copy, again] {
          try mirror.declare(shop, at: address(server.baseURL))
          try await mirror.asOwner.succeed("migrate")
        }
        let mirror = try recording(recorded.with(["SHOP_TOKEN": "canary-5ecret"]), server.baseURL)
        try await mirror.onlyRun(stream: "products", "--record", folder).expect(["inserted": 7, "retries": 1])
      }
      let goods = try await recorded.goods()
      #expect(goods.contains("products|7|"), "\(goods)")
      try await copy.reading(folder) { mirror in
        try await mirror.onlyRun(stream: "products").expect(["inserted": 7, "retries": 1])
        #expect(try await copy.goods() == goods)
        // The last answer to a request is repeated.
        try await again.with(mirror.served).onlyRun(stream: "products").expect(["inserted": 7, "retries": 0])
        #expect(try await again.goods() == goods)
      }
    }

    @Test(
      "a run that reads a recording writes the same rows to an empty database, without the secret",
      arguments: PagedAPI.Paging.allCases)
    func sameRows(paging: PagedAPI.Paging) async throws {
      try await Self.serve(Shop(paging: paging, client: [Self.auth]))
    }

    @Test("a recording has the base URL of the run, not of the declaration")
    func recordedAddress() async throws {
      try await Self.serve(
        Shop(paging: .next, client: [Self.auth]),
        recording: { mirror, address in mirror.with(["SYNCCTL_SHOP_BASE_URL": address]) },
        address: { _ in "https://shop.example/v2" })
    }

    @Test("two services with the same paths are kept apart")
    func twoOrigins() async throws {
      let shops = [Shop(paging: .next), Shop(name: "market", paging: .next)]
      let apis = [PagedAPI(.products(1...7)), PagedAPI(.products(5...9))]
      let (recorded, copy) = (try await Mirror.make(), try await Mirror.make())
      try await SimulatorServer.withServers(apis) { servers in
        let files = zip(shops, servers).map { Shop.file([$0], at: $1.baseURL) }
        for mirror in [recorded, copy] {
          _ = try mirror.home.write(files[0] + files[1].trimmingPrefix("sources:\n"), to: "syncctl.yaml")
          try await mirror.asOwner.succeed("migrate")
        }
        try await recorded.succeed("run", "--source", "shop", "--source", "market", "--record", "recording")
      }
      try await copy.reading(recorded.home.path + "/recording") { mirror in
        try await mirror.succeed("run", "--source", "shop", "--source", "market")
      }
      for shop in shops {
        let goods = try await recorded.goods(of: shop.name)
        #expect(goods.contains(shop.name == "shop" ? "products|7|" : "products|5|"), "\(goods)")
        #expect(goods == (try await copy.goods(of: shop.name)))
      }
    }

    @Test("a recorded removal is served with its lookup")
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
        try await copy.reading(folder) { copy in
          try await copy.succeed("run", "--source", "shop", "--adopt-origin")
        }
        #expect(try await copy.vanished() == "1" && api.requests.isEmpty)
        #expect(try await copy.goods() == (try await mirror.goods()))
      }
    }

    @Test("a run without secrets sends none, and only to this machine")
    func withoutSecrets() async throws {
      let api = PagedAPI(.products(1...3))
      try await Mirror.withShop(api, Shop(client: [Self.auth])) { mirror, _ in
        let mirror = mirror.with(["SHOP_TOKEN": "canary-5ecret"])
        try await mirror.with(["SYNCCTL_SHOP_SECRETS": "none"]).onlyRun(stream: "products")
        #expect(!api.requests.isEmpty && api.requests.allSatisfy { $0.header("Authorization") == nil })
        for variables in [
          ["SYNCCTL_SHOP_SECRETS": "yes"],
          ["SYNCCTL_SHOP_SECRETS": "none", "SYNCCTL_SHOP_BASE_URL": "https://shop.example"],
        ] {
          try await mirror.with(variables).syncctl("run", "--stream", "products")
            .expectFailure(78, naming: "SYNCCTL_SHOP_SECRETS", "must be none")
        }
      }
    }
  }
}

extension Mirror {
  /// The variables of a mirror that reads a recording.
  fileprivate var served: [String: String] { environment.filter { $0.key.hasPrefix("SYNCCTL_SHOP_") } }
}
