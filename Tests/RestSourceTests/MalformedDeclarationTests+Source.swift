/// The keys of a source, and whole declarations.
extension MalformedDeclarationTests {
  static let top: [Malformed] = [
    .init(1, "typ: rest_api", "sources.shop has an unknown key typ", "did you mean type?"),
    .init(1, "file: other.yaml", ".file cannot be beside client", "remove all keys but type and file"),
    .init(1, "s3cr3t-value: 1", "sources.shop has an unknown key in this line", "known: type, file"),
    .init(1, "? [type]\n: rest_api", "has an unknown key in this line", "known: type"),
    .init(1, "<<: { type: rest_api }", "has an unknown key in this line", "known: type"),
    .init(2, "rate_limit: 5/1s", "unknown key rate_limit", "did you mean rate_limits?"),
    .init(2, "rate_limits: 5 per second", "rate_limits 5 per second is not a rate limit", "REQUESTS/TIME"),
    .init(2, "rate_limits: [5/1s, 0/1s]", "rate_limits 0/1s is not", "REQUESTS/TIME"),
    .init(2, "rate_limits: [none, 5/1s]", "rate_limits none is not", "REQUESTS/TIME"),
    .init(2, "rate_limits: 5/1s;9/1h", "rate_limits 5/1s;9/1h is not", "3/1s,60/60s"),
    .init(2, #"rate_limits: "5/1s,""#, "rate_limits  is not", "REQUESTS/TIME"),
    .init(2, "rate_limits: 99999999/1s", "99999999/1s is not", "REQUESTS/TIME"),
    .init(2, "rate_limits: []", "rate_limits must not be empty", "5/1s"),
    .init(2, "rate_limits: { second: 5 }", "rate_limits must be a text", "1000/1h"),
    .init(2, "rate_limits:", "rate_limits must be a text", "1000/1h"),
    .init(2, "rate_limits: [5/1s, [9/1h]]", "rate_limits[1] must be a text", "1000/1h"),
    .init(3, "clients:", "unknown key clients", "did you mean client?"),
    .init(9, "resource:", "unknown key resource", "did you mean resources?"),
  ]

  static let whole: [Malformed] = [
    .init(0, "[]", "sources.shop must have members", "known here: type", at: 1),
    .init(0, "rest_api", "sources.shop must have members", "known here: type", at: 1),
    .init(0, "type: rest_api\nresources: [a]", "sources.shop has no client", "write client:", at: 1),
    .init(0, "client: { base_url: https://a.example }", "sources.shop has no resources", "write resources:", at: 1),
    .init(0, "client:\nresources: [a]", ".client must have members", "known here: base_url", at: 1),
    .init(0, "client: https://a.example\nresources: [a]", ".client must have members", "base_url", at: 1),
    .init(0, "resources: [a]\nclient: [a]", ".client must have members", "base_url", at: 2),
    .init(0, "client: {}\nresources: [a]", ".client has no base_url", "write base_url:", at: 1),
    list("", " must be a list with a resource", "write resources:"),
    list("[]", " must be a list with a resource", "write resources:"),
    list("products", " must be a list with a resource", "write resources:"),
    list("{ name: products }", " must be a list with a resource", "write resources:"),
    list("[a]", "[0] has no primary_key", "write primary_key: id"),
    list("[{ name: a, primary_key: id }]", "[0] has no paginator", "syncctl source draft https://"),
    list("[{ name: a, primary_key: id, endpoint: { paginator: null } }]", "[0] has no paginator", "single_page"),
    .init(
      0, "client: &c { base_url: https://a.example }\nresource_defaults: *c\nresources: [a]",
      "resource_defaults has an unknown key base_url", "known: name", at: 1),
  ]

  private static func list(_ text: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(0, "client: { base_url: https://a.example }\nresources: \(text)", ".resources" + message, hint, at: 2)
  }
}
