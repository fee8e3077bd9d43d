import Testing

@testable import RestSource

@Suite("Expressions of manifests")
struct JinjaTests {
  @Test(
    "an expression becomes a tree, by Jinja's order of operations",
    arguments: [
      ("config['a'].b", JinjaExpression.reference(["config", "a", "b"])),
      ("config.get('a', {}).get(\"b\")", .reference(["config", "a", "b"])),
      ("response.data[-1].id", .reference(["response", "data", "-1", "id"])),
      (
        "a or b and not c",
        .operation("or", .reference(["a"]), .operation("and", .reference(["b"]), .not(.reference(["c"]))))
      ),
      ("'x' not in a.b", .not(.operation("in", .literal(.text("x")), .reference(["a", "b"])))),
      ("a.b is not none", .not(.operation("is", .reference(["a", "b"]), .literal(.null)))),
      (
        "'1' if a == 'x' else 2",
        .conditional(
          .literal(.text("1")), condition: .operation("==", .reference(["a"]), .literal(.text("x"))),
          otherwise: .literal(.number("2")))
      ),
      ("a + b * 2", .operation("+", .reference(["a"]), .operation("*", .reference(["b"]), .literal(.number("2"))))),
      ("a | int", .filter(.reference(["a"]), name: "int", arguments: [])),
      (
        "day_delta(-7, format='%Y')",
        .call(
          receiver: nil, name: "day_delta",
          arguments: [
            JinjaArgument(value: .literal(.number("-7"))), JinjaArgument(name: "format", value: .literal(.text("%Y"))),
          ])
      ),
      ("a[b]", .opaque), ("a[:10]", .opaque), ("a +", .opaque), ("'a", .opaque), ("a b", .opaque), ("a ? b", .opaque),
      ("", .opaque),
    ])
  func trees(text: String, tree: JinjaExpression) {
    #expect(JinjaParser.expression(text[...]) == tree)
  }

  @Test("an expression that is too deep or too long is not read")
  func limits() {
    let deep = String(repeating: "(", count: 200) + "a" + String(repeating: ")", count: 200)
    let long = Array(repeating: "a", count: 2_000).joined(separator: "+")
    #expect(JinjaParser.expression("((a))") == .reference(["a"]))
    #expect(JinjaParser.expression(deep[...]) == .opaque)
    #expect(JinjaParser.expression(long[...]) == .opaque)
  }

  @Test("texts and expressions of a template alternate, and braces within an expression do not end it")
  func templates() {
    let parts = JinjaTemplate("a{{ x.get('}}', {}) }}b{{ y }}").parts.map { part in
      switch part {
      case .text(let text): text
      case .expression(let expression, let source): "\(expression == .opaque ? "?" : "=")\(source)"
      }
    }
    #expect(parts == ["a", "=x.get('}}', {})", "b", "=y"])
    #expect(JinjaTemplate("{{ open").parts.count == 1)
    guard case .expression(.opaque, _)? = JinjaTemplate("{% if a %}b{% endif %}").parts.first else {
      Issue.record("a statement is read")
      return
    }
  }

  @Test(
    "durations of ISO 8601 are whole seconds",
    arguments: [
      ("PT1H", 3_600), ("P1D", 86_400), ("P2W", 14 * 86_400), ("P1M", 30 * 86_400), ("P1Y", 365 * 86_400),
      ("P1DT2H3M4S", 93_784), ("PT0.000001S", 1), ("P0D", 0), ("P", nil), ("1D", nil), ("P1X", nil),
    ])
  func durations(text: String, seconds: Int?) { #expect(ISODuration.seconds(text) == seconds) }

  @Test(
    "a date is written in a format of strftime",
    arguments: [
      ("2020-02-29T01:02:03Z", "%s", "1582938123"), ("2020-02-29", "%ms", "1582934400000"),
      ("2020-02-29T01:02:03.5+00:00", "%Y-%m-%dT%H:%M:%S.%f%z", "2020-02-29T01:02:03.000000+0000"),
      ("2020-02-29 01:02", "%F %T", "2020-02-29 01:02:00"), ("2020-02-29", "%d/%m/%Y", "29/02/2020"),
      ("2019-02-29", "%Y", nil), ("2020-02-29T01:02:03+02:00", "%Y", nil), ("2020-02-29", "%j", nil),
    ])
  func dates(text: String, format: String, written: String?) {
    #expect(ManifestDate(text)?.text(format) == written)
  }
}
