import SyncCore

/// The members outside of the items, and the headers, that tell where a page stands in its list and whether the list
/// goes on.
///
/// Services use many names, so names are compared without case and punctuation: `@odata.nextLink` is `nextlink`.
/// Members are found at any depth, but not in arrays. The nearest to the top comes first.
struct PageSigns: Sendable {
  struct Sign<Value: Sendable & Equatable>: Sendable, Equatable {
    let path: [String]
    let value: Value

    /// The sign as a reader finds it in the answer: `meta.total: 250`.
    var text: String { "\(path.joined(separator: ".")): \(Excerpt.of("\(value)", scalars: 60))" }
  }

  /// Addresses of the next page in the body.
  private(set) var links: [Sign<String>] = []
  /// Texts that the next request sends.
  private(set) var cursors: [Sign<String>] = []
  /// Numbers of a next page or of a next item.
  private(set) var nextNumbers: [Sign<Int>] = []
  /// Flags that are true if the list goes on, such as `has_more`.
  private(set) var moreFlags: [Sign<Bool>] = []
  /// Flags that are true on the last page, such as `last`.
  private(set) var lastFlags: [Sign<Bool>] = []
  /// Numbers that can be the number of items in the list.
  private(set) var totals: [Sign<Int>] = []
  /// Numbers that can be the number of pages.
  private(set) var pageCounts: [Sign<Int>] = []
  /// The page's own number.
  private(set) var pageNumbers: [Sign<Int>] = []
  /// The place of the page's first item.
  private(set) var starts: [Sign<Int>] = []
  /// Flags that are true on the first page, such as `first`.
  private(set) var firstFlags: [Sign<Bool>] = []
  /// Addresses or numbers of the previous page.
  private(set) var previous: [Sign<String>] = []
  /// Addresses of the first page and of the page itself.
  private(set) var ownLinks: [Sign<String>] = []
  /// The header `Link` names a next page.
  let hasLinkHeader: Bool
  /// Headers that tell that the list goes on: `x-next-page: 2`.
  private(set) var headers: [Sign<String>] = []
  /// Headers with the number of items or pages.
  private(set) var headerTotals: [Sign<Int>] = []

  /// - Parameters:
  ///   - envelope: The body. Its arrays are not read.
  ///   - headers: The answer's headers by lowercase name.
  init(_ envelope: JSONMember, headers: [String: String]) {
    let link = headers["link"] ?? ""
    hasLinkHeader = LinkHeader.target(of: "next", in: link) != nil
    for relation in ["prev", "previous"] {
      if let target = LinkHeader.target(of: relation, in: link) {
        previous.append(Sign(path: ["Link", relation], value: target))
      }
    }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { read(header: name, value.trimmingBlanks) }
    let leaves = Self.leaves(envelope, at: []).sorted { one, other in
      (one.path.count, one.path.joined()) < (other.path.count, other.path.joined())
    }
    for (path, value) in leaves where !path.isEmpty { read(path, value) }
  }

  private static func leaves(_ member: JSONMember, at path: [String]) -> [(path: [String], value: JSONMember)] {
    guard case .object(let members) = member, path.count < 8 else { return [(path, member)] }
    return members.flatMap { leaves($0.value, at: path + [$0.key]) }
  }

  /// A name without case and punctuation, and without the prefix of OData.
  static func word(_ name: String) -> String {
    let plain = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return plain.hasPrefix("odata") && plain.count > 5 ? String(plain.dropFirst(5)) : plain
  }

  private mutating func read(header name: String, _ value: String) {
    let word = Self.word(name.hasPrefix("x-") ? String(name.dropFirst(2)) : name)
    if ["totalcount", "total", "wptotal", "totalpages", "wptotalpages", "totalresults", "totalitems"].contains(word),
      let number = Int(value)
    {
      headerTotals.append(Sign(path: [name], value: number))
    }
    let namesNext = word.hasPrefix("next") || word.hasSuffix("nextpage") || word.contains("continuation")
    if namesNext, !value.isEmpty, value != "0", value.lowercased() != "null" {
      headers.append(Sign(path: [name], value: value))
    }
    if ["hasmore", "hasnext", "hasnextpage"].contains(word), value.lowercased() == "true" {
      headers.append(Sign(path: [name], value: value))
    }
  }

