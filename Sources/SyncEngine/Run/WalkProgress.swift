import SyncCore

/// A walk whose pages have been read, with the results of the stages that follow: documents and lookups.
struct WalkProgress: Sendable {
  private let pages: WalkStateMachine
  private let enumerates: Bool
  var tally: RunTally
  var warning: String?
  /// The reason why the pages ended. `nil` if they did not end in this run, for example because of `maxPages`.
  var end: Certificate.EndedBy?

  /// The keys of the documents that this walk has fetched and committed.
  private(set) var fetchedDocuments: Set<Int64> = []
  /// The number of listed documents, without those that are younger than their TTL. 0 until they were counted.
  var expectedDocuments = 0
  /// The keys of documents whose requests all failed.
  private(set) var unavailableDocuments: [Int64] = []
  /// Whether listed documents were not requested.
  private(set) var lacksDocuments: Bool
  /// The number of items of the previous list that lookups found, although the walk did not see them.
  private(set) var missedItems: Int

  /// - Parameters:
  ///   - pages: The state machine after its last action.
  ///   - earlier: The readings that earlier runs of the walk committed.
  init(_ pages: WalkStateMachine, of stream: StreamDescription, earlier: [StoredPage]) {
    self.pages = pages
    tally = pages.tally
    warning = pages.warning
    enumerates = stream.enumerates
    lacksDocuments = stream.method.isOfDocuments
    missedItems = earlier.reduce(0) { $0 + $1.missed }
    if stream.method.isOfDocuments {
      for reading in earlier where reading.page == nil { fetchedDocuments.formUnion(reading.keys ?? []) }
    }
  }

  /// The keys of the list that is published. Only for a list that only has ids.
  var listed: Set<Int64> { pages.listed }

  /// The expected number of readings. `nil` if the list does not claim its length.
  var advertisedPages: Int? { pages.walk.advertisedPages }

  /// The readings of the pages to publish. `nil` means all readings.
  var publishedReadings: Range<Int>? { pages.walk.publishedReadings }

  /// Texts for the user about the walk.
  var warnings: [String] { [warning, pages.absentPaths?.warning].compactMap(\.self) }

  /// Adds a committed batch of documents, which counts towards `maxPages`.
  /// - Parameter keys: The keys of the batch's documents.
  mutating func add(_ committed: Committed, documents keys: [Int64]) {
    tally.add(committed)
    tally.settle()
    fetchedDocuments.formUnion(keys)
  }

  /// - Parameters:
  ///   - unavailable: The keys of documents whose requests all failed.
  ///   - isWhole: Whether all other listed documents have been fetched or are younger than their TTL.
  mutating func endDocuments(unavailable: [Int64], isWhole: Bool) {
    unavailableDocuments = unavailable
    lacksDocuments = !isWhole
  }

  /// - Parameter missed: The number of found items of the previous list.
  mutating func add(_ committed: Committed, missed: Int) {
    tally.add(committed)
    missedItems += missed
  }

  /// Whether missing items can be looked up: the walk saw no sign that an item of its list is missing. Some of several
  /// lists can be incomplete, because the store returns no item of such a list as missing. The lookups of an earlier
  /// run do not count, because a resumed run looks up the rest.
  func canLookUpMissing(endedBy: Certificate.EndedBy) -> Bool {
    let certificate = certificate(endedBy: endedBy, missed: 0)
    return certificate.isWhole || endedBy == .lists
  }

  /// Returns the certificate of the walk with its documents and lookups, if reading ended for this reason.
  func certificate(endedBy: Certificate.EndedBy) -> Certificate { certificate(endedBy: endedBy, missed: missedItems) }

  private func certificate(endedBy: Certificate.EndedBy, missed: Int) -> Certificate {
    var certificate = pages.walk.certificate(endedBy: endedBy)
    certificate.unavailable = unavailableDocuments
    certificate.complete = certificate.complete && !lacksDocuments && unavailableDocuments.isEmpty
    if enumerates { certificate.requireEvidence(missed: missed) }
    return certificate
  }
}
