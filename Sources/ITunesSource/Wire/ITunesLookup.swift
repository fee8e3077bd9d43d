import SyncCore
import SyncProgram

/// A request for given items of a storefront, in batches. Its parameters are valid, and no id occurs twice.
struct ITunesLookup: Sendable, Hashable {
  /// The ids of the items, all of one kind. UPCs and ISBNs have only digits.
  enum Identity: Sendable, Hashable {
    case ids([Int64])
    case bundleIDs([String])
    case upcs([String])
    case isbns([String])
  }

  let name: String
  let country: String
  let identity: Identity
  let entity: String?
  /// The number of children per item; `nil` for the service's default.
  let limit: Int?
  let isRefresh: Bool

  init(
    name: String? = nil, country: String = "us", _ identity: Identity, entity: String? = nil, limit: Int? = nil
  ) throws(SyncError) {
    self.country = try ITunesRules.country(country)
    self.identity = try identity.checked
    self.entity = try entity.map { text throws(SyncError) in
      try ITunesRules.word(text, "entity", of: ITunesVocabulary.entities(of: nil))
    }
    self.limit = try limit.map { number throws(SyncError) in
      try ITunesRules.number(number, "limit", in: 1...ITunes.recordsPerCall)
    }
    isRefresh = false
    let derived = Self.name(country: self.country, identity: self.identity, entity: entity, limit: limit)
    self.name = try name.map(ITunesRules.name) ?? derived
  }

  /// A lookup of mirrored items, to see whether the storefront still has them.
  /// - Throws: `SyncError` `.usage` without ids, or for an id that is out of range.
  init(refreshing ids: [Int64], country: String) throws(SyncError) {
    self.country = try ITunesRules.country(country)
    guard !ids.isEmpty else {
      throw SyncError(
        .usage, "the mirror has nothing from the storefront \(self.country)",
        hint: "search there or look up items first (syncctl itunes search --help)")
    }
    identity = try Identity.ids(ids).checked
    name = self.country
    entity = nil
    limit = nil
    isRefresh = true
  }

  /// Whether a command asks for the items. Configured names do not begin with `@`.
  var isQuestion: Bool { isRefresh || name.hasPrefix("@") }

  /// An unfinished walk is resumed only if this text has not changed.
  var fingerprint: String {
    Self.name(country: country, identity: identity, entity: entity, limit: limit)
  }

  private static func name(country: String, identity: Identity, entity: String?, limit: Int?) -> String {
    let values = identity.values
    return ITunesQuery.name(
      label: "\(values.first ?? "") \(country)",
      [country, identity.parameter, entity ?? "", limit.map { "\($0)" } ?? ""] + values)
  }

  /// The number of ids per request. If children are requested too, the number is smaller, because an answer has a
  /// limited number of records.
  var batch: Int {
    let most: Int
    if case .bundleIDs = identity { most = Limits.bundleIDsPerCall } else { most = ITunes.recordsPerCall }
    guard entity != nil else { return most }
    return max(1, min(most, Limits.lookedUpRecords / (1 + (limit ?? Limits.usualChildren))))
  }

  /// The ids that publishing compares with the answers. Empty for UPCs, ISBNs and bundle ids.
  var expected: [String] {
    if case .ids = identity { identity.values } else { [] }
  }

  /// The query of a batch. Batches are numbered from 1.
  func query(page: Int) -> String {
    let values = identity.values.dropFirst((page - 1) * batch).prefix(batch)
    return ITunesQuery.text([
      (identity.parameter, values.joined(separator: ",")), ("country", country), ("entity", entity),
      ("limit", limit.map { "\($0)" }),
    ])
  }

  /// The number of batches.
  var pages: Int { (identity.values.count + batch - 1) / batch }
}

extension ITunesLookup.Identity {
  /// The name of the identity's parameter in a request.
  var parameter: String {
    switch self {
    case .ids: "id"
    case .bundleIDs: "bundleId"
    case .upcs: "upc"
    case .isbns: "isbn"
    }
  }

  var values: [String] {
    switch self {
    case .ids(let ids): ids.map { "\($0)" }
    case .bundleIDs(let values), .upcs(let values), .isbns(let values): values
    }
  }

  fileprivate var checked: Self {
    get throws(SyncError) {
      let checked: Self
      switch self {
      case .ids(let ids):
        if let odd = ids.first(where: { !ITunesClass.ids.contains($0) }) {
          throw SyncError(.usage, "ids: \(odd) is not an iTunes id", hint: "ids are whole numbers from 1")
        }
        checked = .ids(ids.distinct())
      case .bundleIDs(let values):
        checked = .bundleIDs(
          try Self.each(values, "bundle id", hint: "they are as in com.example.app", where: \.isPlain))
      case .upcs(let values):
        checked = .upcs(try Self.digits(values, "UPC", 8...14))
      case .isbns(let values):
        checked = .isbns(try Self.digits(values.map { $0.filter { $0 != "-" } }, "ISBN", 13...13))
      }
      guard !checked.values.isEmpty else {
        throw SyncError(.usage, "nothing to look up", hint: "give an id, e.g. 909253")
      }
      return checked
    }
  }

  private static func digits(
    _ values: [String], _ what: String, _ count: ClosedRange<Int>
  ) throws(SyncError) -> [String] {
    let hint = "it has \(count.lowerBound)\(count.count > 1 ? " to \(count.upperBound)" : "") digits"
    let digits = try each(values, what, hint: hint, where: \.isDigit)
    if let odd = digits.first(where: { !count.contains($0.utf8.count) }) {
      throw SyncError(.usage, "\(ITunesRules.quoted(odd)) is not a valid \(what)", hint: hint)
    }
    return digits
  }

  private static func each(
    _ values: [String], _ what: String, hint: String, where isOfIt: (UInt8) -> Bool
  ) throws(SyncError) -> [String] {
    for value in values where !(1...155).contains(value.utf8.count) || !value.utf8.allSatisfy(isOfIt) {
      throw SyncError(.usage, "\(ITunesRules.quoted(value)) is not a valid \(what)", hint: hint)
    }
    return values.distinct()
  }
}
