import Testing

@testable import JSONScan

@Suite("Paths that lead to several lists or items")
struct PathTests {
  private static func items(
    _ body: String, _ path: [JSONScan.Step], acceptsObject: Bool = false
  ) throws -> (items: [String], envelope: String) {
    let page = try JSONScan.page(bytes(body), itemsPath: path, acceptsObject: acceptsObject)
    let items = page.items.map { item in
      switch item {
      case .item(let item): text(item.canonical)
      case .bad: "bad"
      }
    }
    return (items, text(page.envelope))
  }

  @Test(
    "the items are in the order of the body",
    arguments: [
      // A connection of GraphQL, with members beside the items.
      (
        #"{"a":{"edges":[{"node":{"id":2},"cursor":"x"},{"cursor":"y","node":{"id":1}}],"more":true}}"#,
        ["a", "edges", .elements, "node"], [#"{"id":2}"#, #"{"id":1}"#],
        #"{"a":{"edges":[{"cursor":"x","node":[]},{"cursor":"y","node":[]}],"more":true}}"#
      ),
      // A list of lists, of which one is empty, one is null and one is missing.
      (
        #"{"g":[{"i":[1,2]},{"i":[]},{"i":null},{},{"i":[3]}]}"#, ["g", .elements, "i"], ["1", "2", "3"],
        #"{"g":[{"i":[]},{"i":[]},{"i":null},{},{"i":[]}]}"#
      ),
      ("[[1],[2,3]]", [.elements], ["1", "2", "3"], "[[],[]]"),
      // A dictionary of items, and one of lists.
      (#"{"d":{"b":{"v":1},"a":{"v":2}}}"#, ["d", .values], [#"{"v":1}"#, #"{"v":2}"#], #"{"d":{"a":[],"b":[]}}"#),
      (#"{"b":[1],"a":[2]}"#, [.values], ["1", "2"], #"{"a":[],"b":[]}"#),
      ("[9,[1,2],[3]]", [.element(1)], ["1", "2"], "[9,[],[3]]"),
      (#"[{"page":1},[{"id":1}]]"#, [.element(1)], [#"{"id":1}"#], #"[{"page":1},[]]"#),
      (#"{"edges":[]}"#, ["edges", .elements, "node"], [], #"{"edges":[]}"#),
      ("{}", [.values], [], "{}"),
      (#"{"edges":[{"node":null}]}"#, ["edges", .elements, "node"], [], #"{"edges":[{"node":null}]}"#),
    ] as [(String, [JSONScan.Step], [String], String)])
  func order(body: String, path: [JSONScan.Step], expected: [String], envelope: String) throws {
    let found = try Self.items(body, path)
    #expect(found.items == expected)
    #expect(found.envelope == envelope)
  }

  @Test(
    "a bad item in a member, and a value in place of an item, lose nothing else",
    arguments: [
      (
        #"{"e":[{"n":{"v":1}},{"n":{bad},"c":1},{"n":{"v":3}}]}"#, ["e", .elements, "n"],
        [#"{"v":1}"#, "bad", #"{"v":3}"#]
      ),
      (#"{"d":{"a":{"v":01},"b":{"v":2}}}"#, ["d", .values], ["bad", #"{"v":2}"#]),
      (#"{"e":[{"n":"x"},7,{"n":{"v":1}}]}"#, ["e", .elements, "n"], [#""x""#, "7", #"{"v":1}"#]),
    ] as [(String, [JSONScan.Step], [String])])
  func badItems(body: String, path: [JSONScan.Step], expected: [String]) throws {
    #expect(try Self.items(body, path).items == expected)
  }

  @Test("of members with the same name, the last one has the items")
  func duplicateNames() throws {
    let body = #"{"e":[{"n":[1]},{"n":[2],"n":[3]}],"e":[{"n":[4],"n":[5,6]}]}"#
    #expect(try Self.items(body, ["e", .elements, "n"]).items == ["5", "6"])
  }

  @Test("an object in place of the list is the only item, if that is accepted")
  func object() throws {
    for (body, path) in [(#"{"data":{"id":1},"x":2}"#, ["data"]), (#"{"id":1}"#, [])] as [(String, [JSONScan.Step])] {
      let found = try Self.items(body, path, acceptsObject: true)
      #expect(found.items == [#"{"id":1}"#])
      #expect(throws: JSONScanError.self) { try Self.items(body, path) }
    }
    #expect(try Self.items("[1,2]", [], acceptsObject: true).items == ["1", "2"])
    #expect(throws: JSONScanError.self) { try Self.items(#"{"data":7}"#, ["data"], acceptsObject: true) }
  }

  @Test(
    "no items: the reason",
    arguments: [
      (#"{"edges":{}}"#, ["edges", .elements, "node"], .notAnArray), ("{}", ["edges", .elements], .missing),
      (#"{"d":[1]}"#, ["d", .values], .notAnObject), ("[1]", [.element(1)], .missing),
      ("[1,2]", [.element(1)], .notAnArray), (#"{"edges":null}"#, ["edges", .elements], .notAnArray),
    ] as [(String, [JSONScan.Step], JSONScanError.NoItems.Why)])
  func noItems(body: String, path: [JSONScan.Step], why: JSONScanError.NoItems.Why) throws {
    let error = #expect(throws: JSONScanError.self) { try Self.items(body, path) }
    guard case .noItems(let found) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.why == why)
  }

  @Test("the text of a path is the one of a declaration")
  func pathText() {
    #expect(JSONScan.Step.text(["a", .elements, "b", .element(2), .values]) == "a[*].b[2].*")
    #expect(JSONScan.Step.text([.elements, "b"]) == "[*].b" && JSONScan.Step.text([]).isEmpty)
  }

  private static func names(_ body: String, _ path: [JSONScan.Step], keeps: Bool = true) throws -> [String?] {
    try JSONScan.page(bytes(body), itemsPath: path, keepsMemberNames: keeps).items.map { item in
      switch item {
      case .item(let item): item.memberName.map(text)
      case .bad: "bad"
      }
    }
  }

  @Test(
    "an item has the name that the last .* followed, as canonical JSON",
    arguments: [
      (#"{"rates":{"USD":{"v":1},"E\u0055\"R":{"v":2}}}"#, ["rates", .values], [#""USD""#, #""EU\"R""#]),
      (#"{"b":{"p":{"q":1}},"a":{"q":[{}]}}"#, [.values], [#""b""#, #""a""#]),
      // The items of lists, and items below the name.
      (#"{"d":{"b":[1,2],"a":[3],"c":[]}}"#, ["d", .values], [#""b""#, #""b""#, #""a""#]),
      (#"{"b":{"m":0,"n":{"v":1}},"a":{"n":{"v":2}}}"#, [.values, "n"], [#""b""#, #""a""#]),
      (#"{"b":{"x":[{"n":{}}]}}"#, [.values, "x", .elements, "n"], [#""b""#]),
      // Several steps that lead to many values.
      (#"[{"i":{"x":{}}},{"i":{"y":{},"z":{}}}]"#, [.elements, "i", .values], [#""x""#, #""y""#, #""z""#]),
      (#"{"a":{"x":{},"y":{}},"b":{"z":{}}}"#, [.values, .values], [#""x""#, #""y""#, #""z""#]),
      // A value in place of the object has no name, and the name after it is right.
      (#"{"a":{"x":{}},"b":7,"c":{"y":{}}}"#, [.values, .values], [#""x""#, nil, #""y""#]),
      (#"{"a":{"x":{}},"b":[7],"c":{"y":{}}}"#, [.values, .values], [#""x""#, nil, #""y""#]),
      (#"{"d":{"a":{"v":01},"b":{"v":2}}}"#, ["d", .values], ["bad", #""b""#]),
      (#"{"":{},"a\u0000":{}}"#, [.values], ["\"\"", "\"a\u{FFFD}\""]), ("{}", [.values], []),
      ("[{}]", [], [nil]), (#"{"a":[{}]}"#, ["a"], [nil]), (#"[{"a":{}}]"#, [.elements, "a"], [nil]),
    ] as [(String, [JSONScan.Step], [String?])])
  func memberNames(body: String, path: [JSONScan.Step], expected: [String?]) throws {
    #expect(try Self.names(body, path) == expected)
    #expect(try Self.names(body, path, keeps: false).allSatisfy { $0 == nil || $0 == "bad" })
  }
}
