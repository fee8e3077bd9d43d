import SyncCore
import Testing

@testable import RestSource

@Suite("Declarations of manifests")
struct ImportTests {
  /// A manifest with references, `$parameters`, an old way to name streams, and a parent that no list names.
  private static let shop = """
    version: 0.29.0
    definitions:
      selector:
        extractor: { field_path: ["{{ parameters['field'] }}"] }
      requester:
        url_base: https://api.example.org/v2/
        http_method: GET
        authenticator: { type: BearerAuthenticator, api_token: "{{ config['api_key'] }}" }
        request_headers: { Accept: application/json }
      retriever:
        requester: { $ref: "#/definitions/requester" }
        record_selector: { $ref: "#/definitions/selector" }
        paginator:
          type: DefaultPaginator
          page_size_option: { inject_into: request_parameter, field_name: per_page }
          page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }
          pagination_strategy: { type: PageIncrement, page_size: 50, start_from_page: 1 }
      base_stream:
        primary_key: id
        retriever: { $ref: "#/definitions/retriever" }
      products_stream:
        $ref: "#/definitions/base_stream"
        $parameters: { name: products, path: products, field: items }
        schema_loader:
          type: InlineSchemaLoader
          schema:
            properties:
              id: { type: integer }
              title: { type: [string, "null"] }
              price: { type: [number, integer] }
              soldAt: { type: string, format: date-time }
              tags: { type: array }
              owner: { type: object }
              raw: { type: string }
      reviews_stream:
        $ref: "#/definitions/base_stream"
        $parameters: { name: Reviews, path: "products/{{ stream_slice.product }}/reviews", field: reviews }
        retriever:
          $ref: "#/definitions/retriever"
          partition_router:
            type: SubstreamPartitionRouter
            parent_stream_configs:
              - { stream: "#/definitions/products_stream", parent_key: id, partition_field: product }
    streams:
      - "#/definitions/products_stream"
      - "#/definitions/reviews_stream"
    check: { stream_names: [products] }
    """

