enum SimulatedJikanProblem: Error {
  case invalid(parameter: String, message: String)
  case noRoute
  case methodNotAllowed
  case missing(page: String)

  func answer(successorPath: String?) -> SimulatedAnswer {
    let (status, type, message): (Int, String, SimulatedJSON) =
      switch self {
      case .invalid(let parameter, let message):
        (
          400, "ValidationException",
          #"""
          "messages":{\#(parameter):[\#(JSONFragment(message))]},\#
          "error":"Invalid or incomplete request. Make sure your request is correct. https:\/\/docs.api.jikan.moe\/"
          """#
        )
      case .noRoute: (404, "HttpException", #""message":"Not Found","error":null"#)
      case .methodNotAllowed: (405, "HttpException", #""message":"Method Not Allowed","error":null"#)
      case .missing(let page):
        (
          404,
          successorPath != nil && !page.hasPrefix("top") ? "ResourceNotFoundException" : "BadResponseException",
          #"""
          "message":"Resource does not exist","error":\#(JSONFragment("404 on https://myanimelist.net/\(page)"))
          """#
        )
      }
    let path: SimulatedJSON = successorPath.map { #","path":\#(JSONFragment($0))"# } ?? ""
    let body: SimulatedJSON = #"{"status":\#(status),"type":\#(type),\#(message)\#(path)}"#
    return .json(body.bytes, status: status, headers: [HeaderField("Cache-Control", "no-cache, private")])
  }
}
