struct SimulatedITunesProblem: Error {
  let key: String

  init(_ key: String) { self.key = key }

  static func message(_ text: String) -> String {
    """
    {"errorMessage":"\(text)", "queryParameters":{"output":"json", "callback":"A javascript function to handle your \
    search results", "country":"ISO-2A country code", "limit":"The number of search results to return", "term":"A \
    search string", "lang":"ISO-2A language code"}}
    """
  }
}
