import JSONScan
import SyncCore
import SyncPostgres
import Testing

@testable import RestSource

@Suite("Valid declarations")
struct DeclarationTests {
  @Test("the example of the documentation has the expected values")
  func example() throws {
    let declaration = try DeclarationText.read(
      """
      type: rest_api
      rate_limits: ["5/1s", "1000/1h"]
      client:
        base_url: https://api.example.org/v2
        headers: { Accept: application/json }
        auth: { type: bearer, token: { env: SHOP_TOKEN } }
        paginator: { type: page_number, page_param: page, base_page: 1, total_path: meta.pages }
      resource_defaults: { primary_key: id }
      resources:
        - name: products
          endpoint: { path: products, params: { per_page: 100, sort: id }, data_selector: data }
          primary_key: [id]
          columns:
            title: text
            price: { path: pricing.amount, type: numeric }
            published_at: timestamptz
            tags: { type: "text[]" }
          counters: [views, stock]
          total_path: meta.total
          order: key
          lookup: products/{id}
      """)
    #expect(declaration.id == "shop")
    #expect(declaration.baseURL == "https://api.example.org/v2")
    #expect(declaration.rateLimits == "5/1s,1000/1h")
    #expect(declaration.headers == ["Accept": .literal("application/json")])
    #expect(declaration.auth?.summary == "bearer from the variable SHOP_TOKEN")
    #expect(declaration.resources.count == 1)
    let products = declaration.resources[0]
    #expect(products.name == "products")
    #expect(products.path == "products")
    #expect(products.query == "per_page=100&sort=id")
    #expect(products.selector == ["data"])
    #expect(products.paginator.summary == "page=1, per_page=100, total meta.pages")
    #expect(products.walk == "catalogue of 100")
    #expect(products.total == ["meta", "total"])
    #expect(products.lookup?.path == "products/{id}")
    #expect(products.lookup?.selector == [])
    #expect(products.incremental == nil)
    let table = products.table
    #expect(table.name == "shop.products")
    #expect(table.key == ["id"])
    #expect(table.hasNumberKey)
    #expect(!table.hasList)
    #expect(table.selector == "data")
    #expect(table.cursor == nil)
    #expect(
      table.columns.map(\.summary) == [
        "id id bigint", "title title text", "price pricing.amount numeric", "published_at published_at timestamptz",
        "tags tags text[]",
      ])
    #expect(table.counters.map(\.summary) == ["views views numeric", "stock stock numeric"])
  }

  @Test("without rate_limits, headers, auth and path, the defaults apply")
  func smallest() throws {
    let declaration = try DeclarationText.read(
      "client: { base_url: http://localhost:8080/, paginator: single_page }\nresources: [{ name: a, primary_key: id }]"
    )
    #expect(declaration.baseURL == "http://localhost:8080")
    #expect(declaration.rateLimits == nil)
    #expect(declaration.headers.isEmpty)
    #expect(declaration.auth == nil)
    let resource = declaration.resources[0]
    #expect(resource.path == "a")
    #expect(resource.selector == [])
    #expect(resource.walk == "list of 100")
    #expect(resource.table.hasList)
    #expect(resource.lookup == nil)
  }

  @Test("a resource's own values replace the defaults, and its parameters are added to those of the defaults")
  func defaults() throws {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org, paginator: { type: page_number, page_param: p } }
      resource_defaults:
        primary_key: id
        write_disposition: merge
        columns: { title: text }
        total_path: total
        endpoint: { data_selector: results, params: { per_page: 50, sort: id }, paginator: { type: offset, limit: 20 } }
      resources:
        - one
        - name: two
          primary_key: [shop, sku]
          columns: { shop: bigint }
          total_path:
          write_disposition: { disposition: replace }
          endpoint:
            path: /other/two
            params: { per_page: 20, kind: { env: KIND } }
            paginator: { type: page_number, page_param: p }
      """)
    let (one, two) = (declaration.resources[0], declaration.resources[1])
    #expect(one.path == "one")
    #expect(one.query == "per_page=50&sort=id")
    #expect(one.selector == ["results"])
    #expect(one.total == ["total"])
    #expect(one.paginator.summary == "offset=0, limit=20")
    #expect(one.table.columns.map(\.summary) == ["id id bigint", "title title text"])
    #expect(two.path == "other/two")
    #expect(two.query == "sort=id&per_page=20&kind=from the variable KIND")
    #expect(two.selector == ["results"])
    #expect(two.total == nil)
    #expect(two.paginator.summary == "p=0, per_page=20")
    #expect(two.table.columns.map(\.summary) == ["shop shop bigint", "sku sku text"])
    #expect(!two.table.hasNumberKey)
  }

  @Test(
    "a resource and its endpoint can be texts",
    arguments: [
      ("products", "products"), ("name: a", "a"), ("name: a\nendpoint: b/c", "b/c"), ("name: a\nendpoint:", "a"),
    ])
  func shortForms(yaml: String, path: String) throws {
    #expect(try DeclarationText.resource(yaml).path == path)
  }

  @Test(
    "paginators have the defaults of dlt, and the size of a page is found in the parameters",
    arguments: [
      ("page_number", "", "page=0, size=?", "list of 10"),
      ("{ type: page_number, base_page: 0 }", "per_page: 30", "page=0, per_page=30", "catalogue of 30"),
      ("{ type: page_number, page: 2 }", "other: 30", "page=2, size=?", "list of 10"),
      ("{ type: page_number, limit: 5 }", "", "page=0, size=5", "list of 5"),
      ("{ type: page_number, limit: 5, limit_param: n }", "per_page: 30", "page=0, n=5", "list of 5"),
      ("{ type: page_number, limit_param: n }", "n: 40", "page=0, n=40", "catalogue of 40"),
      ("{ type: page_number, limit_param: n }", "", "page=0, size=?", "list of 10"),
      ("page_number", #""page[size]": 25"#, "page=0, page[size]=25", "catalogue of 25"),
      ("page_number", "limit: many", "page=0, size=?", "list of 10"),
      ("{ type: page_number, page_param: p }", "limit: 7", "p=0, limit=7", "list of 7"),
      (
        "{ type: page_number, total_path: null, has_more_path: more, stop_after_empty_page: true }", "",
        "page=0, size=?, more more", "list of 10"
      ),
      ("offset", "limit: 20", "offset=0, limit=20", "catalogue of 20"),
      ("{ type: offset, limit: 50 }", "limit: 20", "offset=0, limit=50", "catalogue of 50"),
      (
        "{ type: offset, limit: 50, offset_param: skip, limit_param: take, offset: 1, total_path: $.meta.total }", "",
        "skip=1, take=50, total meta.total", "catalogue of 50"
      ),
      (
        "{ type: offset, limit: 50, base_offset: 1 }", "", "offset=1, limit=50",
        "catalogue of 50"
      ),
      ("json_link", "", "link next", "chain of 100"), ("json_response", "", "link next", "chain of 100"),
      ("{ type: json_link, next_url_path: [links, a.next] }", "limit: 5", "link links.a.next", "chain of 100"),
      ("header_link", "", "header next", "chain of 100"),
      ("{ type: header_link, links_next_key: after }", "", "header after", "chain of 100"),
      ("cursor", "", "cursor from cursors.next", "chain of 100"),
      ("{ type: cursor, cursor_path: meta.next, cursor_param: after }", "", "after from meta.next", "chain of 100"),
      ("single_page", "", "single", "list of 100"), ("{ type: single_page }", "", "single", "list of 100"),
    ])
  func paginators(paginator: String, parameters: String, summary: String, walk: String) throws {
    let yaml = "name: a\norder: key\nendpoint: { params: { \(parameters) } }"
    let resource = try DeclarationText.resource(yaml, paginator: paginator)
    #expect(resource.paginator.summary == summary)
    #expect(resource.walk == walk)
    #expect(!resource.table.hasList)
  }

  @Test(
    "pages can overlap only if the order is that of a key that is one whole number",
    arguments: [
      ("order: key", "catalogue of 20"), ("", "list of 20"), ("order:", "list of 20"),
      ("order: key\ncolumns: { id: integer }", "catalogue of 20"), ("order: key\ncolumns: { id: text }", "list of 20"),
      ("order: key\ncolumns: { id: uuid }", "list of 20"), ("order: key\nprimary_key: [id, part]", "list of 20"),
      ("order: key\nprimary_key: number", "catalogue of 20"),
    ])
  func catalogue(yaml: String, walk: String) throws {
    #expect(try DeclarationText.resource("name: a\n\(yaml)", paginator: "{ type: offset, limit: 20 }").walk == walk)
  }

  @Test(
    "data_selector is a path of members with the forms of JSONPath that name one list",
    arguments: [
      ("$", []), ("$[*]", []), (#""[*]""#, []), ("data", ["data"]), ("$.a.b", ["a", "b"]), ("a.b[*]", ["a", "b"]),
      ("$.a[*]", ["a"]), ("_embedded.items-list", ["_embedded", "items-list"]),
      ("[a.b, the items]", ["a.b", "the items"]), ("edges[*].node", ["edges", .elements, "node"]),
      ("$.data.*", ["data", .values]), ("'*'", [.values]), ("'[1].items'", [.element(1), "items"]),
      ("a[0][*].b[*]", ["a", .element(0), .elements, "b"]), ("a[*][*]", ["a", .elements]),
    ] as [(String, [JSONScan.Step])])
  func selectors(selector: String, path: [JSONScan.Step]) throws {
    let resource = try DeclarationText.resource("name: a\nendpoint:\n  data_selector: \(selector)")
    #expect(resource.selector == path)
    #expect(resource.table.selector == JSONScan.Step.text(path))
  }

  @Test(
    "types have the names of PostgreSQL and of dlt",
    arguments: [
      "text": "text", "integer": "integer", "bigint": "bigint", "numeric": "numeric", "boolean": "boolean",
      "double precision": "double precision", "date": "date", "timestamptz": "timestamptz", "uuid": "uuid",
      "jsonb": "jsonb", "double": "double precision", "float": "double precision", "bool": "boolean",
      "timestamp": "timestamptz", "timestamp with time zone": "timestamptz", "decimal": "numeric", "json": "jsonb",
      "complex": "jsonb", "int": "integer", "string": "text", "text[]": "text[]", "double[]": "double precision[]",
    ])
  func types(name: String, type: String) throws {
    for form in ["'\(name)'", "{ type: '\(name)' }", "{ data_type: '\(name)' }"] {
      #expect(try DeclarationText.resource("name: a\ncolumns: { b: \(form) }").table.columns.last?.type.name == type)
    }
  }

  @Test(
    "the columns of a key come first, and counters leave the columns",
    arguments: [
      ("columns: { b: text, id: uuid }", "id id uuid, b b text", ""),
      ("primary_key: [shop, id]", "shop shop text, id id text", ""),
      ("primary_key: slug\ncolumns: { slug: text }", "slug slug text", ""),
      ("counters: views", "id id bigint", "views views numeric"),
      ("columns: { views: bigint, b: text }\ncounters: [views]", "id id bigint, b b text", "views views bigint"),
      (
        "columns: { seen: { path: viewCount, type: bigint } }\ncounters: [viewCount]", "id id bigint",
        "seen viewCount bigint"
      ),
      ("columns: { raw_text: { path: [raw, a.b], type: text } }", "id id bigint, raw_text raw.a.b text", ""),
    ])
  func columns(yaml: String, columns: String, counters: String) throws {
    let table = try DeclarationText.resource("name: a\n\(yaml)").table
    #expect(table.columns.map(\.summary).joined(separator: ", ") == columns)
    #expect(table.counters.map(\.summary).joined(separator: ", ") == counters)
  }

  @Test(
    "a member has its own name as column, or its name in dlt's naming convention",
    arguments: [
      (["id"], "id"), (["_id"], "_id"), (["a__b"], "a__b"), (["order_"], "order_"), (["objectID"], "object_id"),
      (["Id"], "id"), (["ID"], "id"), (["item-id"], "item_id"), (["itemId"], "item_id"),
      (["HTTPServer"], "http_server"),
      (["attributes", "id"], "attributes__id"), (["data", "Attributes", "itemId"], "data__attributes__item_id"),
      (["view count"], "view_count"), (["@id"], "aid"), (["$id"], "sid"), (["a*"], "ax"), (["Total_"], "totalx"),
      (["5th"], "_5th"), (["c", "d"], "c__d"), (["a.b"], "a_b"), (["進撃"], "x"), (["naïve"], "na_ve"),
    ])
  func naming(path: [String], column: String) {
    #expect(DeclaredName.column(of: path) == column)
  }

  @Test(
    "keys and counters have any name, and their columns keep valid names",
    arguments: [
      ("primary_key: objectID", "object_id objectID bigint", "object_id", ""),
      ("primary_key: objectID\ncolumns: { objectID: text }", "object_id objectID text", "object_id", ""),
      ("primary_key: [item-id, Id]", "item_id item-id text, id Id text", "item_id id", ""),
      ("primary_key: attributes.id", "attributes__id attributes.id bigint", "attributes__id", ""),
      (
        "primary_key: attributes.id\ncolumns: { key: { path: attributes.id, type: uuid }, b: text }",
        "key attributes.id uuid, b b text", "key", ""
      ),
      ("primary_key: [[a.b]]\ncolumns: { b: text }", "a_b a.b bigint, b b text", "a_b", ""),
      ("primary_key: '@id'\ncolumns: { '@id': text }", "aid @id text", "aid", ""),
      // A valid name keeps its column, although another column has its path.
      (
        "primary_key: id\ncolumns: { uid: { path: id, type: text } }", "id id bigint, uid id text", "id", ""
      ),
      (
        "counters: [viewCount, Likes, c]", "id id bigint", "id",
        "view_count viewCount numeric, likes Likes numeric, c c numeric"
      ),
      (
        "columns: { n: { path: [a.b], type: bigint } }\ncounters: [a.b]", "id id bigint", "id", "n a.b bigint"
      ),
    ])
  func names(yaml: String, columns: String, key: String, counters: String) throws {
    let table = try DeclarationText.resource("name: a\n\(yaml)").table
    #expect(table.columns.map(\.summary).joined(separator: ", ") == columns)
    #expect(table.key.joined(separator: " ") == key)
    #expect(table.counters.map(\.summary).joined(separator: ", ") == counters)
  }

  @Test("a title is a column of type text, by its name or path")
  func titles() throws {
    for (yaml, title) in [
      ("columns: { label: text, de: { path: names.de, type: text } }\ntitle: names.de", "de"),
      ("columns: { label: text, title: text }\ntitle: label", "label"), ("columns: { label: text }", "label"),
      ("columns: { id: text, label: text }\ntitle: id", "id"), ("columns: { other: text }", nil),
    ] as [(String, String?)] {
      #expect(try DeclarationText.resource("name: a\n\(yaml)").table.title?.name == title, "\(yaml)")
    }
  }

  @Test("a format belongs to the type of a column")
  func formats() throws {
    let table = try DeclarationText.resource(
      """
      name: a
      columns:
        at: { type: timestamptz, format: epoch }
        day: { path: made, type: date, format: epoch_ms }
        on: { type: bool, format: number }
      """
    ).table
    #expect(table.columns.dropFirst().map(\.type.format) == [.epoch, .epochMilliseconds, .number])
  }

  @Test(
    "lookups are paths with the members of the key",
    arguments: [
      ("lookup: products/{id}", "products/{id}", []), ("lookup: /{id}", "{id}", []),
      ("primary_key: [shop, id]\nlookup: shops/{shop}/{id}", "shops/{shop}/{id}", []),
      ("primary_key: objectID\nlookup: a/{objectID}", "a/{objectID}", []),
      ("primary_key: [a.id, item-id]\nlookup: \"{a.id}/{item-id}\"", "{a.id}/{item-id}", []),
      (#"lookup: { path: "a/{id}", data_selector: $.data }"#, "a/{id}", ["data"]),
      (#"lookup: { path: "a/{id}", data_selector: $ }"#, "a/{id}", []),
    ])
  func lookups(yaml: String, path: String, selector: [String]) throws {
    let lookup = try #require(try DeclarationText.resource("name: a\n\(yaml)").lookup)
    #expect(lookup.path == path)
    #expect(lookup.selector == selector)
  }

  @Test(
    "the forms of dlt's incremental name a parameter, which is not among the others",
    arguments: [
      (
        #"endpoint: { params: { since: { type: incremental, cursor_path: a.b, initial_value: "2024" }, sort: id } }"#,
        "since from a.b, 2024, 0s, 7d"
      ),
      (
        #"endpoint: { params: { since: "{incremental.start_value}", sort: id }, incremental: { cursor_path: a } }"#,
        "since from a, nothing, 0s, 7d"
      ),
      (
        #"endpoint: { params: { since: "{incremental.last_value}", sort: id } }"# + "\nincremental: { cursor_path: a }",
        "since from a, nothing, 0s, 7d"
      ),
      (
        "endpoint: { params: { sort: id, p: 5 } }\nincremental: { cursor_path: a, start_param: p, initial_value: 5 }",
        "p from a, 5, 0s, 7d"
      ),
      (
        "endpoint: { params: { sort: id } }\nincremental: { cursor_path: a, start_param: s, lag: 1h, full_every: 30d }",
        "s from a, nothing, 1h, 30d"
      ),
    ])
  func incremental(yaml: String, summary: String) throws {
    let resource = try DeclarationText.resource("name: a\n\(yaml)")
    let value = try #require(resource.incremental)
    let cursor = try #require(resource.table.cursor).joined(separator: ".")
    let times = "\(value.lag.configured), \(value.fullEvery.configured)"
    #expect("\(value.parameter ?? "") from \(cursor), \(value.initial ?? "nothing"), \(times)" == summary)
    #expect(resource.query == "sort=id")
  }

  @Test(
    "secrets are named by a variable or a file",
    arguments: [
      ("{ token: { env: A } }", "bearer from the variable A"),
      ("{ type: bearer, token: { file: a/b.txt } }", "bearer from the file a/b.txt"),
      ("{ type: http_basic, username: me, password: { env: A } }", "basic me, from the variable A"),
      (
        "{ type: http_basic, username: { env: B }, password: { env: A } }",
        "basic from the variable B, from the variable A"
      ),
      ("{ type: api_key, api_key: { env: A } }", "header Authorization from the variable A"),
      ("{ type: api_key, name: X-Key, location: header, api_key: { env: A } }", "header X-Key from the variable A"),
      ("{ type: api_key, name: key, location: query, api_key: { file: k } }", "query key from the file k"), ("", nil),
      (
        "{ type: oauth2_client_credentials, access_token_url: \"https://a.example/t?x=1\", client_id: c, "
          + "client_secret: { env: A }, access_token_request_data: { scope: a b, n: 1, token_type: x }, "
          + "default_token_expiration: 1800 }",
        "oauth2_client_credentials https://a.example/t?x=1 c, from the variable A, -, scope=a b, n=1, token_type=x 30m"
      ),
      (
        "{ type: oauth2_refresh_token, access_token_url: http://127.0.0.1:9/t, client_id: { env: C }, client_secret: "
          + "{ env: A }, token_endpoint_auth_method: client_secret_basic, refresh_token: { file: r, replaced: true } }",
        "oauth2_refresh_token http://127.0.0.1:9/t from the variable C, from the variable A, from the file r basic "
          + "replaced 1h"
      ),
      (
        "{ type: oauth2_refresh_token, access_token_url: https://a.example, "
          + "refresh_token: { file: r, replaced: false } }",
        "oauth2_refresh_token https://a.example -, -, from the file r 1h"
      ),
    ] as [(String, String?)])
  func auth(yaml: String, summary: String?) throws {
    let declaration = try DeclarationText.read(
      """
      rate_limits: 5/1s,1000/1h
      client:
        base_url: http://10.0.0.1
        allow_insecure: true
        headers: { X-Token: { env: T }, Cookie: { file: c }, Accept: "*/*" }
        auth: \(yaml)
        paginator: single_page
      resources: [{ name: a, primary_key: id, endpoint: { params: { token: { env: T }, page_token: x } } }]
      """)
    #expect(declaration.auth?.summary == summary)
    #expect(declaration.headers == ["X-Token": .variable("T"), "Cookie": .file("c"), "Accept": .literal("*/*")])
    #expect(declaration.resources[0].query == "token=from the variable T&page_token=x")
    #expect(declaration.rateLimits == "5/1s,1000/1h")
  }

  @Test(
    "a header can contain a secret and an access token",
    arguments: [
      ("Authorization: \"Token {env:A}\"", .joined([.literal("Token "), .variable("A")])),
      ("Authorization: \"{file:a/b.txt}, v=2\"", .joined([.file("a/b.txt"), .literal(", v=2")])),
      ("Authorization: \"Zoho-oauthtoken {access_token}\"", .joined([.literal("Zoho-oauthtoken {access_token}")])),
      ("X-Key: \"{env:A}:{env:B}\"", .joined([.variable("A"), .literal(":"), .variable("B")])),
      ("X-Filter: \"{a}\"", .literal("{a}")), ("X-Id: { env: A }", .variable("A")),
    ] as [(String, DeclaredText)])
  func headers(yaml: String, text: DeclaredText) throws {
    let declaration = try DeclarationText.read(
      """
      client:
        base_url: https://api.example.org
        headers: { \(yaml) }
        auth: { type: oauth2_refresh_token, access_token_url: https://a.example, refresh_token: { env: R } }
      resources: [{ name: a, primary_key: id, endpoint: { paginator: single_page } }]
      """)
    #expect(Array(declaration.headers.values) == [text])
  }

  @Test("an endpoint adds headers to those of the client, and replaces those of the same name")
  func endpointHeaders() throws {
    let declaration = try DeclarationText.read(
      """
      client:
        base_url: https://api.example.org
        headers: { Accept: application/json, X-A: a }
        auth: { type: bearer, token: { env: T } }
        paginator: single_page
      resource_defaults: { primary_key: id, endpoint: { headers: { x-b: b, X-C: c } } }
      resources:
        - a
        - { name: b, endpoint: { headers: { accept: text/x, X-C: { env: C }, X-Key: "k {env:K}" } } }
        - { name: c, endpoint: { headers: { X-Auth: 0f3c9a71e5d2 } } }
      """)
    let headers = declaration.resources.map { resource in
      resource.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }
    }
    #expect(headers[0] == ["Accept: application/json", "X-A: a", "X-C: c", "x-b: b"])
    #expect(
      headers[1] == [
        "X-A: a", "X-C: from the variable C", "X-Key: k (from the variable K)", "accept: text/x", "x-b: b",
      ])
    #expect(declaration.headers == ["Accept": .literal("application/json"), "X-A": .literal("a")])
    #expect(declaration.likelySecrets == ["c.headers.X-Auth"])
    let parameters = declaration.resources.map { RestStream($0, of: declaration).description.parameters }
    #expect(parameters[1].contains("accept: text/x") && !parameters[1].contains("application/json"))
  }

  @Test("literal texts of fewer than six characters are no secrets, and longer ones are refused as passwords")
  func dummies() throws {
    func auth(_ password: String) throws -> Declaration.Auth? {
      try DeclarationText.read(
        """
        client:
          base_url: https://api.example.org
          auth: { type: http_basic, username: { env: KEY }, password: \(password) }
        resources: [{ name: a, primary_key: id, endpoint: { paginator: single_page } }]
        """
      ).auth
    }
    for (password, text) in [("\"\"", ""), ("x", "x"), ("'X'", "X"), ("12345", "12345")] {
      #expect(try auth(password)?.summary == "basic from the variable KEY, \(text)")
    }
    for password in ["123456", "hunter22", "", "~"] {
      #expect(throws: SyncError.self, "\(password)") { try auth(password) }
    }
  }

  @Test("values that look like keys are found by their names or their form")
  func likelySecrets() {
    for (name, value) in [
      ("key", "AB12cd"), ("appid", "0f3c9a71e5d2"), ("sig", "a1b2c3"), ("X-Auth", "s3cr3t"), ("client_id", "app-17b"),
      ("Ocp-Apim-Subscription-Key", "0f3c9a71e5d24b6c8a900f3c9a71e5d2"), ("q", "ghp_16C7e42F292c6912E7710c838347Ae"),
      ("x", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0"), ("tenant", "0f8fad5b-d9cb-469f-a165-70867728950e"),
    ] {
      #expect(DeclaredText.literal(value).isLikelySecret(named: name), "\(name)=\(value)")
    }
    for (name, value) in [
      ("per_page", "100"), ("key", "name"), ("sort_key", "updated"), ("lang", "zh-Hant"), ("fields", "id,title,price2"),
      ("since", "2026-01-01T00:00:00Z"), ("q", "products of 2026"), ("Accept", "application/vnd.github.v3+json"),
      ("page_token", "next"), ("expand", "data.customer.address"), ("sign", "x"),
    ] {
      #expect(!DeclaredText.literal(value).isLikelySecret(named: name), "\(name)=\(value)")
    }
  }

  @Test("a secret is read without blanks around it, and a literal text as it is")
  func reading() throws {
    let environment = ["A": "secret", "SHORT": "abcde"]
    func read(_ text: DeclaredText) throws -> String {
      try text.read(environment) { $0 == "a.txt" ? " secret\n" : nil }
    }
    #expect(try read(.variable("A")) == "secret")
    #expect(try read(.file("a.txt")) == "secret")
    #expect(throws: SyncError.self) { try read(.variable("SHORT")) }
    #expect(try DeclaredText.variable("SHORT").read(environment, canBeShort: true) { _ in nil } == "abcde")
    #expect(try read(.joined([.literal("Token "), .variable("A"), .literal(", v2 ")])) == "Token secret, v2 ")
    #expect(throws: SyncError.self) { try read(.joined([.literal("Token "), .variable("SHORT")])) }
    #expect(DeclaredText.joined([.literal("Token "), .file("a")]).shown == "Token (from the file a)")
    #expect(
      [DeclaredText.joined([.literal("a")]), .joined([.literal("a"), .file("b")])].map(\.isSecret) == [false, true])
    #expect(try read(.literal(" text ")) == " text ")
    #expect([DeclaredText.variable("A"), .file("a"), .literal("a")].map(\.isSecret) == [true, true, false])
  }
}
