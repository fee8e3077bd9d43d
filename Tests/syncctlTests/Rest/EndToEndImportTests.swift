import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Imports {
    private static func manifest(_ baseURL: String) -> String {
      """
      version: 6.0.0
      type: DeclarativeSource
      definitions:
        requester:
          type: HttpRequester
          url_base: \(baseURL)
          authenticator: { type: BearerAuthenticator, api_token: "{{ config['api_key'] }}" }
        selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
      streams:
        - type: DeclarativeStream
          name: Shops
          primary_key: id
          retriever:
            type: SimpleRetriever
            requester: { $ref: "#/definitions/requester", path: /shops }
            record_selector: { $ref: "#/definitions/selector" }
            paginator:
              type: DefaultPaginator
              page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: after }
              pagination_strategy:
                type: CursorPagination
                cursor_value: "{{ response.get('next') }}"
                stop_condition: "{{ response.get('next') is none }}"
        - type: DeclarativeStream
          name: orders
          primary_key: [id]
          retriever:
            type: SimpleRetriever
            requester: { $ref: "#/definitions/requester", path: "/shops/{{ stream_partition['shop'] }}/orders" }
            record_selector: { $ref: "#/definitions/selector" }
            partition_router:
              type: SubstreamPartitionRouter
              parent_stream_configs:
                - { type: ParentStreamConfig, parent_key: id, partition_field: shop, stream: "#/streams/0" }
          transformations: [{ type: CustomTransformation, class_name: shop.Orders }]
      """
    }

    /// Three shops on two pages, each with two orders.
    private static let upstream = ScriptedUpstream { request in
      switch (request.path, request.query) {
      case ("/shops", ""): .json(#"{"data": [{"id": 1}, {"id": 2}], "next": "two"}"#)
      case ("/shops", "after=two"): .json(#"{"data": [{"id": 3}], "next": null}"#)
      default:
        if let shop = request.path.split(separator: "/").dropFirst().first.flatMap({ Int($0) }) {
          .json(#"{"data": [{"id": \#(shop * 10)}, {"id": \#(shop * 10 + 1)}]}"#)
        } else {
          .json("{}", status: 404)
        }
      }
    }

    @Test("a declaration of a manifest mirrors its lists, and messages name the rest with the manifest's lines")
    func mirrors() async throws {
      try await Mirror.with(Self.upstream) { mirror, server in
        let manifest = try mirror.home.write(Self.manifest(server.baseURL), to: "manifest.yaml")
        let imported = try await mirror.succeed("source", "import", manifest, "--name", "shop")
        #expect(
          imported.standardError.contains("manifest.yaml:35: orders: shop.Orders is not carried out; "),
          "\(imported.standardError)")
        #expect(
          imported.standardError.contains("2 streams, 2 resources written, 1 of them without a remark, 1 remark"))

        _ = try mirror.home.write(imported.standardOutput, to: "shop.yaml")
        _ = try mirror.home.write("sources: { shop: { type: rest_api, file: shop.yaml } }\n", to: "syncctl.yaml")
        let ready = mirror.with(["SHOP_API_KEY": "0123456789abcdef", "SYNCCTL_SHOP_RATE_LIMITS": "none"])
        try await ready.asOwner.succeed("migrate")
        try await ready.succeed("run", "--source", "shop")
        #expect(try await ready.sql("SELECT string_agg(id, ' ' ORDER BY id) FROM shop.shops") == "1 2 3")
        #expect(try await ready.sql("SELECT string_agg(id, ' ' ORDER BY id) FROM shop.orders") == "10 11 20 21 30 31")
      }
    }

    @Test("a manifest without a usable stream, and a file that is not a manifest, are errors")
    func errors() async throws {
      try await Mirror.with(Self.upstream) { mirror, _ in
        let reports = "streams: [{ name: items, retriever: { type: AsyncRetriever } }]\n"
        let unusable = try await mirror.syncctl("source", "import", try mirror.home.write(reports, to: "a.yaml"))
        #expect(unusable.end == .exit(78))
        #expect(unusable.standardOutput.isEmpty)
        #expect(unusable.standardError.contains("a.yaml:1: items: the stream is not written: "))
        #expect(unusable.standardError.contains("no stream can be written"), "\(unusable.standardError)")

        let other = try await mirror.syncctl("source", "import", try mirror.home.write("a: 1\n", to: "b.yaml"))
        #expect(other.end == .exit(78))
        #expect(other.standardError.contains("is not a manifest"), "\(other.standardError)")
      }
    }
  }
}