  @Test("references and parameters of a manifest become resources that syncctl accepts")
  func whole() throws {
    let result = try ImportedManifest.read(Self.shop)
    #expect(
      result.text == """
        # From manifest.yaml, a manifest of Airbyte. Check it: syncctl source check shop.yaml
        # Then name it in syncctl.yaml:  sources: { shop: { type: rest_api, file: shop.yaml } }
        # Set these variables before check and run: SHOP_API_KEY
        type: rest_api
        rate_limits: ["1/1s"]  # the manifest states no limit
        client:
          base_url: "https://api.example.org/v2"
          auth: { type: bearer, token: { env: SHOP_API_KEY } }
          headers: { Accept: application/json }
        resources:
          - name: products
            primary_key: id
            endpoint:
              path: products
              data_selector: items
              paginator: { type: page_number, page_param: page, base_page: 1, limit_param: per_page, limit: 50 }
            columns:
              id: bigint
              title: text
              price: numeric
              sold_at: { path: soldAt, type: timestamptz }
          - name: reviews
            primary_key: id
            endpoint:
              path: "products/{resources.products.id}/reviews"
              data_selector: reviews
              paginator: { type: page_number, page_param: page, base_page: 1, limit_param: per_page, limit: 50 }
            columns:
              id: text

        """)
    #expect(result.messages == [])
    #expect(result.wholeCount == 2)
    let declaration = try result.accepted()
    #expect(declaration.resources.map(\.name) == ["products", "reviews"])
    #expect(declaration.resources.last?.lists?.summary == "products: id")
  }

  @Test("the same manifest has the same declaration each time")
  func deterministic() throws {
    let first = try ImportedManifest.read(Self.shop).text
    for _ in 0..<5 { #expect(try ImportedManifest.read(Self.shop).text == first) }
  }

  @Test("the source has the name of the service's host unless another name is given")
  func names() throws {
    #expect(try ImportedManifest.read(Self.shop, id: nil).declaration?.id == "example")
  }

  @Test(
    "a file that is not a manifest, and a reference that leads nowhere, are errors with their line",
    arguments: [
      ("type: rest_api\nclient: {}", "is not a manifest"),
      ("streams:\n  - \"#/definitions/items\"", "manifest.yaml:2: #/definitions/items leads to no value"),
      ("a: \"#/b\"\nb: \"#/a\"\nstreams: []", "manifest.yaml:1: #/b leads to no value"),
    ])
  func faults(yaml: String, message: String) throws {
    let error = try #require(throws: SyncError.self) { try ImportedManifest.read(yaml) }
    #expect(error.message.contains(message), "\(error)")
    #expect(error.code == .configuration)
  }

  @Test("a manifest whose references repeat a part many times ends")
  func explosions() throws {
    let names = (0..<40).map { "v\($0)" }
    let values = zip(names, names.dropFirst()).map {
      "  \($0): { a: \"#/definitions/\($1)\", b: \"#/definitions/\($1)\" }"
    }
    let lists = zip(names, names.dropFirst()).map { one, next in
      "  s\(one): { type: ConditionalStreams, streams: [\"#/definitions/s\(next)\", \"#/definitions/s\(next)\"] }"
    }
    let result = try ImportedManifest.read(
      """
      definitions:
      \((values + lists).joined(separator: "\n"))
        v39: { a: 1 }
        sv39: { type: ConditionalStreams, streams: ["#/definitions/sv0"] }
      streams:
        - name: items
          retriever:
            requester:
              url: https://api.example.org/items
              http_method: POST
              request_body_json: "#/definitions/v0"
            record_selector: { extractor: { field_path: [] } }
        - "#/definitions/sv0"
      """)
    #expect(result.declaration == nil)
    #expect(result.messages.contains { $0.contains("items: the stream is not written: its body is too large") })
    #expect(result.messages.contains { $0.contains("the streams below this line are too many or too deep") })
  }

  @Test("a manifest without a usable stream has no declaration")
  func empty() throws {
    let result = try ImportedManifest.read("streams: [{ name: items, retriever: { type: AsyncRetriever } }]")
    #expect(result.declaration == nil)
    #expect(result.messages.count == 1)
    #expect(result.wholeCount == 0)
  }

  @Test("names become valid and differ, and long ones are cut")
  func resourceNames() {
    let names = ["Orders ", "order", "2nd-level", "orders_list", "a b c", String(repeating: "x", count: 40), "123"]
    let resources = ImportedNames(names).resources
    #expect(
      names.map { resources[$0] ?? "" } == [
        "orders", "order_stream", "nd_level", "orders_list_2", "a_b_c", String(repeating: "x", count: 31), "stream",
      ])
    #expect(
      ImportedNames(["Item", "item", "item_list"]).resources.values.sorted() == ["item", "item_2", "item_list_2"])
  }

  @Test("a name that is not only written in lower case is a remark")
  func renamed() throws {
    let result = try ImportedManifest.read(
      """
      streams:
        - name: "My items"
          retriever:
            requester: { url_base: "https://api.example.org", path: items }
            record_selector: { extractor: { field_path: [] } }
      """)
    #expect(
      result.messages == [
        "manifest.yaml:2: My items: the resource has the name my_items; rename it if you like; path stays"
      ])
    _ = try result.accepted()
  }

  @Test("conditional streams are written, and dynamic ones and reports are not")
  func kinds() throws {
    let result = try ImportedManifest.read(
      """
      definitions:
        retriever:
          requester: { type: HttpRequester, url: "https://api.example.org/items/" }
          record_selector: { extractor: { field_path: [] } }
      streams:
        - type: ConditionalStreams
          condition: "{{ config.sandbox }}"
          streams:
            - { type: DeclarativeStream, name: items, retriever: { $ref: "#/definitions/retriever" } }
        - type: StateDelegatingStream
          name: orders
          full_refresh_stream: { type: DeclarativeStream, name: orders, retriever: { $ref: "#/definitions/retriever" } }
          incremental_stream: { type: DeclarativeStream, name: orders, retriever: { $ref: "#/definitions/retriever" } }
        - { type: DeclarativeStream, name: reports, retriever: { type: AsyncRetriever } }
      dynamic_streams: [{ type: DynamicDeclarativeStream }]
      """)
    #expect(result.resources.map(\.name) == ["items", "orders"])
    #expect(result.resources[0].path == "items/")
    #expect(
      result.messages.map { $0.split(separator: ";").first.map(String.init) ?? "" } == [
        "manifest.yaml:6: the streams below this line have a condition",
        "manifest.yaml:10: orders: left out: incremental_stream, its list of changes",
        "manifest.yaml:14: reports: the stream is not written: it creates reports and downloads them (AsyncRetriever)",
        "manifest.yaml:15: dynamic_streams are not read",
      ])
    #expect(result.streamCount == 3)
    #expect(result.wholeCount == 1)
    _ = try result.accepted()
  }

  @Test("streams of another host are not written, and of another path below the host are")
  func origins() throws {
    func stream(_ name: String, _ base: String) -> String {
      """
        - name: \(name)
          retriever:
            requester: { url_base: "\(base)", path: \(name) }
            record_selector: { extractor: { field_path: [] } }
      """
    }
    let result = try ImportedManifest.read(
      """
      streams:
      \(stream("a", "https://api.example.org/rest/v1"))
      \(stream("b", "https://other.example.org"))
      \(stream("c", "https://api.example.org/rest/v2/"))
      """)
    #expect(result.declaration?.baseURL == "https://api.example.org/rest")
    #expect(result.resources.map(\.path) == ["v1/a", "v2/c"])
    #expect(result.messages.contains { $0.contains("b: the stream is not written: its address is https://other") })
  }

  @Test("api_budget becomes rate_limits if it is for all requests")
  func limits() throws {
    let budget = """
      api_budget:
        policies:
          - { type: MovingWindowCallRatePolicy, rates: [{ limit: 10, interval: PT1S }, { limit: 600, interval: PT1H }] }
          - { type: FixedWindowCallRatePolicy, call_limit: 5, period: PT1M, matchers: [{ method: GET }] }

      """
    let result = try ImportedManifest.read(budget + Self.shop)
    #expect(result.text.contains("rate_limits: [\"10/1s,600/1h\"]\n"))
    #expect(try result.accepted().rateLimits == "10/1s,600/1h")
    #expect(result.messages.contains { $0.hasPrefix("manifest.yaml:4: left out: a limit of some requests") })
  }

  @Test("what syncctl refuses in a written resource is a remark")
  func refusals() throws {
    let refused = try ImportedManifest.stream(stream: "primary_key: [[\"a/*b\"]]")
    #expect(
      refused.messages.contains { $0.contains("items: what was written is refused: ") }, "\(refused.messages)")
  }
}
