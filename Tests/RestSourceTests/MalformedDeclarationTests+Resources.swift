/// The defaults and names of resources.
extension MalformedDeclarationTests {
  static let defaults: [Malformed] = [
    .init(8, "resource_defaults: id", "resource_defaults must have members", "known here: name"),
    .init(8, "resource_defaults: [id]", "resource_defaults must have members", "known here: name"),
    .init(8, "resource_defaults: { primary_keys: id }", "unknown key primary_keys", "did you mean primary_key?"),
    .init(8, "resource_defaults: { name: a }", "resource_defaults.name would be the name of each", "in resources"),
    .init(8, "resource_defaults: { merge_key: id }", "has merge_key: items are merged by primary_key", "remove it"),
    .init(8, "resource_defaults: { primary_key: [a, b, c, d] }", "defaults.primary_key must have one to three", "["),
    .init(8, "resource_defaults: { endpoint: [a] }", "defaults.endpoint must have members", "known here: path"),
    .init(8, "resource_defaults: { endpoint: { data: {} } }", "endpoint has data: forms", "remove it"),
    .init(8, "resource_defaults: { primary_key: id, endpoint: { params: a } }", "params must have members", "100"),
    .init(
      8, "resource_defaults: { primary_key: id, endpoint: { params: { token: s3cr3t-value } } }",
      "resource_defaults.endpoint.params.token has a secret", "{ env: NAME }"),
    .init(8, "resource_defaults: { primary_key: id, columns: { title: strin } }", "unknown type strin", "known: text"),
    .init(8, "resource_defaults: { primary_key: id, write_disposition: append }", "is not merge", "remove it"),
  ]

  static let resources: [Malformed] = [
    .init(10, "- nam: products", "resources[0] has an unknown key nam", "did you mean name?"),
    .init(10, "- name:", "resources[0].name must be a text", "products"),
    .init(10, "- name: [products]", "resources[0].name must be a text", "products"),
    .init(10, "- name: { text: products }", "resources[0].name must be a text", "products"),
    .init(10, #"- name: "a\u202Eb""#, "resources[0].name has a control or an invisible", "products"),
    .init(10, "- name: orders_full", "tables of orders_full have the names of those of orders", "of its own", at: 21),
    .init(10, "- name: products\n  write_disposition: append", "write_disposition is not merge", "remove it", at: 11),
    .init(10, "- name: products\n  write_disposition: []", "write_disposition is not merge", "merged by", at: 11),
    .init(
      10, "- name: products\n  write_disposition: { disposition: append }", "is not merge", "its walk is complete",
      at: 11),
    .init(21, "- products", "resources[1] the tables of products have the names", "path stays"),
    .init(21, "- products_list", "the tables of products_list have the names", "path stays"),
    .init(21, "- products_counters", "the tables of products_counters have the names", "path stays"),
    .init(21, "- { name: products_full }", "the tables of products_full have the names", "path stays"),
    .init(21, "- Orders", "resources[1] Orders cannot be the name of a table", "endpoint.path can differ"),
    .init(21, "-", "resources[1] must be a text", "products"),
    .init(21, "- [orders]", "resources[1] must have members", "known here: name"),
    .init(21, "- {}", "resources[1] has no name", "write name: products"),
    .init(21, "- { endpoint: orders }", "resources[1] has no name", "write name: products"),
  ]

  static let tableNames: [Malformed] = [
    "Products", "1st", "my-products", "_products", "\"pro ducts\"", "größe", "select", "user", "limit", "window",
    "favorite_item", "favorite_history", "grant_rights", String(repeating: "a", count: 32),
  ].map { .init(10, "- name: \($0)", "cannot be the name of a table", "lowercase letters, digits and _, at most 31") }
}
