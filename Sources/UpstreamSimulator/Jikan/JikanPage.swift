/// One page of a list, with what the API says of the whole list.
struct JikanPage {
  var page: Int
  var limit: Int
  var total: Int
  var lastPage: Int
  var hasNextPage: Bool
  var rows: [JikanRow]

  /// What an honest list says of itself.
  init(page: Int, limit: Int, total: Int, rows: [JikanRow]) {
    (self.page, self.limit, self.total, self.rows) = (page, limit, total, rows)
    lastPage = Self.lastPage(of: total, limit: limit)
    hasNextPage = page < lastPage
  }

  static func lastPage(of total: Int, limit: Int) -> Int { max(1, (total + limit - 1) / limit) }

  var answer: SimulatedAnswer {
    var json = JSONText(capacity: 256 + rows.count * 6000)
    json.raw(#"{"pagination":{"last_visible_page":"#)
    json.int(lastPage)
    json.raw(#","has_next_page":"#)
    json.bool(hasNextPage)
    json.raw(#","current_page":"#)
    json.int(page)
    json.raw(#","items":{"count":"#)
    json.int(rows.count)
    json.raw(#","total":"#)
    json.int(total)
    json.raw(#","per_page":"#)
    json.int(limit)
    json.raw(#"}},"data":["#)
    for (number, row) in rows.enumerated() {
      if number > 0 { json.raw(",") }
      json.jikanRow(row)
    }
    json.raw("]}")
    return .json(json.bytes, headers: [HeaderField("Cache-Control", "no-cache, private")])
  }
}

extension JikanRow {
  /// The row alone, as its own address answers.
  var answer: SimulatedAnswer {
    var json = JSONText(capacity: 6000)
    json.raw(#"{"data":"#)
    json.jikanRow(self)
    json.raw("}")
    return .json(json.bytes, headers: [HeaderField("Cache-Control", "public, s-maxage=86400")])
  }
}
