import Foundation
import SyncCore
import Testing

@testable import RestSource

@Suite("Placeholders in parameters and bodies")
struct TextTemplateTests {
  /// 2026-03-01T13:05:09Z.
  private static let now: Int64 = 1_772_370_309

  /// Reads a text of a resource whose lists have the name `city`.
  private static func template(
    _ text: String, format: String? = nil, isInBody: Bool = false
  ) throws -> TextTemplate? {
    let part = DeclarationPart(file: "shop.yaml", path: "shop", node: try DeclarationText.node("x"))
    let values = ResourceReader.Values(name: "city", values: ["berlin"], part: part)
    var placeholders = PlaceholderReader(resolved: [:], values: values)
    return try placeholders.template(
      of: text, at: part, format: try format.map { try #require(DateFormat($0)) }, isInBody: isInBody)
  }

  @Test(
    "a date is computed from the beginning of the run",
    arguments: [
      ("{today}", nil, "2026-03-01"), ("{today - 1d}", nil, "2026-02-28"), ("{today+7d}", nil, "2026-03-08"),
      ("{now}", nil, "2026-03-01T13:05:09Z"), ("{ now - 36h }", nil, "2026-02-28T01:05:09Z"),
      ("{now - 90s}", nil, "2026-03-01T13:03:39Z"), ("{today - 24000d}", nil, "1960-06-15"),
      ("created:>={today - 7d} open", nil, "created:>=2026-02-22 open"),
      ("{today - 2d},{today}", "%Y%m%d", "20260227,20260301"), ("{today}", "epoch", "1772323200"),
      ("{now}", "epoch_ms", "1772370309000"), ("{now}", "%d/%m/%Y %H:%M:%S 100%%", "01/03/2026 13:05:09 100%"),
      (#"{"a":{"from":"{today}"}}"#, nil, #"{"a":{"from":"2026-03-01"}}"#),
    ])
  func date(source: String, format: String?, expected: String) throws {
    for isInBody in [false, true] {
      let template = try #require(try Self.template(source, format: format, isInBody: isInBody))
      #expect(template.hasDates && template.shown == source)
      let dated = template.dated(at: Self.now)
      #expect(dated.shown == expected && dated.source == source && dated.hasDates)
    }
  }

  @Test("the values of a list and of a walk fill their placeholders once")
  func values() throws {
    let text = "{city}: {today} {incremental.start_value}–{incremental.end_value}, {incremental.last_value} {{city}}{0}"
    let template = try #require(try Self.template(text)).dated(at: Self.now)
    let values = TextTemplate.Values(list: ["{incremental.end_value}"], start: "{0}", end: "b")
    #expect(
      template.text(filledWith: values)
        == "{incremental.end_value}: 2026-03-01 {0}–b, {0} {{incremental.end_value}}{0}")
    #expect(
      template.shown == "{0}: 2026-03-01 {incremental.start_value}–{incremental.end_value}, {incremental.start_value} "
        + "{{0}}{0}")
    #expect(template.hasListValues && template.hasCursor && !template.isAlone)
    #expect(try Self.template("{incremental.last_value}")?.isStart == true)
    #expect(try Self.template("{incremental.end_value}")?.isEnd == true)
    #expect(try Self.template(" {incremental.end_value}")?.isEnd == false)
  }

  @Test(
    "other braces are literal text",
    arguments: [
      #"{"where":{"age":{"$gt":21}}}"#, #"{"a":[]}"#, "{}", "{{}}", "a{2,3}", "x{1}", "}{", "{", "a } b { c",
      "query ($after: String) { things(first: 100, after: $after) { nodes { id now today } } }", "{a{b{c}}}",
      "query{things{id}}", "{ city }", "{ a }", "{todo{now{id}}}", "comments{body}", "{nodes{Id}} {new}",
      "SELECT ?x WHERE { ?x wdt:P31 wd:Q146 . }", "{a TO b}", "{nowhere} {todays2}", "{{org}}", "in {org}",
      #"{"a":{"env":"KEY"}}"#, "{env: PROD}", "{a.b} {c}", "{resource {x}",
    ])
  func literal(text: String) throws {
    #expect(try Self.template(text) == nil)
    #expect(try Self.template(text, isInBody: true) == nil)
  }

  @Test("in a body, blanks tell a field of GraphQL from a date")
  func fields() throws {
    for text in ["{ today }", "query { now }", "{ now}"] {
      #expect(try Self.template(text) != nil)
      #expect(try Self.template(text, isInBody: true) == nil)
    }
    #expect(try Self.template("{ today - 1d }", isInBody: true) != nil)
  }

  @Test(
    "a placeholder with a mistake is an error that says what to write",
    arguments: [
      ("{yesterday}", "{yesterday}, which is not a placeholder", "{today}"), ("{0}", "{0}, which is not", "{today}"),
      ("{todya} x", "{todya}, which is not a placeholder", "did you mean {today}?"),
      ("a {Today}", "{Today}, which is not a placeholder", "did you mean {today}?"),
      ("{NOW} b", "{NOW}, which is not", "did you mean {now}? Or if the braces are meant, write blanks"),
      ("in:{cty} x", "{cty}, which is not", "did you mean {city}?"),
      ("{a{City}}", "{City}, which is not", "did you mean {city}?"),
      ("x {resource.a.b}", "{resource.a.b}, which is not", "did you mean {resources.a.b}?"),
      ("x {incremantal.start_value}", "which is not a placeholder", "{incremental.start_value}?"),
      ("{today - 7}", "{today - 7}, which is not a date", "{now - 7d}"), ("{now -}", "{now -}, which is not", "7d}"),
      ("a {today 7d}", "{today 7d}, which is not a date", "{now - 7d}"), ("{now-1x}", "which is not a date", "7d}"),
      ("{now - 1d", "{now - 1d without its last brace", "write {now - 1d}"), ("a {now", "without its last", "{now}"),
      ("{resources.a.b", "{resources.a.b without its last brace", "write {resources.a.b}"),
      ("{resources.a.b {", "{resources.a.b  without its last brace", "write {resources.a.b"),
      ("{incremental.start", "without its last brace", "write {incremental.start}"),
      (">{incremental.start}", "{incremental.start}, which is not a value", "{incremental.start_value}"),
      ("Token {env:KEY}", "a secret within a text", "{ env: NAME }"),
      ("Token {file:a/b.txt}", "a secret within a text", "{ env: NAME }"),
      ("{resources.a}", "{resources.a}, which names no member", "{resources.a.id}"),
    ])
  func fault(text: String, message: String, hint: String) throws {
    for isInBody in [false, true] {
      let error = #expect(throws: SyncError.self) { try Self.template(text, isInBody: isInBody) }
      #expect(error?.message.contains(message) == true, "\(String(describing: error))")
      #expect(error?.hint?.contains(hint) == true, "\(String(describing: error))")
    }
  }

  @Test("other formats are unknown", arguments: ["%B", "iso", "%", ""])
  func format(text: String) { #expect(DateFormat(text) == nil) }

  @Test(
    "a list with other dates is another list, but an incremental list stays the same one",
    arguments: [
      #"params: { from: "{today}" }"#, #"method: POST, idempotent: true, json: { a: [{ from: ">{today}" }] }"#,
    ])
  func parameters(endpoint: String) throws {
    func stream(_ more: String, at now: Int64) throws -> RestStream {
      let declaration = try DeclarationText.read(
        """
        client: { base_url: https://api.example.org, paginator: single_page }
        resources:
          - name: a
            primary_key: id
            endpoint: { \(endpoint) }
            \(more)
        """)
      return RestStream(declaration.resources[0].dated(at: now), of: declaration)
    }
    let incremental = "incremental: { cursor_path: at, start_param: since }"
    for (more, isSame) in [("", false), (incremental, true)] {
      let first = try stream(more, at: Self.now)
      #expect(first.resource.isWindow && first.description.absence == .leavesWindow)
      #expect(try stream(more, at: Self.now + 60).description.parameters == first.description.parameters)
      let later = try stream(more, at: Self.now + 86_400)
      #expect((later.description.parameters == first.description.parameters) == isSame)
      #expect(!isSame || first.description.parameters.contains("{today}"))
    }
  }

  private static func requests(
    _ yaml: String, since: String? = nil, now: Int64? = nil
  ) throws -> [(query: String, body: String)] {
    let resource = try DeclarationText.resource("name: a\n\(yaml)")
    let declaration = try DeclarationText.read(
      "client: { base_url: https://api.example.org, paginator: single_page }\nresources: [{ name: a, primary_key: id }]"
    )
    let lists = try resource.incremental?.windows(since: since, now: now ?? 0)
    let stream = RestStream(resource, of: declaration, since: since, lists: lists)
    return (lists?.map(\.name) ?? [nil]).map { list in
      let request = stream.request(PageAddress(page: 1, size: 100).of(list: list))
      let query = request.url.split(separator: "?").dropFirst().joined()
      return (query.removingPercentEncoding ?? "", String(decoding: request.body ?? [], as: UTF8.self))
    }
  }

  @Test("a text contains the cursor of an incremental walk, and the initial value in a walk of the whole list")
  func cursorInText() throws {
    let yaml = """
      endpoint:
        method: POST
        idempotent: true
        params: { q: "updated:>={incremental.start_value} type:issue", s: "{incremental.start_value}", n: 1 }
        json: { a: ["{incremental.start_value}"], b: "x>{incremental.last_value}" }
      incremental: { cursor_path: at, initial_value: "2020-01-01" }
      """
    #expect(try DeclarationText.resource("name: a\n\(yaml)").incremental?.parameter == "s")
    let first = try Self.requests(yaml)[0]
    #expect(first.query == "q=updated:>=2020-01-01 type:issue&n=1&s=2020-01-01")
    #expect(first.body == #"{"a":["2020-01-01"],"b":"x>2020-01-01"}"#)
    let later = try Self.requests(yaml, since: #"2026-02-03""#)[0]
    #expect(later.query == #"q=updated:>=2026-02-03" type:issue&n=1&s=2026-02-03""#)
    #expect(later.body == #"{"a":["2026-02-03\""],"b":"x>2026-02-03\""}"#)
  }

  @Test("the walks of a list with the cursor in a text have the same parameters for each cursor")
  func parametersOfCursor() throws {
    let resource = try DeclarationText.resource(
      """
      name: a
      endpoint: { method: POST, idempotent: true, json: { q: ">{incremental.start_value}" } }
      incremental: { cursor_path: at, initial_value: 5 }
      """)
    #expect(resource.incremental?.parameter == nil)
    let declaration = try DeclarationText.read(
      "client: { base_url: https://api.example.org, paginator: single_page }\nresources: [{ name: a, primary_key: id }]"
    )
    let whole = RestStream(resource, of: declaration).description
    let later = RestStream(resource, of: declaration, since: "7").description
    #expect(whole.parameters.contains(#"POST {"q":">{incremental.start_value}"}"#))
    #expect(later.wholeListParameters == whole.parameters && later.parameters == whole.parameters + "&since=7")
  }

  @Test("each window fills the texts with its start and its end")
  func windows() throws {
    let yaml = """
      endpoint:
        method: POST
        idempotent: true
        params: { period: '["{incremental.start_value}","{incremental.end_value}"]' }
        json: { startTime: "{incremental.start_value}", endTime: "{incremental.end_value}" }
      incremental: { cursor_path: at, initial_value: "1970-01-01", window: 1d }
      """
    let requests = try Self.requests(yaml, now: 90_000)
    #expect(requests.count == 2)
    #expect(requests[1].query == #"period=["1970-01-02","1970-01-03"]"#)
    #expect(requests[1].body == #"{"endTime":"1970-01-03","startTime":"1970-01-02"}"#)
    // A number in the file is a number in the body, unless it is within a text.
    let numbers = yaml.replacing(#""1970-01-01""#, with: "86400")
      .replacing("{ startTime", with: #"{ t: ">{incremental.start_value}", startTime"#)
    let body = try Self.requests(numbers, now: 90_000)[0].body
    #expect(body.hasPrefix(#"{"endTime":172"#) && body.hasSuffix(#","startTime":86400,"t":">86400"}"#), "\(body)")
  }
}
