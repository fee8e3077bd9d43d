/// Keys of items, columns and counters.
extension MalformedDeclarationTests {
  static let keys: [Malformed] = [
    key("[]", "must have one to three", "[shop, id]"), key("{ a: b }", "must be a text", "meta.total"),
    key("[id, {}]", "[1] must be a text", "meta.total"), key("[a, b, c, d]", "must have one to three", "[shop, id]"),
    key("[id, id]", "one to three different members", "[shop, id]"),
    key("raw", "raw has no name for its column", "columns: { its_name: { path: raw, type: text } }"),
    key("Position", "Position has no name for its column", "{ path: Position, type: text }"),
    key("[id, Id]", "the members id and Id have the same column id", "columns: { its_name: { path: Id, type: text } }"),
    key("[item-id, itemId]", "the members item-id and itemId have the same column item_id", "{ path: itemId"),
    key("a..b", "a..b is not a path", "with dots"),
    .init(21, "- { name: orders, primary_key: '*', lookup: 'a/{id}' }", "lookup needs a primary_key", "remove it"),
    .init(21, "- { name: orders, primary_key: '*', order: key }", "order needs a primary_key", "remove it"),
    key("['*']", "* is not a path of members", "with dots"),
    .init(21, "- { name: orders, primary_key: }", "resources[1] has no primary_key", "write primary_key: id"),
  ]

  private static func key(_ text: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(21, "- { name: orders, primary_key: \(text) }", message, hint)
  }

  static let columns: [Malformed] = [
    .init(15, "columns: title", "columns must have members", "columns: { title: text"),
    .init(15, "columns: [title]", "columns must have members", "columns: { title: text"),
    .init(15, "columns: { title: }", "columns.title must be a text", "text"),
    .init(15, "columns: { title: [text] }", "columns.title must be a text", "text"),
    .init(15, "columns: { title: texts }", "title has an unknown type texts", "did you mean text?"),
    .init(15, "columns: { title: bigints }", "title has an unknown type bigints", "did you mean bigint?"),
    .init(15, "columns: { title: varchar }", "title has an unknown type varchar", "known: text, integer"),
    .init(15, #"columns: { title: "text[][]" }"#, "title has an unknown type text[][]", "(text[])"),
    .init(15, "columns: { price: {} }", "columns.price has no type", "type: numeric"),
    .init(15, "columns: { price: { path: pricing.amount } }", "columns.price has no type", "type: numeric"),
    .init(15, "columns: { price: { type: [text] } }", "columns.price.type must be a text", "text"),
    .init(15, "columns: { price: { data_type: money } }", "price.data_type has an unknown type money", "known: text"),
    .init(15, "columns: { price: { typ: text } }", "price has an unknown key typ", "did you mean type?"),
    .init(15, #"columns: { price: { path: "a[0]", type: text } }"#, "price.path a[0] is not a path", "with dots"),
    .init(15, "columns: { price: { path: $, type: text } }", "price.path $ is not a path", "with dots"),
    .init(15, "columns: { price: { path: , type: text } }", "price.path must be a text", "meta.total"),
    .init(15, "columns: { at: { type: timestamptz, format: iso } }", "format has an unknown format iso", "epoch"),
    .init(
      15, "columns: { at: { type: text, format: epoch } }", "epoch is not a format of text", "timestamptz and date"),
    .init(
      15, #"columns: { at: { type: "date[]", format: epoch } }"#, "epoch is not a format of date[]", "not for arrays"),
    .init(15, "columns: { on: { type: timestamptz, format: number } }", "number is not a format of", "boolean"),
    .init(15, "columns: { Id: text }", "the key id must be a member of the item", "{ id: text }"),
    .init(15, "columns: { a: text, A: text }", "the members a and A have the same column a", "{ path: A, type: text }"),
    .init(
      15, "columns: { \((1...1_700).map { "c\($0): text" }.joined(separator: ", ")) }",
      "has 1703 columns, and a table of PostgreSQL has at most 1,600", "declare at most 1593"),
    .init(15, "title: name", "title is not a column of type text", "{ its_name: { path: name, type: text } }"),
    .init(15, "title: id", "title is not a column of type text", "{ path: id, type: text }"),
    .init(15, "columns: { <<: { title: text } }", "columns.<< cannot be the name of a column", "path: <<"),
    .init(15, "columns: { id: numeric }", "columns the key id must be a member of the item", "{ id: text }"),
    .init(15, "columns: { id: timestamptz }", "columns the key id must be a member", "{ id: text }"),
    .init(15, #"columns: { id: "bigint[]" }"#, "columns the key id must be a member", "{ id: text }"),
    .init(15, "columns: { id: { path: meta.id, type: bigint } }", "the key id must be a member", "{ id: text }"),
  ]

  static let columnNames: [Malformed] = [
    "syncctl_key", "raw", "content_hash", "first_seen_at", "requested_at", "changed_at", "vanished_at", "counter_hash",
    "counters_changed_at", "position", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid",
    String(repeating: "a", count: 63),
  ].map { .init(15, "columns: { \($0): text }", "cannot be the name of a column", "columns: { its_name: { path:") }

  static let counters: [Malformed] = [
    .init(16, "counters: { views: bigint }", "counters must be a text", "[views, stock]"),
    .init(16, "counters: []", "counters must not be empty", "[views, stock]"),
    .init(16, "counters: [views, [stock]]", "counters[1] must be a text", "[views, stock]"),
    .init(16, "counters: [id]", "counters id cannot be a counter", "outside of the key"),
    .init(16, "counters: [views, views]", "counters views cannot be a counter", "once each"),
    .init(16, "counters: [raw]", "counters raw cannot be the name of a column", "{ path: raw, type: numeric }"),
    .init(16, "counters: [views, Views]", "the members views and Views have the same column views", "{ path: Views"),
    .init(16, "counters: [stats.views]", "stats.views cannot be a counter", "members of the item"),
    .init(16, "counters: [price]", "the members pricing.amount and price have the same column price", "its_name"),
    .init(16, "counters: [pricing]", "counters pricing cannot be a counter", "a column can only rename one"),
    .init(16, "counters: [updated_at]", "counters updated_at is the cursor", "remove it from counters"),
  ]
}
