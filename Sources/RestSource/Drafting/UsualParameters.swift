import SyncCore

/// The names that services usually give to the parameters of a paginator.
enum UsualParameters {
  // MARK: Cursors

  /// Whether a parameter with this name usually has a cursor.
  static func isCursor(_ name: String) -> Bool {
    let word = PageSigns.word(name)
    return ["cursor", "after", "token", "continuation", "bookmark", "scroll"].contains { word.contains($0) }
  }

  /// The parameters that services use for a cursor with this member's name, the likeliest first.
  static func names(for cursor: PageSigns.Sign<String>) -> [String] {
    let member = cursor.path.last ?? ""
    let word = PageSigns.word(member)
    let general = ["cursor", "after", "start_cursor", "page_token", "pageToken", "next", "token"]
    if word.hasPrefix("next"), word.count > 4 {
      // `nextPageToken` is sent as `pageToken`, `next_cursor` as `cursor`.
      let rest = String(member.drop { $0 != "n" && $0 != "N" }.dropFirst(4).drop { !$0.isLetter })
      let own = rest.prefix(1).lowercased() + rest.dropFirst()
      return [own] + (own.contains("ursor") ? ["cursor", "start_cursor", "after"] : []) + [member] + general
    }
    if word.contains("after") || word == "endcursor" { return ["after", "page[after]", "cursor", "starting_after"] }
    if word == "next" { return ["cursor", "next", "after", "start", "page"] }
    return [member] + general
  }

  // MARK: Numbers

  /// The words of names that have the number of a page; see `PageSigns.word`.
  static let pageWords: Set<String> = [
    "page", "p", "pg", "pagenumber", "pagenum", "pageno", "pageindex", "currentpage", "paged",
  ]
  /// The words of names that have the place of an item.
  static let offsetWords: Set<String> = [
    "offset", "skip", "start", "from", "startindex", "startat", "resultoffset", "startposition", "pageoffset",
  ]
  /// The words of names that have the number of items in a page.
  static let limitWords: Set<String> = [
    "limit", "perpage", "pagesize", "size", "count", "take", "top", "rows", "maxresults", "resultsperpage",
    "itemsperpage", "hitsperpage", "resultrecordcount", "pagelimit", "num", "max",
  ]

  /// The parameters that services with such a limit or such members use, the likeliest first.
  /// - Parameter limit: The name of the typed limit; empty without one.
  static func numberNames(_ signs: PageSigns, limit: String) -> [String] {
    var names: [String] = []
    switch PageSigns.word(limit) {
    case "rows": names.append("start")
    case "limit" where limit.hasPrefix("$"): names.append("$offset")
    case "top": names.append(limit.hasPrefix("$") ? "$skip" : "skip")
    case "take": names.append("skip")
    case "resultrecordcount": names.append("resultOffset")
    case "maxresults": names.append("startAt")
    case "pagesize" where limit.contains("["): names.append("page[number]")
    case "pagelimit" where limit.contains("["): names.append("page[offset]")
    case "limit" where limit.hasPrefix("_"): names += ["_start", "_page"]
    default: break
    }

    if signs.moreFlags.contains(where: { PageSigns.word($0.path.last ?? "") == "exceededtransferlimit" }) {
      names.append("resultOffset")
    }
    if !signs.pageNumbers.isEmpty { names.append("page") }
    for start in signs.starts {
      let name = start.path.last ?? ""
      // `from` and `start` are often only positions in the answer.
      names += PageSigns.word(name) == "start" ? ["start", "offset"] : [name]
    }
    names += PageSigns.word(limit) == "limit" ? ["offset", "page", "skip"] : ["page", "offset"]
    return names.distinct()
  }

  /// The limit that services with this name of an offset use.
  static func limitName(beside offset: String) -> String {
    switch PageSigns.word(offset) {
    case "start" where offset.hasPrefix("_"): "_limit"
    case "start": "rows"
    case "from": "size"
    case "skip": offset.hasPrefix("$") ? "$top" : "limit"
    case "resultoffset": "resultRecordCount"
    case "startat": "maxResults"
    case "startindex": "count"
    case "pageoffset": "page[limit]"
    default: "limit"
    }
  }
}
