/// The parameters that searches and lookups share, checked.
struct ITunesQuery {
  static let longestAnswer = 200
  static let defaultLimit = 50

  let parameters: QueryParameters
  let store: ITunesStorefront
  let language: ITunesLanguage
  let limit: Int

  /// Throws what is wrong with them.
  init(_ parameters: QueryParameters) throws(ITunesProblem) {
    self.parameters = parameters
    guard let store = ITunesStorefront(Self.value("country", of: parameters) ?? "us") else {
      throw .invalid("country")
    }
    self.store = store
    if let lang = Self.value("lang", of: parameters) {
      guard let language = ITunesLanguage(parameter: lang) else { throw .invalid("language") }
      self.language = language
    } else {
      language = store.language
    }
    if let text = Self.value("limit", of: parameters) {
      guard let limit = Int(text), limit >= 1 else { throw .invalid("limit") }
      self.limit = min(limit, Self.longestAnswer)
    } else {
      limit = Self.defaultLimit
    }
  }

  /// A parameter that has a value.
  subscript(name: String) -> String? { Self.value(name, of: parameters) }

  private static func value(_ name: String, of parameters: QueryParameters) -> String? {
    parameters[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A list of numbers, as many as an answer has rows at most.
  func numbers(_ name: String, called key: String) throws(ITunesProblem) -> [Int] {
    let texts = list(name)
    guard texts.count <= Self.longestAnswer else { throw .invalid(key) }
    let numbers = texts.compactMap { text in text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil }
    guard numbers.count == texts.count else { throw .invalid(key) }
    return numbers
  }

  /// The values between commas.
  func list(_ name: String) -> [String] { (self[name] ?? "").split(separator: ",").map { String($0.trimmed) } }
}

/// What is wrong with a request, in the service's own names of parameters.
enum ITunesProblem: Error, Equatable {
  case invalid(String)

  var answer: SimulatedAnswer {
    guard case .invalid(let key) = self else { return .iTunes("{}", status: 400) }
    return .iTunes(Self.message("Invalid value(s) for key(s): [\(key)]"), status: 400)
  }

  /// An error as the body of an answer, whatever its status.
  static func message(_ text: String) -> String {
    """
    {"errorMessage":"\(text)", "queryParameters":{"output":"json", "callback":"A javascript function to handle your \
    search results", "country":"ISO-2A country code", "limit":"The number of search results to return", "term":"A \
    search string", "lang":"ISO-2A language code"}}
    """
  }
}

extension SimulatedAnswer {
  /// An answer as the service sends it: a script to be saved, after blank lines.
  static func iTunes(_ body: String, status: Int = 200) -> SimulatedAnswer {
    var headers = [
      HeaderField("Content-Type", "text/javascript; charset=utf-8"),
      HeaderField("Content-Disposition", "attachment; filename=1.txt"),
    ]
    if status == 200 { headers.append(HeaderField("Cache-Control", "max-age=86400")) }
    return SimulatedAnswer(status: status, headers: headers, body: Array("\n\n\n\(body)\n\n\n".utf8))
  }

  static func iTunes(results: [PokeJSON]) -> SimulatedAnswer {
    var answer = iTunes("")
    answer.body = Array("\n\n\n{\n \"resultCount\":\(results.count),\n \"results\": [".utf8)
    for (number, result) in results.enumerated() {
      answer.body += Array((number == 0 ? "\n" : ", \n").utf8) + result.bytes
    }
    answer.body += Array("]\n}\n\n\n".utf8)
    return answer
  }

  /// The answer to too many requests.
  static let iTunesForbidden = SimulatedAnswer(
    status: 403,
    headers: [
      HeaderField("Cache-Control", "max-age=0, no-cache, no-store"), HeaderField("X-Apple-Lokamai-No-Cache", "true"),
    ])
}