  private mutating func read(_ path: [String], _ value: JSONMember) {
    let word = Self.word(path[path.count - 1])
    let parent = path.count > 1 ? Self.word(path[path.count - 2]) : ""
    switch value {
    case .string(let text): read(path, text, word, parent)
    case .int(let number): read(path, number, word, parent)
    case .bool(let flag):
      let sign = Sign(path: path, value: flag)
      if Self.moreWords.contains(word) { moreFlags.append(sign) }
      if Self.lastWords.contains(word) { lastFlags.append(sign) }
      if Self.firstWords.contains(word) { firstFlags.append(sign) }
    case .object, .array, .null, .other: break
    }
  }

  private mutating func read(_ path: [String], _ text: String, _ word: String, _ parent: String) {
    guard !text.isEmpty else { return }
    let sign = Sign(path: path, value: text)
    let isLink = Self.isAddress(text)
    let isReference = ["href", "url", "link", "uri"].contains(word)
    let names = { (test: (String) -> Bool) in test(word) || isReference && test(parent) }
    if isLink, names(Self.isNext) {
      links.append(sign)
    } else if isLink, names({ $0.hasPrefix("prev") }) {
      previous.append(sign)
    } else if isLink, names({ ["first", "self", "firstpage", "firstpageurl", "current"].contains($0) }) {
      ownLinks.append(sign)
    } else if !isLink, word.hasPrefix("prev") || parent.hasPrefix("prev") || word.contains("before") {
      return
    } else if !isLink, Self.isNext(word) || Self.isNext(parent) || Self.cursorWords.contains(word) {
      cursors.append(sign)
    } else if let number = Int(text) {
      // Some services write numbers as texts.
      read(path, number, word, parent)
    }
  }

  private mutating func read(_ path: [String], _ number: Int, _ word: String, _ parent: String) {
    let sign = Sign(path: path, value: number)
    if Self.isNext(word) || Self.isNext(parent) {
      if number > 0 { nextNumbers.append(sign) }
    } else if word.hasPrefix("prev") {
      previous.append(Sign(path: path, value: "\(number)"))
    } else if Self.pageCountWords.contains(word) {
      pageCounts.append(sign)
    } else if Self.pageNumberWords.contains(word) {
      pageNumbers.append(sign)
    } else if Self.startWords.contains(word) {
      starts.append(sign)
    } else if Self.isTotal(word) || word == "value" && Self.isTotal(parent) {
      totals.append(sign)
    } else if Self.moreWords.contains(word) {
      moreFlags.append(Sign(path: path, value: number != 0))
    }
  }

  private static func isAddress(_ text: String) -> Bool {
    ["http://", "https://", "/", "?", "./"].contains { text.hasPrefix($0) }
  }

  private static func isNext(_ word: String) -> Bool {
    word.hasPrefix("next") || word.hasPrefix("more") && ["url", "link", "href", "uri"].contains { word.hasSuffix($0) }
  }

  private static func isTotal(_ word: String) -> Bool {
    totalWords.contains(word) || word.hasPrefix("total") && !pageCountWords.contains(word)
  }

  /// Whether the name says that its number counts the items. `total_views` is also a sign that is worth a question, but
  /// as a claim about the list, it would be wrong.
  /// - Parameter list: The name of the array of items.
  static func isTotalOfItems(_ path: [String], of list: String?) -> Bool {
    let word = word(path.last ?? "")
    guard word.hasPrefix("total"), word != "total" else { return true }
    let rest = String(word.dropFirst("total".count))
    let usual: Set<String> = [
      "count", "items", "results", "records", "elements", "hits", "size", "rows", "entries", "docs", "documents",
      "objects", "found", "matches", "number", "length", "num", "resultscount", "itemcount", "recordcount",
      "itemscount",
    ]
    return usual.contains(rest) || list.map { rest == Self.word($0) } ?? false
  }

