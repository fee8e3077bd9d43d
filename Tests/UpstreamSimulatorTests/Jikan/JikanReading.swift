import Testing
import UpstreamSimulator

func settings(_ items: Int, _ change: (inout JikanSettings) -> Void = { _ in }) -> JikanSettings {
  var settings = JikanSettings(items: items)
  settings.repeats = 0
  change(&settings)
  return settings
}

extension SimulatedUpstream {
  func get(_ target: String) async -> SimulatedAnswer {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return await answer(SimulatedRequest(path: parts[0], query: parts.count > 1 ? parts[1] : ""))
  }

  func text(_ target: String) async -> String { String(decoding: await get(target).body, as: UTF8.self) }

  func page(_ target: String) async throws -> ServedPage {
    let answer = await get(target)
    try #require(answer.status == 200)
    return try decoded(ServedPage.self, from: answer.body)
  }

  func numbers(_ path: String, limit: Int, parameters: String = "") async -> [[Int]] {
    var pages: [[Int]] = []
    for page in 1...10_000 {
      let answer = await get("\(path)?page=\(page)&limit=\(limit)\(parameters)")
      guard answer.status == 200 else { break }
      let body = String(decoding: answer.body, as: UTF8.self)
      // Only a row's own id is followed by `url`.
      pages.append(
        body.split(separator: #"{"mal_id":"#).dropFirst().compactMap { part in
          let number = part.prefix { $0.isNumber }
          return part.dropFirst(number.count).hasPrefix(#","url":"#) ? Int(number) : nil
        })
    }
    return pages
  }
}
