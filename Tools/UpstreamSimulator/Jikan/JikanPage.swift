struct JikanPage {
  var page: Int
  var limit: Int
  var total: Int
  var lastPage: Int
  var hasNextPage: Bool
  var rows: [JikanRow]

  init(page: Int, limit: Int, total: Int, rows: [JikanRow]) {
    self.page = page
    self.limit = limit
    self.total = total
    self.rows = rows
    lastPage = Self.lastPage(of: total, limit: limit)
    hasNextPage = page < lastPage
  }

  static func lastPage(of total: Int, limit: Int) -> Int { max(1, (total + limit - 1) / limit) }

  var answer: SimulatedAnswer {
    let body: SimulatedJSON = #"""
      {"pagination":{"last_visible_page":\#(lastPage),"has_next_page":\#(hasNextPage),"current_page":\#(page),\#
      "items":{"count":\#(rows.count),"total":\#(total),"per_page":\#(limit)}},"data":\#(.array(rows.map(\.json)))}
      """#
    return .json(body.bytes, headers: [HeaderField("Cache-Control", "no-cache, private")])
  }
}

extension JikanRow {
  var answer: SimulatedAnswer {
    let body: SimulatedJSON = #"{"data":\#(json)}"#
    return .json(body.bytes, headers: [HeaderField("Cache-Control", "public, s-maxage=86400")])
  }
}
