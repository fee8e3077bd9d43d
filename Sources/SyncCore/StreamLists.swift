/// The lists of a stream that has several: one for each value, for each item of a parent resource, or for each window
/// of time. A walk reads the lists in their order.
package struct StreamLists: Sendable, Equatable {
  /// All lists that the stream has now, with distinct names. The published places of other lists are removed.
  package let lists: [StreamList]

  /// The names of `lists` must be distinct and not empty.
  package init(_ lists: [StreamList]) { self.lists = lists }
}

/// One of the lists of a stream that has several.
package struct StreamList: Sendable, Equatable {
  /// The list's name, which the store keeps with the list's pages and places: a value, or the key of a parent item.
  package let name: String
  /// The values that the list's requests contain, in the order of the stream's placeholders.
  package let values: [String]
  /// The version of the parent item that the list belongs to. `nil` if the list is requested by each walk.
  package let version: String?
  /// Whether the walk requests the list. Otherwise, the published places of the list stay.
  package let isRequested: Bool

  package init(name: String, values: [String], version: String? = nil, isRequested: Bool = true) {
    self.name = name
    self.values = values
    self.version = version
    self.isRequested = isRequested
  }

  /// The same list, which the walk does not request.
  package var withoutRequest: StreamList {
    StreamList(name: name, values: values, version: version, isRequested: false)
  }
}

/// The list of a reading, and the end of the list if the reading is its last one.
package struct ListReading: Sendable, Equatable {
  /// The name of the list (`StreamList.name`).
  package let name: String
  /// `nil` unless the reading is the last reading of its list.
  package let ending: ListEnding?

  package init(name: String, ending: ListEnding? = nil) {
    self.name = name
    self.ending = ending
  }
}

/// The end of one of several lists.
package struct ListEnding: Sendable, Equatable {
  package let certificate: Certificate
  /// The number of the list's first reading within the walk. The list's readings end with the reading of the ending.
  package let firstReading: Int
  /// Readings of the list whose items are not published, because the list was read again.
  package let superseded: [Range<Int>]
  /// `StreamList.version` of the list. `nil` if the next walk must request the list again.
  package let version: String?

  /// `firstReading` and `superseded` are numbers within the walk of all lists, from 1.
  package init(certificate: Certificate, firstReading: Int, superseded: [Range<Int>] = [], version: String? = nil) {
    self.certificate = certificate
    self.firstReading = firstReading
    self.superseded = superseded
    self.version = version
  }

  /// What the walk proved about the list.
  package var status: ListStatus { ListStatus(certificate) }

  /// Whether the list's places replace its published places.
  package var publishes: Bool { certificate.mayPublish }
}

/// What a walk proved about one of several lists. The raw value is part of the public contract.
package enum ListStatus: String, Sendable, CaseIterable {
  case complete
  case unproven
  case inconsistent
  /// Pages are missing, or the service refused the list.
  case partial
  /// The declaration says that the service's answer is ignored.
  case ignored

  init(_ certificate: Certificate) {
    // A list whose page is missing stays partial, because the run must report the page.
    if certificate.endedBy == .ignored, certificate.holes.isEmpty {
      self = .ignored
      return
    }
    self =
      switch certificate.status {
      case .complete: .complete
      case .unproven: .unproven
      case .inconsistent: .inconsistent
      case .partial, .failed, .interrupted, .running: .partial
      }
  }
}

/// The sums of the certificates of the lists that a walk has read to their ends.
package struct ListTally: Sendable, Equatable {
  /// The number of lists by their status.
  package private(set) var lists: [ListStatus: Int] = [:]
  /// The number of readings of the lists.
  package var readings = 0
  /// The claimed number of items. A list without a claim counts its items. `nil` if no list claims a number.
  package private(set) var claimedTotal: Int?
  package private(set) var items = 0
  package private(set) var repeats = 0
  package private(set) var drift = 0
  package private(set) var rewalked = 0
  package private(set) var unreadable = 0
  package private(set) var unaccounted = 0
  package private(set) var listedTwice = 0

  package init() {}

  /// Adds `count` lists of one status.
  /// - Parameter sums: A certificate with the sums of their numbers. Its `complete` and `endedBy` do not count.
  package mutating func add(_ status: ListStatus, _ sums: Certificate, count: Int = 1) {
    lists[status, default: 0] += count
    if sums.claimedTotal != nil || claimedTotal != nil {
      // A service can claim any number, so the sum can exceed 64 bits.
      let (sum, overflows) = (claimedTotal ?? items).addingReportingOverflow(
        max(0, sums.claimedTotal ?? sums.distinctKeys))
      claimedTotal = overflows ? .max : sum
    }
    items += sums.distinctKeys
    repeats += sums.repeats
    drift += sums.drift
    rewalked += sums.rewalked
    unreadable += sums.unreadable
    unaccounted += sums.unaccounted
    listedTwice += sums.listedTwice
  }

  /// Returns the certificate of the walk through all lists.
  /// - Parameters:
  ///   - endedBy: `.lists` if the walk has read all lists.
  ///   - total: The number of lists that the walk requests.
  package func certificate(endedBy: Certificate.EndedBy, of total: Int) -> Certificate {
    let whole = (lists[.complete] ?? 0) + (lists[.unproven] ?? 0) + (lists[.ignored] ?? 0)
    var certificate = Certificate(
      complete: endedBy == .lists && whole == total, endedBy: endedBy, claimedTotal: claimedTotal, distinctKeys: items,
      repeats: repeats, drift: drift, rewalked: rewalked, holes: [], unreadable: unreadable, unaccounted: unaccounted,
      listedTwice: listedTwice, evidence: (lists[.unproven] ?? 0) == 0 ? .lists : nil)
    certificate.lists = Certificate.Lists(
      total: total, complete: lists[.complete] ?? 0, unproven: lists[.unproven] ?? 0,
      inconsistent: lists[.inconsistent] ?? 0, partial: lists[.partial] ?? 0, ignored: lists[.ignored] ?? 0)
    return certificate
  }
}
