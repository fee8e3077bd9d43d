/// The keys of resources with several lists.
extension MalformedDeclarationTests {
  /// A child of products in line 21.
  private static func child(_ keys: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(
      21, #"- { name: orders, endpoint: "p/{resources.products.id}/orders", \#(keys) }"#,
      "sources.shop.resources[1]\(message)", hint)
  }

  private static func path(_ path: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(
      21, #"- { name: orders, endpoint: { path: "\#(path)" } }"#, "sources.shop.resources[1].endpoint.path \(message)",
      hint)
  }

  private static func params(_ params: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(
      21, "- { name: orders, endpoint: { params: { \(params) } } }",
      "sources.shop.resources[1].endpoint.params\(message)", hint)
  }

  static let placeholders: [Malformed] = [
    path("a/{resources.products}", "has {resources.products}, which names no member", "{resources.products.id}"),
    path("a/{resources.products.}", "has {resources.products.}, which names no member", "{resources.products.id}"),
    path("a/{resources..id}", "has {resources..id}, which names no member", "{resources.repos.id}"),
    path("a/{resources.products.a..b}", "a..b is not a path of members", "names with dots"),
    path("a/{resources.products.a[0]}", "a[0] is not a path of members", "names with dots"),
    path("a/{resources.product.id}", "names the resource product, which is not declared", "did you mean products?"),
    path("a/{resources.zzz.id}", "names the resource zzz, which is not declared", "known: products, orders"),
    path("a/{resources.orders.id}", "makes the resource depend on itself: orders → orders", "remove a placeholder"),
    path("a/{city}", "has {city}, which names neither a member of a resource nor values", "values: { city: [berlin"),
    path("a/{today}", "has {today}, which names neither", "{resources.NAME.MEMBER}"),
    path("a/{0}", "has {0}, a number that names nothing", "{resources.NAME.MEMBER}"),
    path("a/{}", "has {}, which names neither", "{resources.NAME.MEMBER}"),
    path("a/{resources.products.id", "has {resources.products.id}, which names", "{resources.NAME.MEMBER}"),
    path("a/{{resources.products.id}}", "has {{resources.products.id}, which names", "{resources.NAME.MEMBER}"),
    path("a/{resources.products.id}}", "has a brace that does not end a placeholder", "%7B and %7D"),
    path("a}/{resources.products.id}", "has a brace that does not end a placeholder", "%7B and %7D"),
    path("a?q={resources.products.id}", "is not a path below base_url", "below params"),
    .init(
      21, "- { name: orders, endpoint: { path: 'a/{org}', params: { org: acme } } }",
      "endpoint.path has {org}, which names neither", "write the text of params.org into the path"),
    .init(
      21,
      #"- { name: a, endpoint: "{resources.b.id}" }"# + "\n" + #"- { name: b, endpoint: "{resources.c.id}" }"# + "\n"
        + #"- { name: c, endpoint: "{resources.b.id}" }"#, "depend on itself: b → c → b", "remove a placeholder", at: 23
    ),
    .init(
      21, "- orders\n" + #"- { name: items, endpoint: "{resources.products.id}/{resources.orders.id}" }"#,
      "resources[2].endpoint has members of orders, and other placeholders have members of products",
      "one parent", at: 22),
    .init(
      21,
      "- orders\n- name: items\n  endpoint:\n    path: '{p}/{o}'\n    params:\n"
        + "      p: { type: resolve, resource: products, field: id }\n"
        + "      o: { type: resolve, resource: orders, field: id }",
      "params.o has members of orders, and other placeholders have members of products", "one parent", at: 27),
    params(
      "n: { type: resolve, resource: products, field: id }", ".n is not in the path",
      #"write {n} in the path, or params: { n: "{resources.products.id}" }"#),
    params("n: { type: resolve, field: id }", ".n has no resource", "{resources.repos.id}"),
    params("n: { type: resolve, resource: products }", ".n has no field", "{resources.repos.id}"),
    params("n: { type: resolve, resource: a, field: b, c: d }", ".n has an unknown key c", "known: type, resource"),
    params(#"n: "{resources.product.id}""#, ".n names the resource product", "did you mean products?"),
    params(#"n: "{resources.products}""#, ".n has {resources.products}, which names no member", "products.id}"),
    params(#"n: "{city}""#, ".n has {city}, which is not a placeholder", "values: { city: [berlin] }"),
    params(#"n: "{0}""#, ".n has {0}, which is not a placeholder", "{resources.NAME.MEMBER}"),
    params(#"n: "{today} {resources.products.id""#, ".n has {resources.products.id without its last brace", "id}"),
    params(#""n{resources.products.id}": 1"#, ".n{resources.products.id} has a placeholder in its name", "values of"),
    params(#"api_key: "{resources.products.id}""#, ".api_key can be a secret", "{ env: NAME }"),
    params(#"token: "s3cr3t-{resources.products.id}""#, ".token can be a secret", "{ env: NAME }"),
    params(
      #"n: { value: "{resources.products.id}", format: epoch }"#, ".n.format is not a format of dates in this", "remove"
    ),
    .init(
      21,
      #"- { name: a, endpoint: { path: "{resources.products.id}", method: POST, idempotent: true, "#
        + #"json: { q: [{ b: "{resources.orders.id}" }] } } }"#,
      "endpoint.json.q[0].b has members of orders, and other placeholders have members of products", "one parent"),
    .init(
      21, #"- { name: a, endpoint: { method: POST, idempotent: true, json: { q: "{resources.product.id}" } } }"#,
      "endpoint.json.q names the resource product, which is not declared", "did you mean products?"),
  ]

  static let parents: [Malformed] = [
    child("order: key", ".order cannot be combined with several lists", "remove it"),
    child("incremental: { cursor_path: a }", ".incremental cannot be combined with several", "refresh: changed"),
    child("values: { a: [b] }", ".values has a, but no request contains it", "write {a} in the path"),
    child(
      "lookup: 'orders/{_products_id}/{id}'", ".lookup must be a path with each member of the key", "products/{id}"),
    child("lookup: 'p/{resources.products.id}/{id}'", ".lookup must be a path with each member", "products/{id}"),
    child("lookup: 'o/{id}', identity: with_parent", ".lookup cannot be combined with identity", "its whole key"),
    child("include_from_parent: id", ".include_from_parent must be a list", "[id, owner.login]"),
    child("include_from_parent: []", ".include_from_parent must be a list", "[id, owner.login]"),
    child("include_from_parent: [id, id]", ".include_from_parent[1] is in the list twice", "remove it"),
    child("include_from_parent: ['a..b']", ".include_from_parent[0] a..b is not a path", "names with dots"),
    child("identity: parent", ".identity is not with_parent", "identity: with_parent"),
    child("identity: true", ".identity is not with_parent", "identity: with_parent"),
    child("identity: with_parent, primary_key: '*'", ".identity needs a primary_key", "primary_key: id"),
    child("primary_key: [_products_id, id]", ".primary_key has _products_id, which items", "identity: with_parent"),
    child(
      "identity: with_parent, columns: { _products_id: text }", ".columns has _products_id, which identity",
      "remove it"),
    child(
      "identity: with_parent, columns: { _products_id: { path: a, type: text } }",
      ".columns the members _products_id and a have the same column", "another name"),
    child("with_parent: 1", ".with_parent must be true or false", "true"),
    child("with_parent: changed", ".with_parent must be true or false", "true"),
    child("refresh: always", ".refresh is not changed", "refresh: changed"),
    child("refresh: [changed]", ".refresh must be a text", "changed"),
    child("refresh: {}", ".refresh has no changed", "comments_count"),
    child("refresh: { change: views }", ".refresh has an unknown key change", "known: changed"),
    child("refresh: { changed: likes }", ".refresh.changed is neither a counter nor a column", "counters: [likes]"),
    child("refresh: { changed: [] }", ".refresh.changed must not be empty", "[meta, total]"),
    child("refresh: changed, refresh_every: 1 day", ".refresh_every 1 day is not a valid time", "7d"),
    child("refresh: changed, refresh_every: 0s", ".refresh_every 0s is not a valid time", "7d"),
    child("refresh_every: 1d", ".refresh_every needs refresh", "refresh: changed"),
    .init(
      21, #"- { name: a, endpoint: { path: "{resources.products.id}", incremental: { cursor_path: a } } }"#,
      "endpoint.incremental cannot be combined with several lists", "remove it"),
    .init(
      21, #"- { name: a, endpoint: { path: "{resources.products.id}", params: { s: { type: incremental } } } }"#,
      "endpoint.params.s cannot be combined with several lists", "remove it"),
    .init(
      21, #"- { name: a, endpoint: { path: "{resources.products.id}", params: { s: "{incremental.start_value}" } } }"#,
      "endpoint.params.s cannot be combined with several lists", "remove it"),
    .init(
      21,
      #"- { name: a, values: { c: [d] }, endpoint: { path: "{c}", method: POST, idempotent: true, "#
        + #"json: { s: "{incremental.start_value}" } } }"#,
      "endpoint.json.s cannot be combined with several lists", "remove it"),
    .init(
      21,
      #"- { name: a, primary_key: '*' }"# + "\n"
        + #"- { name: b, endpoint: "{resources.a.id}", identity: with_parent }"#,
      "resources[2].identity needs a key of a, which has none", "primary_key at a", at: 22),
    .init(
      21,
      #"- { name: a, primary_key: \#(String(repeating: "k", count: 60)) }"# + "\n"
        + #"- { name: b, endpoint: "{resources.a.id}", identity: with_parent }"#,
      "resources[2].identity makes the column _a_kk", "a short name", at: 22),
  ]

  /// The errors of names of views, and the hints for paginators.
  static let children: [Malformed] = [
    .init(
      21, #"- { name: a, endpoint: "{resources.products.id}" }"# + "\n- a_places",
      "resources[2] a_places is the name of a view", "another name", at: 22),
    .init(
      21,
      #"- { name: a, endpoint: { path: "p/{resources.products.id}", params: { q: "{resources.products.sku}" }, "#
        + "paginator: } }", "resources[1] has no paginator",
      "source draft 'https://api.example.org/v2/p/ID?q=SKU' finds"),
    .init(
      21, "- { name: a, endpoint: { path: 'p/{c}', paginator: }, values: { c: [x y, z] } }",
      "resources[1] has no paginator", "source draft https://api.example.org/v2/p/x%20y finds"),
  ]

  private static func values(_ values: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(
      21, "- { name: orders, endpoint: 'a/{city}', values: \(values) }", "sources.shop.resources[1].values\(message)",
      hint)
  }

  static let values: [Malformed] = [
    values("[berlin]", " must have one name", "values: { city: [berlin"),
    values("{}", " must have one name", "values: { city: [berlin"),
    values("{ city: [a], country: [b] }", " must have one name", "values: { city: [berlin"),
    values("{ city: berlin }", ".city must be a list", "values: { city: [berlin"),
    values("{ city: }", ".city must be a list", "values: { city: [berlin"),
    values("{ city: [] }", ".city has 0 values", "1 to 10,000"),
    values("{ city: [a, b, a] }", ".city[2] repeats the value a", "remove it"),
    values("{ city: [''] }", ".city[0] must be a text", "berlin"),
    values("{ city: [a, ~] }", ".city[1] must be a text", "berlin"),
    values("{ city: [[a]] }", ".city[0] must be a text", "berlin"),
    values(#"{ city: ["a\u001B"] }"#, ".city[0] has a control", "berlin"),
    values("{ city: [\(String(repeating: "a", count: 1_001))] }", ".city[0] has more than 1,000 bytes", "remove it"),
    values("{ city: [{ env: CITY }] }", ".city[0] is not a text", "cannot be secrets"),
    values("{ city: { env: CITY } }", ".city has env: values are stored", "remove it"),
    values("{ city: {} }", ".city has no file", "cities.txt"),
    values("{ city: { file: nowhere/cities.txt } }", ".city.file names nowhere/cities.txt, which cannot", "relative"),
    values("{ city: { file: [a] } }", ".city.file must be a text", "cities.txt"),
    values("{ city: [a, ..] }", " has .., which makes a part of the path a folder", "remove this value"),
    values("{ api_key: [s3cr3t-value] }", " has the name of a secret", "{ env: NAME }"),
    values("{ today: [a] }", " has a name that cannot be a placeholder", "values: { city"),
    values("{ 'a b': [a] }", " has a name that cannot be a placeholder", "values: { city"),
    .init(
      21, "- { name: a, endpoint: '{city}', values: { city: [a] }, order: key }",
      "resources[1].order cannot be combined with several lists", "remove it"),
    .init(
      21, "- { name: a, endpoint: '{city}', values: { city: [a] }, incremental: { cursor_path: a, start_param: b } }",
      "resources[1].incremental cannot be combined with several lists", "remove it"),
    .init(
      21, #"- { name: a, endpoint: "{city}/{resources.products.id}", values: { city: [a] } }"#,
      "resources[1].values cannot be combined with placeholders of products", "of a parent or of values"),
  ]

  /// The keys that need a parent, for a resource with one list and for one with a list for each value.
  static let parentKeys: [Malformed] = [
    "include_from_parent: [id]", "identity: with_parent", "with_parent: true", "refresh: changed", "refresh_every: 1d",
  ].flatMap { key in
    ["", ", endpoint: '{city}', values: { city: [a] }"].map { lists in
      Malformed(
        21, "- { name: orders, \(key)\(lists) }", "resources[1].\(key.prefix { $0 != ":" }) needs a parent",
        "{resources.NAME.MEMBER}")
    }
  }

  /// The key `key_as`.
  static let names: [Malformed] = [
    .init(21, "- { name: a, key_as: id }", "resources[1].key_as needs a data_selector with .*", "rates.*"),
    .init(21, "- { name: a, key_as: id, endpoint: { data_selector: 'a[*].b' } }", "key_as needs a data_selector", ".*"),
    .init(21, "- { name: a, key_as: [id], endpoint: { data_selector: a.* } }", "key_as must be a text", "id"),
    .init(21, "- { name: a, key_as: a/*b, endpoint: { data_selector: a.* } }", "key_as has a name that", "short name"),
    .init(
      21, "- { name: a, key_as: id, endpoint: { data_selector: a.* }, columns: { id: bigint } }",
      "columns the key id is the name of a member, which is a text", "write text"),
    .init(
      21, "- { name: a, key_as: id, endpoint: { data_selector: a.* }, lookup: 'a/{id}' }",
      "lookup cannot be combined with key_as", "remove it"),
    .init(
      21,
      #"- { name: a, key_as: _products_id, endpoint: { path: "{resources.products.id}", data_selector: a.* }, "#
        + "identity: with_parent }", "key_as has _products_id, which identity: with_parent writes", "another name"),
  ]
}
