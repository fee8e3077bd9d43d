/// The elements of `response_actions`.
extension MalformedDeclarationTests {
  static let answers: [Malformed] = [
    list("ignore", "response_actions must be a list", "[{ status_code: 404, action: ignore }]"),
    list("{ status_code: 404, action: ignore }", "response_actions must be a list", "[{ status_code: 404, action"),
    list("[set_encoding]", "response_actions[0] is a function", "functions of Python are not run"),
    list("[[{ status_code: 404 }]]", "response_actions[0] must have members", "known here: status_code"),
    list(
      "[{ status_code: 404, action: ignore }, { content: a }]", "response_actions[1] has no action",
      "action: ignore, action: fail, action: retry, action: end"),
    action("status_code: 200, action: [remove_field]", ".action is not the name of an action", "of Python"),
    action("status_code: 200, action: { name: remove_field }", ".action is not the name of an action", "of Python"),
    action(#"status_code: 200, action: "lambda r: r""#, ".action is a function", "functions of Python are not run"),
    action("status_code: 200, action: remove_field", ".action is a function", "a view in SQL"),
    action("status_code: 404, action: ignor", ".action is the unknown action ignor", "did you mean ignore?"),
    action("status_code: 404, action: skip", ".action is the unknown action skip", "fail"),
    action("status_code: 404, action: 3", ".action is a function", "action: ignore"),
    action("status_code: 404, action: ", ".action must be a text", "ignore"),
    action("action: ignore", " fits each answer", "{ status_code: 404, action: ignore }"),
    action("status_code: 200, action: ignore", " fits each page of the list", "content: no data"),
    action("status: 200, action: end", " fits each page of the list", "add content or path"),
    action("status: 404, status_code: 404, action: end", ".status is the same as status_code", "remove one"),
    action("status_code: 4xx, action: ignore", ".status_code must be a whole number", "200 to 599"),
    action("status_code: 99, action: ignore", ".status_code must be a whole number", "200 to 599"),
    action("status_code: [404], action: ignore", ".status_code must be a whole number", "200 to 599"),
    action("status_code: 304, action: ignore", ".status_code is 304", "remove this action"),
    action("status_code: 429, action: retry", ".status_code is 429, which is retried in any case", "rate_limits"),
    action("status: 429, action: ignore", ".status is 429, which is retried in any case", "rate_limits"),
    action(#"content: "", action: ignore"#, ".content must be a text", "Not found"),
    action("content: [a], action: ignore", ".content must be a text", "Not found"),
    action(#"content: "\u001B[31m", action: ignore"#, ".content has a control", "Not found"),
    action(#"path: "errors[0].code", action: fail"#, ".path errors[0].code is not a path", "names with dots"),
    action("path: , action: fail", ".path must be a text", "meta.total"),
    action("equals: a, action: fail", ".equals has no path", "path: error.code"),
    action(#"path: a, equals: "", action: fail"#, ".equals must be a text", "rate_limited"),
    action("path: a, equals: [b], action: fail", ".equals must be a text", "rate_limited"),
    action("path: a, equal: b, action: fail", " has an unknown key equal", "did you mean equals?"),
    .init(
      8, "resource_defaults: { primary_key: id, endpoint: { response_actions: [{ status: 429, action: end }] } }",
      "resource_defaults.endpoint.response_actions[0].status is 429", "remove this action"),
  ]

  private static func list(_ text: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(12, "path: products\nresponse_actions: \(text)", "endpoint.\(message)", hint, at: 13)
  }

  private static func action(_ text: String, _ message: String, _ hint: String) -> Malformed {
    list("[{ \(text) }]", "response_actions[0]\(message)", hint)
  }
}
