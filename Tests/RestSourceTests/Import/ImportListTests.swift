import SyncPostgres
import Testing

@testable import RestSource

@Suite("Lists, keys and columns of manifests")
struct ImportListTests {
  /// A manifest with the stream `shops` and its child `items`.
  private static func child(
    config: String = "parent_key: id, partition_field: shop", path: String = "/shops/{{ stream_partition.shop }}/items",
    requester: String = "", stream: String = "primary_key: id", parent: String = "primary_key: id"
  ) throws -> ManifestImport {
    try ImportedManifest.read(
      """
      definitions:
        selector: { extractor: { field_path: [data] } }
      streams:
        - name: shops
          \(parent)
          retriever:
            requester: { url_base: "https://api.example.org", path: /shops }
            record_selector: { $ref: "#/definitions/selector" }
        - name: items
          \(stream.split(separator: "\n").joined(separator: "\n    "))
          retriever:
            requester: { url_base: "https://api.example.org", path: "\(path)", \(requester) }
            record_selector: { $ref: "#/definitions/selector" }
            partition_router:
              type: SubstreamPartitionRouter
              parent_stream_configs: [{ stream: "#/streams/0", \(config) }]
      """)
  }

  @Test(
    "a child has a list for each row of its parent",
    arguments: [
      ("parent_key: id, partition_field: shop", "/shops/{{ stream_partition.shop }}/items", "shops: id"),
      ("parent_key: owner/login, partition_field: shop", "/u/{{ stream_slice['shop'] }}", "shops: owner.login"),
      (
        "parent_key: id, partition_field: shop, extra_fields: [[code]]",
        "/{{ stream_partition.extra_fields['code'] }}/{{ stream_partition.get('shop') }}", "shops: code, id"
      ),
      (
        "parent_key: id, partition_field: shop, incremental_dependency: true", "/{{ stream_partition.shop }}",
        "shops: id; refreshes changed, 7d"
      ),
    ])
  func children(config: String, path: String, summary: String) throws {
    let result = try Self.child(config: config, path: path)
    #expect(try result.accepted().resources.last?.lists?.summary == summary, "\(result.messages)")
  }

  @Test("a parent's key can be a parameter")
  func requestOption() throws {
    let option = "request_option: { inject_into: request_parameter, field_name: shop_id }"
    let result = try Self.child(config: "parent_key: id, partition_field: shop, \(option)", path: "/items")
    #expect(try result.resource("items").parameters == [FlowMember("shop_id", .text("{resources.shops.id}"))])
    #expect(try result.accepted().resources.last?.lists?.summary == "shops: id")
  }

