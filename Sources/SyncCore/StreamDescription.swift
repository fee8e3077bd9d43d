/// All that is needed to walk and to store a stream. A walk may only be resumed by a description of the same provider,
/// origin, page size, mapping and parameters: pages of another one do not continue each other.
package struct StreamDescription: Sendable, Equatable {
  package let id: StreamID
  package let provider: String
  /// Scheme, host, port and path prefix of the service, without credentials.
  package let origin: String
  package let pageSize: Int
  package let method: WalkMethod
  package let absence: Absence
  package let sql: StreamSQL
  /// Grows when the same document makes other columns or another hash. What is stored by another version is derived
  /// again from the document, and no page of such a walk is requested conditionally.
  package let mappingVersion: Int
  /// What else the stream requests: a walk with other parameters does not resume this one.
  package let parameters: String
  /// Which build of its data the service said it has, before the stream was requested; nil where it does not say.
  package let build: String?
  /// Of a narrowed list, which may be empty: page 1 of the same list without the filter. It proves that the service is
  /// well when the narrowed list shows nothing. Nil for a list that is never empty.
  package let witness: UpstreamRequest?
  /// Of a window, the span of time that it shows by the calendar, as `span.sql` names spans: `2026 winter`. Nil if the
  /// span is not checked.
  package let expectedSpan: String?

  package init(
    id: StreamID, provider: String, origin: String, pageSize: Int, method: WalkMethod = .pages, absence: Absence,
    sql: StreamSQL, mappingVersion: Int = 1, parameters: String = "", build: String? = nil,
    witness: UpstreamRequest? = nil, expectedSpan: String? = nil
  ) {
    (self.witness, self.expectedSpan, self.mappingVersion) = (witness, expectedSpan, mappingVersion)
    (self.parameters, self.build, self.id, self.provider, self.origin) = (parameters, build, id, provider, origin)
    (self.pageSize, self.method, self.absence, self.sql) = (pageSize, method, absence, sql)
  }
}

/// The statements of `sql/sources/<folder>/`, with what is the same for all items of the stream.
package struct StreamSQL: Sendable, Equatable {
  package let folder: String
  /// The part of the key that all items share, passed to every statement as `text[]`: kind and filter, for example.
  package let scope: [String]
  /// What publishing has to know besides, as `text[]`: how many positions of a history are noted, for example.
  package let publishing: [String]

  package init(folder: String, scope: [String], publishing: [String] = []) {
    self.folder = folder
    self.scope = scope
    self.publishing = publishing
  }
}

/// The name of a source as users write it.
package struct SourceID: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  package var description: String { rawValue }
}

/// One list or catalogue of a source that is walked on its own, e.g. `source/top-list:tv`.
package struct StreamID: Hashable, Sendable, CustomStringConvertible {
  package let source: SourceID
  package let name: String

  package init(source: SourceID, name: String) {
    self.source = source
    self.name = name
  }

  package var description: String { "\(source)/\(name)" }
}

/// The seam to a source: a list that is read page by page.
package protocol PagedStream: Sendable {
  var description: StreamDescription { get }
  /// How single items are looked up; nil where they have no address of their own.
  var lookup: (any ItemLookup)? { get }

  func request(_ address: PageAddress) -> UpstreamRequest

  /// Reads an answer.
  ///
  /// - Throws: `SyncError` for everything that is neither a page nor "not found".
  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page
}

extension PagedStream {
  package var lookup: (any ItemLookup)? { nil }
}

/// How a list is read.
package enum WalkMethod: Sendable, Equatable {
  /// Page by page, in an order of the upstream's own that may move.
  case pages
  /// One answer is the whole list.
  case single
  /// Page by page in the order of ids, each page beginning with the last item of the page before it; from the other
  /// end too when the list is longer than the pages the service gives.
  case catalogue(pageCap: Int?)
  /// Page by page through the answers to a question, as far as the service gives any: another time it may give others,
  /// so that nothing of it moves and nothing is missing.
  case sample
  /// So many pages as are known beforehand, each with what there is of what was requested; any may be empty.
  case batches
  /// Page by page through a list that only names its items, and then each item at its own address, unless it was had
  /// within the time to live.
  case documents(ttl: Duration)
}

/// What a stream's list is, and so what it means that a complete walk did not meet a key that is in the mirror.
package enum Absence: Sendable, Equatable {
  /// A sample, for example a search: nothing.
  case provesNothing
  /// A ranking: the entry has left this list.
  case endsEntry(ShrinkGuard)
  /// A window of time, for example the current season: the window has moved on. All entries may leave at once, so only
  /// a window that is empty or unreadable is refused.
  case leavesWindow
  /// A catalogue: the item itself may have been removed, and its own address is requested.
  case questionsItem(ShrinkGuard)

  /// The list is short, and one of many: an unusable item of it says nothing. Those of all such lists of a run do.
  package var isJudgedWithOthers: Bool {
    switch self {
    case .provesNothing: true
    case .endsEntry(let rule): rule == .none
    case .leavesWindow, .questionsItem: false
    }
  }

  /// How much may disappear at once before a person has to look.
  package var shrinkGuard: ShrinkGuard? {
    switch self {
    case .provesNothing, .leavesWindow: nil
    case .endsEntry(let rule), .questionsItem(let rule): rule
    }
  }
}

/// How much of a published list may disappear at once (design: entities > 5 % and ≥ 50 rows, a filtered list > 50 %).
package struct ShrinkGuard: Sendable, Equatable {
  package let maxShare: Double
  package let minRows: Int

  package init(maxShare: Double, minRows: Int) {
    self.maxShare = maxShare
    self.minRows = minRows
  }

  package static let wholeList = ShrinkGuard(maxShare: 0.05, minRows: 50)
  package static let filteredList = ShrinkGuard(maxShare: 0.5, minRows: 1)

  /// For what may be another one every time: the answers to a question, a chart.
  package static let none = ShrinkGuard(maxShare: 1, minRows: .max)

  /// Whether a person has to look before `removed` of `published` entries go.
  package func refuses(removing removed: Int, of published: Int) -> Bool {
    removed >= minRows && Double(removed) > maxShare * Double(published)
  }
}

/// How stored documents of one kind become columns, without asking the upstream.
package protocol DocumentMapping: Sendable {
  /// For a person: the source, and which of its documents.
  var name: String { get }
  /// Which documents: folder and scope.
  var sql: StreamSQL { get }
  /// The version that the last byte of a content hash tells.
  var version: Int { get }

  /// Reads a document as it is stored, today's counters included.
  ///
  /// - Parameter key: the one that it is stored by; not every document tells its own.
  func read(_ document: [UInt8], key: Int64) -> Page.Entry
}

/// The seam to single items of a source.
package protocol ItemLookup: Sendable {
  func request(key: Int64) -> UpstreamRequest

  /// Reads an answer.
  ///
  /// - Throws: `SyncError` for everything that is neither the item nor "not found".
  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer

  /// Which build of the service's data an answer is of; nil where it does not say.
  func build(of response: UpstreamResponse) -> String?
}

extension ItemLookup {
  package func build(of response: UpstreamResponse) -> String? { nil }
}

/// How the own address of an item answers.
package enum LookupAnswer: Sendable {
  case item(Page.Entry)
  /// 404: the upstream does not have the item.
  case gone
}
