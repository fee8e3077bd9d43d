/// A request the API refuses, in the words of its error bodies.
enum JikanProblem: Error {
  /// A parameter out of its range: 400.
  case invalid(parameter: String, message: String)
  /// No such route: 404.
  case noRoute
  /// Not a GET: 405.
  case methodNotAllowed
  /// Something that the site does not have: 404. `page` is its address there, from the host on.
  case missing(page: String)

  /// The answer as the API would send it; the successor of Jikan adds the requested path.
  func answer(successorPath: String?) -> SimulatedAnswer {
    var json = JSONText(capacity: 256)
    json.raw(#"{"status":"#)
    json.int(status)
    json.raw(#","type":""#)
    json.raw(type(isSuccessor: successorPath != nil))
    json.raw(#"",""#)
    switch self {
    case .invalid(let parameter, let message):
      json.raw(#"messages":{"#)
      json.string(parameter)
      json.raw(":[")
      json.string(message)
      json.raw(#"]},"error":"#)
      json.string("Invalid or incomplete request. Make sure your request is correct. https://docs.api.jikan.moe/")
    case .noRoute: json.raw(#"message":"Not Found","error":null"#)
    case .methodNotAllowed: json.raw(#"message":"Method Not Allowed","error":null"#)
    case .missing(let page):
      json.raw(#"message":"Resource does not exist","error":"#)
      json.string("404 on https://myanimelist.net/\(page)")
    }
    if let successorPath {
      json.raw(#","path":"#)
      json.string(successorPath)
    }
    json.raw("}")
    return .json(json.bytes, status: status, headers: [HeaderField("Cache-Control", "no-cache, private")])
  }

  private var status: Int {
    switch self {
    case .invalid: 400
    case .noRoute, .missing: 404
    case .methodNotAllowed: 405
    }
  }

  private func type(isSuccessor: Bool) -> StaticString {
    switch self {
    case .invalid: "ValidationException"
    case .noRoute, .methodNotAllowed: "HttpException"
    case .missing(let page):
      isSuccessor && !page.hasPrefix("top") ? "ResourceNotFoundException" : "BadResponseException"
    }
  }
}
