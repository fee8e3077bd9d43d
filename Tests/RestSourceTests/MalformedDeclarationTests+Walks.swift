/// The keys that say how a list is walked.
extension MalformedDeclarationTests {
  static let walks: [Malformed] = [
    .init(17, "total_path: { path: total }", "total_path must be a text", "meta.total"),
    .init(17, "total_path: [meta, {}]", "total_path[1] must be a text", "[meta, total]"),
    .init(17, "total_path: $", "total_path $ is not a path of members", "names with dots"),
    .init(17, "total_path: meta[*].total", "total_path meta[*].total is not a path", "names with dots"),
    .init(18, "order: id", "order is not key", "write order: key"),
    .init(18, "order: true", "order is not key", "write order: key"),
    .init(18, "order: [key]", "order must be a text", "key"),
    .init(19, "lookup: products", "lookup must be a path with each member of the key", "products/{id}"),
    .init(19, "lookup: products/{sku}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: products/{id}/{sku}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: https://other.example/{id}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: products?id={id}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: all products/{id}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: [products]", "lookup must be a text", "products/{id}"),
    .init(19, "lookup: {}", "lookup has no path", "products/{id}"),
    .init(19, "lookup: { data_selector: data }", "lookup has no path", "products/{id}"),
    .init(19, #"lookup: { path: "p/{id}", selector: a }"#, "unknown key selector", "known: path, data_selector"),
    .init(19, #"lookup: { path: "p/{id}", data_selector: "a[0]" }"#, "data_selector a[0] is not a path", "with dots"),
  ]

  static let incremental: [Malformed] = [
    .init(20, "incremental: updated_at", "[0].incremental must have members", "known here: type, cursor_path"),
    .init(20, "incremental: [updated_at]", "[0].incremental must have members", "known here: type, cursor_path"),
    .init(20, "incremental: { cursor_pth: a }", "unknown key cursor_pth", "did you mean cursor_path?"),
    .init(20, "incremental: { start_param: since }", "incremental has no cursor_path", "updated_at"),
    .init(20, "incremental: { cursor_path: updated_at }", "incremental has no start_param", "start_param: since"),
    cursor("a..b", "incremental.cursor_path a..b is not a path", "with dots"),
    cursor("[]", "incremental.cursor_path must not be empty", "[meta, total]"),
    cursor("a, start_param: [since]", "start_param must be a text", "since"),
    cursor("a, initial_value: {}", "initial_value must be a text", "2026-01-01T00:00:00Z"),
    cursor("a, initial_value: 10/01/2025", "initial_value cannot be used: the cursor a has values", "cursor_path"),
    cursor("a, initial_value: all, lag: 1h", "initial_value cannot be used: the lag cannot be", "remove lag"),
    cursor("a, lag: 1 hour", "incremental.lag 1 hour is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, lag: -1h", "incremental.lag -1h is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, lag: 367d", "incremental.lag 367d is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, lag: 99999999s", "incremental.lag 99999999s is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, lag: [1h]", "incremental.lag must be a text", "7d"),
    cursor("a, lag: ", "incremental.lag must be a text", "7d"),
    cursor("a, end_param: until", "incremental.end_param needs a window", "window: 30d"),
    cursor("a, window: 30d", "incremental.window needs end_param", "end_param: until"),
    cursor("a, end_param: until, window: 30d", "incremental.window needs initial_value", "initial_value: "),
    cursor(
      "a, end_param: until, window: 1s, initial_value: \"2026-01-01\"", "incremental.window 1s is not a valid time",
      "7d"),
    .init(
      20,
      "incremental: { cursor_path: a, start_param: a, end_param: b, window: 30d, initial_value: \"2026-01-01\" }",
      "resources[0].order cannot be combined with window", "remove it", at: 18),
    cursor(
      "a, end_param: until, window: 30d, initial_value: yesterday", "incremental.initial_value cannot be used",
      "1577836800"),
    cursor("a, full_every: 0s", "incremental.full_every 0s is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, full_every: 1w", "incremental.full_every 1w is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, full_every: 400d", "incremental.full_every 400d is not a valid time", "90s, 15m, 6h, 7d"),
  ]

  private static func cursor(_ text: String, _ message: String, _ hint: String) -> Malformed {
    let start = text.contains("start_param") ? "" : ", start_param: since"
    return Malformed(20, "incremental: { cursor_path: \(text)\(start) }", message, hint)
  }
}