  @Test("a parent's key can be in a body")
  func bodies() throws {
    let option = "request_option: { inject_into: body_json, field_path: [filter, shop] }"
    let requester = "http_method: POST, request_body_json: { q: \"shop-{{ stream_partition.shop }}\" }"
    let result = try Self.child(
      config: "parent_key: id, partition_field: shop, \(option)", path: "/items", requester: requester)
    #expect(
      try result.resource("items").body?.yaml
        == "{ q: \"shop-{resources.shops.id}\", filter: { shop: \"{resources.shops.id}\" } }")
    #expect(try result.accepted().resources.last?.lists?.summary == "shops: id")
  }

  @Test("a grandchild names a member of its parent's parent, and a value of its parent's lists")
  func grandchildren() throws {
    func stream(_ name: String, _ path: String, _ router: String) -> String {
      """
        - name: \(name)
          primary_key: id
          retriever:
            requester: { url_base: "https://api.example.org", path: "\(path)" }
            record_selector: { extractor: { field_path: [] } }
            partition_router: \(router)
      """
    }
    func parent(_ index: Int, _ field: String) -> String {
      "{ type: SubstreamPartitionRouter, parent_stream_configs: [{ stream: \"#/streams/\(index)\", parent_key: id, "
        + "partition_field: \(field) }] }"
    }
    let kinds = "{ type: ListPartitionRouter, values: [a], cursor_field: kind }"
    let result = try ImportedManifest.read(
      """
      streams:
      \(stream("shops", "/{{ stream_slice.kind }}/shops", kinds))
      \(stream("orders", "/{{ stream_slice.parent_slice.kind }}/{{ stream_slice.shop }}/orders", parent(0, "shop")))
      \(stream("lines", "/{{ stream_slice.parent_slice.shop }}/{{ stream_slice.order }}", parent(1, "order")))
      """)
    #expect(
      result.resources.map(\.path) == [
        "{kind}/shops", "{resources.shops.kind}/{resources.shops.id}/orders",
        "{resources.orders._shops_id}/{resources.orders.id}",
      ], "\(result.messages)")
    #expect(result.resources.map(\.included) == [[], ["id"], []])
    _ = try result.accepted()
  }

  @Test("a member that the parent's transformation copies is named by its own path")
  func copiedKey() throws {
    let parent = """
      transformations: [{ type: AddFields, fields: [{ path: [code], value: "{{ record.ids['code'] }}" }] }]
      """
    let result = try Self.child(config: "parent_key: code, partition_field: shop", parent: parent)
    #expect(try result.resource("items").path == "shops/{resources.shops.ids.code}/items")
  }

  @Test(
    "a child that a declaration cannot have is not written",
    arguments: [
      ("parent_key: id, partition_field: shop", "/{{ stream_slice.parent_slice.shop }}", "", "parent_slice.shop"),
      ("parent_key: id, partition_field: shop", "/items", "", "no request contains a member of shops"),
      (
        "parent_key: id, partition_field: shop, request_option: { inject_into: header, field_name: x }", "/items", "",
        "is sent where no placeholder can be"
      ),
      (
        "parent_key: id, partition_field: shop", "/items",
        "http_method: POST, request_body_json: { shop: \"{{ stream_partition.shop | base64encode }}\" }",
        "its body combines a value of the partition router with something that is not read"
      ),
      (
        "parent_key: id, partition_field: shop", "/items",
        "request_parameters: { q: \"{{ stream_partition.shop }}-{{ stream_interval.start_time }}\" }",
        "combines a value of the partition router with something that is not read"
      ),
    ])
  func unusable(config: String, path: String, requester: String, reason: String) throws {
    let result = try Self.child(config: config, path: path, requester: requester)
    #expect(result.resources.map(\.name) == ["shops"])
    #expect(
      result.messages.contains { $0.contains("items: the stream is not written: ") && $0.contains(reason) },
      "\(result.messages)")
  }

  @Test("several routers, and a parent that is not written, are reasons not to write a stream")
  func orphans() throws {
    let result = try ImportedManifest.read(
      """
      definitions:
        list: { type: ListPartitionRouter, values: [a, b], cursor_field: kind }
      streams:
        - name: kinds
          retriever:
            requester: { url_base: "https://api.example.org", path: "/{{ stream_slice.kind }}" }
            record_selector: { extractor: { field_path: [] } }
            partition_router: ["#/definitions/list", "#/definitions/list"]
        - name: items
          retriever:
            requester: { url_base: "https://api.example.org", path: "/{{ stream_slice.id }}" }
            record_selector: { extractor: { field_path: [] } }
            partition_router:
              type: SubstreamPartitionRouter
              parent_stream_configs: [{ stream: "#/streams/0", parent_key: id, partition_field: id }]
        - name: others
          retriever:
            requester: { url_base: "https://api.example.org", path: /others }
            record_selector: { extractor: { field_path: [] } }
      """)
    #expect(result.resources.map(\.name) == ["others"])
    #expect(result.messages.contains { $0.contains("kinds: the stream is not written: it has 2 partition routers") })
    #expect(
      result.messages.contains { $0.contains("items: the stream is not written: its parent kinds is not written") })
  }

  @Test("values are lists, in the path and in parameters")
  func values() throws {
    let result = try ImportedManifest.stream(
      retriever: """
        partition_router:
          type: ListPartitionRouter
          values: [de, tw, de]
          cursor_field: country
          request_option: { inject_into: request_parameter, field_name: c }
        """, path: "/{{ stream_partition['country'] }}/items")
    #expect(try result.line("values") == "{ country: [de, tw] }")
    #expect(try result.endpoint().prefix(2) == ["path: \"{country}/items\"", "params: { c: \"{country}\" }"])
    #expect(try result.accepted().resources.first?.lists?.summary == "country: de, tw")
  }

  @Test("values that no request contains are left out, and values of an option are a placeholder")
  func otherValues() throws {
    let unused = try ImportedManifest.stream(
      retriever: "partition_router: { type: ListPartitionRouter, values: [a], cursor_field: kind }")
    #expect(try unused.line("values") == nil)
    #expect(unused.messages.contains { $0.contains("left out: the values of its lists, which no request contains; ") })

    let option = try ImportedManifest.stream(
      retriever: """
        partition_router: { type: ListPartitionRouter, values: "{{ config['account'] }}", cursor_field: kind }
        """, path: "/{{ stream_slice.kind }}")
    #expect(try option.line("values") == "{ kind: [TODO_account] }")
    _ = try option.accepted()
  }

  @Test(
    "the key of a stream",
    arguments: [
      ("primary_key: id", "id"), ("primary_key: [id]", "id"), ("primary_key: [[attributes, id]]", "attributes.id"),
      ("primary_key: [shop, id]", "[shop, id]"), ("primary_key: [[shop], [a, b]]", "[shop, a.b]"),
      ("primary_key: [[my.id]]", "[[my.id]]"), ("primary_key: []", "\"*\""), ("primary_key: \"\"", "\"*\""),
      ("description: x", "\"*\""), ("primary_key: [a, b, c, d]", "\"*\""), ("primary_key: position", "position"),
    ])
  func keys(yaml: String, expected: String) throws {
    let result = try ImportedManifest.stream(stream: yaml)
    #expect(try result.line("primary_key") == expected)
    _ = try result.accepted()
  }

  @Test(
    "a member of the key that a transformation adds is another member, the parent's key, or unknown",
    arguments: [
      ("[id, shop]", "{{ stream_partition.shop }}", "id", "identity: with_parent"),
      ("[shop]", "{{ record.ids['shop'] }}", "ids.shop", ""), ("[shop]", "{{ now_utc() }}", "\"*\"", ""),
      ("[shop]", "{{ stream_partition.shop }}", "\"*\"", ""),
    ])
  func addedKeys(key: String, value: String, expected: String, identity: String) throws {
    let result = try Self.child(
      stream: """
        primary_key: \(key)
        transformations: [{ type: AddFields, fields: [{ path: [shop], value: "\(value)" }] }]
        """)
    let lines = try result.resource("items").lines()
    #expect(lines.contains("  primary_key: \(expected)"), "\(lines)")
    #expect(lines.contains("  \(identity)") || identity.isEmpty)
    _ = try result.accepted()
  }

  private static func schema(_ properties: String) -> String {
    "schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: { \(properties) } } }"
  }

  @Test("a key without a type is a text, and a key of the schema has its type")
  func keyTypes() throws {
    #expect(try ImportedManifest.stream().resource("items").columns == [FlowMember("id", .text("text"))])
    let typed = try ImportedManifest.stream(
      stream: "primary_key: id\n" + Self.schema("id: { type: [\"null\", number] }"))
    #expect(try typed.resource("items").columns == [FlowMember("id", .text("bigint"))])
    #expect(try typed.accepted().resources.first?.table.hasNumberKey == true)
    let dated = try ImportedManifest.stream(
      stream: "primary_key: at\n" + Self.schema("at: { type: string, format: date-time }"))
    #expect(try dated.resource("items").columns == [FlowMember("at", .text("text"))])
    _ = try dated.accepted()
  }

  @Test("members are not columns after a transformation that renames them")
  func renamed() throws {
    let result = try ImportedManifest.stream(
      stream: "primary_key: id\ntransformations: [{ type: KeysToSnakeCase }]\n" + Self.schema("a: { type: string }"))
    #expect(try result.resource("items").columns.map(\.name) == ["id"])
    #expect(result.messages.contains { $0.contains("KeysToSnakeCase is not carried out") })
  }

  @Test("a copied member is a column with its path")
  func copies() throws {
    let result = try ImportedManifest.stream(
      stream: """
        primary_key: id
        transformations:
          - type: AddFields
            fields:
              - { path: [updated], value: "{{ record.get('attributes', {}).get('updated') }}" }
              - { path: [at], value: "{{ now_utc() }}" }
          - { type: RemoveFields, field_pointers: [[secret]] }
          - { type: CustomTransformation, class_name: shop.Flatten }
        \(Self.schema("id: { type: string }, updated: { type: string, format: date-time }, at: { type: string }"))
        """)
    #expect(
      try result.resource("items").lines().suffix(3) == [
        "  columns:", "    id: text", "    updated: { path: attributes.updated, type: timestamptz }",
      ])
    let problems = result.remarks.map(\.problem)
    #expect(
      problems == [
        "the field at is not computed", "RemoveFields is not carried out", "shop.Flatten is not carried out",
      ], "\(problems)")
    _ = try result.accepted()
  }

  @Test("a filter of records and Python classes are remarks, once for all streams that share them")
  func remarks() throws {
    let result = try ImportedManifest.read(
      """
      definitions:
        selector:
          extractor: { class_name: shop.Extractor, field_path: [data] }
          record_filter: { condition: "{{ record.active }}" }
      streams:
        - name: a
          retriever:
            requester: { url_base: "https://api.example.org", path: a }
            record_selector: { $ref: "#/definitions/selector" }
        - name: b
          retriever:
            requester: { url_base: "https://api.example.org", path: b }
            record_selector: { $ref: "#/definitions/selector" }
            decoder: { type: JsonDecoder }
        - name: c
          retriever:
            requester: { url_base: "https://api.example.org", path: c }
            record_selector: { $ref: "#/definitions/selector" }
            decoder: { type: CsvDecoder }
      """)
    #expect(
      result.messages == [
        "manifest.yaml:3: a, b: the extractor's class shop.Extractor is not run; compare the resource with what the class does",
        "manifest.yaml:4: a, b: record_filter is not carried out, so the table has each record; write a view in SQL with its condition",
        "manifest.yaml:19: c: the stream is not written: its pages are not JSON (CsvDecoder); only JSON is read; ask the service for JSON with a header or a parameter if it can send it",
      ])
    #expect(result.resources.map(\.selector) == ["data", "data"])
  }
}