  private static let moreWords: Set<String> = [
    "hasmore", "hasnext", "hasnextpage", "hasmorepages", "hasmoreitems", "hasmoreresults", "more", "moreavailable",
    "istruncated", "truncated", "exceededtransferlimit",
  ]
  private static let lastWords: Set<String> = [
    "last", "islast", "islastpage", "lastpage", "endofrecords", "endoflist", "exhausted", "eof",
  ]
  private static let firstWords: Set<String> = ["first", "isfirst", "isfirstpage", "firstpage"]
  private static let cursorWords: Set<String> = [
    "cursor", "after", "aftercursor", "endcursor", "cursorafter", "cursornext", "continuation", "continuationtoken",
    "scrollid", "resumptiontoken", "bookmark", "pagetoken", "paginationtoken",
  ]
  private static let totalWords: Set<String> = [
    "count", "nbhits", "numfound", "numresults", "resultcount", "recordcount", "recordsfound", "itemcount", "found",
    "matches", "hits", "records", "rowcount", "allcount", "fullcount", "collectionsize",
  ]
  private static let pageCountWords: Set<String> = [
    "pages", "totalpages", "pagecount", "pagestotal", "totalpage", "lastpage", "lastvisiblepage", "nbpages",
    "numpages", "numberofpages", "maxpage", "totalpagecount",
  ]
  private static let pageNumberWords: Set<String> = [
    "page", "number", "currentpage", "pagenumber", "pageindex", "pagenum", "pageno", "current",
  ]
  private static let startWords: Set<String> = [
    "start", "offset", "skip", "from", "startindex", "startat", "startposition", "resultoffset", "startrecord",
  ]
}

extension PageSigns {
  /// What shows that the list goes on after a page with this number of items, in the words of the answer.
  func furtherPages(after count: Int) -> [String] {
    var texts = headers.map(\.text) + links.map(\.text) + cursors.map(\.text) + nextNumbers.map(\.text)
    if hasLinkHeader { texts.append("Link: rel=next") }
    texts += moreFlags.filter(\.value).map(\.text)
    texts += lastFlags.filter { !$0.value }.map(\.text)
    texts += (totals + headerTotals).filter { $0.value > count && !Self.word($0.path.last ?? "").contains("page") }
      .map(\.text)
    texts += (pageCounts + headerTotals.filter { Self.word($0.path.last ?? "").contains("page") })
      .filter { $0.value > 1 }.map(\.text)
    return texts
  }

  /// Evidence that the page is not the first one of its list; `nil` if there is none, or if the page says that it is
  /// the first.
  /// - Parameters:
  ///   - base: The number of the first page or item in requests.
  ///   - isOffset: Whether requests number items, not pages.
  func evidenceOfEarlierPages(base: Int, isOffset: Bool) -> String? {
    // With Spring's `one-indexed-parameters`, the first page has the number 0 although requests begin at 1.
    if firstFlags.contains(where: \.value) { return nil }
    let numbers = isOffset ? [] : pageNumbers
    // A list can number its items from 1, so a start of 1 proves nothing.
    let laterStarts = starts.filter { $0.value > max(isOffset ? base : 0, 1) }
    var texts = firstFlags.map(\.text) + numbers.filter { $0.value > base }.map(\.text) + laterStarts.map(\.text)
    // A page whose own number is the first one can still name a previous page, as some services always do.
    if texts.isEmpty, numbers.contains(where: { $0.value == base }) { return nil }
    // Some services name the first page itself as the page before it.
    let own = Set(ownLinks.map(\.value))
    texts += previous.filter { !own.contains($0.value) && (Int($0.value).map { $0 >= base } ?? true) }.map(\.text)
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }
}
