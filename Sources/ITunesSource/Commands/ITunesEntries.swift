import SyncCore
import SyncProgram
import Yams

struct ITunesEntries {
  private(set) var searches: [ITunesSearch] = []
  private(set) var lookups: [ITunesLookup] = []
  static let searchKeys = ["name", "term", "country", "media", "entity", "attribute", "lang", "limit"]
  static let lookupKeys = ["name", "country", "ids", "bundle_ids", "upcs", "isbns", "entity", "limit"]
  static let chartKeys = ["name", "country", "media", "feed", "type", "limit"]

  private(set) var charts: [ITunesChart]?

  init(_ settings: SourceSettings) throws(SyncError) {
    guard let file = settings.file else { return }
    searches = try file.entries(of: settings, "searches", \.name, read: file.search) ?? []
    lookups = try file.entries(of: settings, "lookups", \.name, read: file.lookup) ?? []
    charts = try file.entries(of: settings, "charts", \.name, read: file.chart)
    if let charts { try file.checkDistinct(charts, at: settings.path("charts")) }
  }
}

extension ConfigurationFile {
  fileprivate func entries<Entry>(
    of settings: SourceSettings, _ key: String, _ name: (Entry) -> String,
    read: (Node, String) throws(SyncError) -> Entry
  ) throws(SyncError) -> [Entry]? {
    guard let node = settings.node(key) else { return nil }
    let path = settings.path(key)
    guard let sequence = node.sequence else {
      throw fault(path, "must be a list", hint: "write each entry in a line that begins with -, as in - { name: … }")
    }
    var entries: [Entry] = []
    var names: Set<String> = []
    for (index, item) in sequence.enumerated() {
      let place = "\(path)[\(index)]"
      let entry: Entry
      do throws(SyncError) {
        entry = try read(item, place)
      } catch  where error.code == .usage {
        throw SyncError(.configuration, "\(self.path): \(place): \(error.message)", hint: error.hint)
      }
      guard names.insert(name(entry)).inserted else {
        throw fault(
          place, "has the name \(Excerpt.of(name(entry), scalars: 60)), which an earlier entry already has",
          hint: "give each entry a unique name")
      }
      entries.append(entry)
    }
    return entries
  }

  /// Rejects two entries for one chart, because each run would publish the chart twice.
  fileprivate func checkDistinct(_ charts: [ITunesChart], at path: String) throws(SyncError) {
    var seen: Set<[String]> = []
    for chart in charts where !seen.insert([chart.country, chart.media, chart.feed, chart.type]).inserted {
      throw fault(path, "lists the chart of \(chart.name) twice", hint: "remove one of the two entries")
    }
  }

  fileprivate func search(_ node: Node, _ path: String) throws(SyncError) -> ITunesSearch {
    let values = try texts(node, at: path, keys: ITunesEntries.searchKeys)
    guard let name = values["name"], let term = values["term"] else {
      throw fault(path, "needs a name and a term", hint: "write it as in - { name: jay-tw, term: 周杰倫, country: tw }")
    }
    let limit = try number(values["limit"], at: "\(path).limit")
    return try ITunesSearch(
      name: name, term: term, country: values["country"] ?? "us", media: values["media"], entity: values["entity"],
      attribute: values["attribute"], lang: values["lang"], limit: limit)
  }

  fileprivate func lookup(_ node: Node, _ path: String) throws(SyncError) -> ITunesLookup {
    var values: [String: String] = [:]
    var lists: [String: [String]] = [:]
    for (key, node) in try members(node, at: path, keys: ITunesEntries.lookupKeys) {
      if ["ids", "bundle_ids", "upcs", "isbns"].contains(key) {
        lists[key] = try self.list(node, at: "\(path).\(key)")
      } else {
        values[key] = try text(node, at: "\(path).\(key)")
      }
    }
    guard let name = values["name"], lists.count == 1, let (kind, list) = lists.first else {
      throw fault(
        path, "needs a name, and one of ids, bundle_ids, upcs and isbns",
        hint: "write it as in - { name: abbey-road, ids: [1441164426] }")
    }
    let limit = try number(values["limit"], at: "\(path).limit")
    let identity: ITunesLookup.Identity
    switch kind {
    case "ids":
      var ids: [Int64] = []
      for text in list {
        guard let id = Int64(text) else {
          throw fault(
            "\(path).ids", "has \(Excerpt.of(text, scalars: 40)), which is not an id",
            hint: "write it as in ids: [1441164426]")
        }
        ids.append(id)
      }
      identity = .ids(ids)
    case "bundle_ids": identity = .bundleIDs(list)
    case "upcs": identity = .upcs(list)
    default: identity = .isbns(list)
    }
    return try ITunesLookup(
      name: name, country: values["country"] ?? "us", identity, entity: values["entity"], limit: limit)
  }

  fileprivate func chart(_ node: Node, _ path: String) throws(SyncError) -> ITunesChart {
    let values = try texts(node, at: path, keys: ITunesEntries.chartKeys)
    guard let name = values["name"] else {
      throw fault(path, "needs a name", hint: "write it as in - { name: us-songs, country: us }")
    }
    let limit = try number(values["limit"], at: "\(path).limit")
    return try ITunesChart(
      name: name, country: values["country"] ?? "us", media: values["media"] ?? "music", feed: values["feed"],
      type: values["type"], limit: limit ?? ITunesChart.limits.upperBound)
  }

  private func texts(_ node: Node, at path: String, keys: [String]) throws(SyncError) -> [String: String] {
    var values: [String: String] = [:]
    for (key, node) in try members(node, at: path, keys: keys) { values[key] = try text(node, at: "\(path).\(key)") }
    return values
  }

  private func list(_ node: Node, at path: String) throws(SyncError) -> [String] {
    guard let sequence = node.sequence, !sequence.isEmpty else {
      let key = path.split(separator: ".").last ?? ""
      throw fault(path, "must be a non-empty list", hint: "write \(key): [VALUE, VALUE]")
    }
    var values: [String] = []
    for item in sequence { values.append(try text(item, at: path)) }
    return values
  }

  private func number(_ text: String?, at path: String) throws(SyncError) -> Int? {
    guard let text else { return nil }
    guard let number = Int(configured: text) else {
      throw fault(path, "must be a whole number", hint: "write it as in limit: 50")
    }
    return number
  }
}
