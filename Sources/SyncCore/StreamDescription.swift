/// The properties of a stream that the engine and the store need. They do not change during a run.
///
/// The store keeps provider, origin, page size and parameters. Another origin is refused on existing data, and another
/// page size or other parameters begin a new walk.
package struct StreamDescription: Sendable, Equatable {
  package let id: StreamID
  /// The name of the service that serves the source's API, such as one of several mirrors.
  package let provider: String
  /// The service's URL without credentials.
  package let origin: String
  /// The number of items to request in one page.
  package let pageSize: Int
  package let method: WalkMethod
  /// What it means if a complete walk did not see a stored key.
  package let absence: Absence
  package let sql: StreamSQL
  /// Must increase if new code derives different columns or hashes. Otherwise, stored documents keep old columns.
  package let mappingVersion: Int
  /// Further request parameters. A walk with different parameters is not resumed.
  package let parameters: String
  /// The build of the service's data that the index named. `nil` if the service has no builds.
  package let build: String?
  /// Requests page 1 without the filter. If a filtered list is empty, this page shows whether the service works.
  package let witness: UpstreamRequest?
  /// The current time span of a window, in the format of `span.sql`: `2026 winter`. `nil` if it is not checked.
  package let expectedSpan: String?
  /// Whether the declaration says that a chain's pages continue after the last item's key. The walk then believes
  /// cursors that it cannot read.
  package var isChainByKey = false
  /// Whether a user's command asks once, as a search does. Such answers differ so much that a column which most of
  /// their items lack says nothing about the service's format: the items are stored, and the run warns.
  package var isQuestion = false
  /// The parameters of a walk of the whole list, if this walk requests only the changes since a value. Walks with equal
  /// texts read the same list.
  package var wholeListParameters: String?
  /// What the user can declare so that walks have evidence. `nil` for streams that always have evidence.
  package var evidenceRemedy: String?

  /// Whether the walk reads the whole list on several pages that can change in between, so that its certificate needs
  /// evidence. Other walks prove nothing about missing items, or see the list in one answer.
  package var enumerates: Bool {
    switch (method, absence) {
    case (.single, _), (.sample, _), (.batches, _), (_, .provesNothing), (_, .leavesWindow): false
    case (.pages, _), (.positions, _), (.chain, _), (.catalogue, _), (.documents, _): true
    }
  }

  package init(
    id: StreamID, provider: String, origin: String, pageSize: Int, method: WalkMethod = .pages, absence: Absence,
    sql: StreamSQL, mappingVersion: Int = 1, parameters: String = "", build: String? = nil,
    witness: UpstreamRequest? = nil, expectedSpan: String? = nil
  ) {
    self.witness = witness
    self.expectedSpan = expectedSpan
    self.mappingVersion = mappingVersion
    self.parameters = parameters
    self.build = build
    self.id = id
    self.provider = provider
    self.origin = origin
    self.pageSize = pageSize
    self.method = method
    self.absence = absence
    self.sql = sql
  }
}

/// The place and the parameters of a stream's SQL statements.
package struct StreamSQL: Sendable, Equatable {
  /// The folder of the statements: the name of the source, or `declared/SOURCE/RESOURCE` for a declared source.
  package let folder: String
  /// The key parts that all items share, for example kind and filter. Every statement receives them.
  package let scope: [String]
  /// Further parameters for publishing, for example the number of positions in the history.
  package let publishing: [String]

  package init(folder: String, scope: [String], publishing: [String] = []) {
    self.folder = folder
    self.scope = scope
    self.publishing = publishing
  }
}

/// The name of a source in commands, configuration and tables.
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

/// A list or catalogue of a source that is walked on its own, e.g. `source/top-list:tv`.
package struct StreamID: Hashable, Sendable, CustomStringConvertible {
  package let source: SourceID
  package let name: String

  package init(source: SourceID, name: String) {
    self.source = source
    self.name = name
  }

  package var description: String { "\(source)/\(name)" }
}

/// A list or catalogue of a source: how its pages are requested, and how responses are read. The engine walks it, and
/// the store writes its items.
package protocol PagedStream: Sendable {
  var description: StreamDescription { get }
  /// Requests for single items. `nil` if the service cannot be asked for one item.
  var lookup: (any ItemLookup)? { get }
  /// Whether a header names the next page. A 304 has no such header, and an equal body can have another next page.
  var namesNextInHeader: Bool { get }

  /// Returns the request for a part of the list. The address has passed `check`.
  func request(_ address: PageAddress) -> UpstreamRequest

  /// Throws if the page must not be requested. The address of a next page comes from the database, and every role that
  /// writes the mirror can change it. A request carries the user's credentials.
  func check(_ address: PageAddress) throws(SyncError)

  /// Classifies the response to a request of this stream. A bad item is an entry of the page. Throws `SyncError` for a
  /// response that is neither a page nor "not found".
  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page
}

extension PagedStream {
  package var lookup: (any ItemLookup)? { nil }
  package var namesNextInHeader: Bool { false }
  /// Accepts every address. Streams whose pages name the next page must check it themselves.
  package func check(_ address: PageAddress) throws(SyncError) {}
}

/// How a walk requests a list, and what the order of its pages proves.
package enum WalkMethod: Sendable, Equatable {
  /// A list that is read page by page. Its order can change during the walk.
  case pages
  /// Like `pages`, but a request has the position of the first item. The next page begins where the items that arrived
  /// ended, so a service that returns fewer items than requested skips none.
  case positions
  /// A list in one response.
  case single
  /// A list whose pages name the next page, by its address or by a cursor.
  case chain
  /// A catalogue in the order of ids. Each page overlaps the previous page. `pageCap` is the highest page number that
  /// the service answers.
  case catalogue(pageCap: Int?)
  /// Search results. They vary, so the walk detects neither changes of the order nor missing items.
  case sample
  /// A known number of pages. Each page contains the available items of a batch, and can be empty.
  case batches
  /// A list that contains only ids. Each document has its own address, and is fetched if it is older than the TTL.
  case documents(ttl: Duration)
}

/// Defines what it means if a complete walk did not see a stored key.
package enum Absence: Sendable, Equatable {
  /// Nothing. Search results differ from call to call.
  case provesNothing
  /// The list's entry ends, but the item still exists. The guard limits how many entries can end at once.
  case endsEntry(ShrinkGuard)
  /// The item left the list because the time window moved on. All items can leave at once, so a run accepts any number
  /// of missing items, unless the window is empty or unreadable.
  case leavesWindow
  /// The item may have been removed, so its own address is requested. `publishes` is true for a list with positions.
  case questionsItem(ShrinkGuard, publishes: Bool = false)

  /// Whether a run counts the unusable items of several lists together. One bad item in a short list proves nothing.
  package var isJudgedWithOthers: Bool {
    switch self {
    case .provesNothing: true
    case .endsEntry(let rule): rule == .none
    case .leavesWindow, .questionsItem: false
    }
  }

  /// Whether a finished walk replaces a published list with positions.
  package var publishesList: Bool {
    switch self {
    case .endsEntry, .leavesWindow: true
    case .questionsItem(_, let publishes): publishes
    case .provesNothing: false
    }
  }

  /// The guard that limits missing items. `nil` if a walk can miss any number.
  package var shrinkGuard: ShrinkGuard? {
    switch self {
    case .provesNothing, .leavesWindow: nil
    case .endsEntry(let rule), .questionsItem(let rule, _): rule
    }
  }
}

/// Limits how much of a published list can disappear at once without confirmation.
package struct ShrinkGuard: Sendable, Equatable {
  /// The largest share of the published rows that can disappear, from 0 to 1.
  package let maxShare: Double
  /// Fewer missing rows than this are always accepted.
  package let minRows: Int

  package init(maxShare: Double, minRows: Int) {
    self.maxShare = maxShare
    self.minRows = minRows
  }

  /// For whole lists and catalogues: refuses more than 5 % and at least 50 rows.
  package static let wholeList = ShrinkGuard(maxShare: 0.05, minRows: 50)
  /// For filtered lists: refuses more than half of the rows.
  package static let filteredList = ShrinkGuard(maxShare: 0.5, minRows: 1)

  /// Refuses nothing. It is for lists whose content can change completely, such as search results or charts.
  package static let none = ShrinkGuard(maxShare: 1, minRows: .max)

  /// Returns whether the guard stops a run that would remove `removed` of the `published` rows.
  package func refuses(removing removed: Int, of published: Int) -> Bool {
    removed >= minRows && Double(removed) > maxShare * Double(published)
  }
}

/// Derives the columns and hashes of stored documents again, after the mapping of a source has changed.
package protocol DocumentMapping: Sendable {
  var name: String { get }
  var sql: StreamSQL { get }
  /// The version of the mapping, which is stored in the last byte of each content hash.
  var version: Int { get }

  /// Reads a stored document like a new one. `key` is the key of the stored row, because not every document contains
  /// its key.
  func read(_ document: [UInt8], key: Int64) -> Page.Entry
}

/// An item of the mirror to look up after a walk that reached the end: an item that the walk did not see, or a control.
package struct MissingItem: Sendable, Equatable {
  package let key: Int64
  /// The texts of the key's members. Empty unless the source's `missing.sql` returns them.
  package let members: [String]
  /// Whether the walk saw the item. If the lookup of such a control does not find the item, the lookups prove nothing.
  package let isControl: Bool
  /// Whether the previous list had the item. Other items can stay unlisted for years.
  package let isListed: Bool

  package init(key: Int64, members: [String] = [], isControl: Bool = false, isListed: Bool = true) {
    self.key = key
    self.members = members
    self.isControl = isControl
    self.isListed = isListed
  }
}

/// Requests for a single item by its key, such as a detail page. Walks ask for items that a list no longer has, and for
/// documents that a list only names.
package protocol ItemLookup: Sendable {
  /// Returns the request for the item with this key.
  func request(key: Int64) -> UpstreamRequest
  /// Returns the request for a missing item. By default, only its key counts.
  func request(for item: MissingItem) -> UpstreamRequest

  /// Throws `SyncError` for a response that is neither the item nor "not found".
  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer

  /// Returns the build of the service's data that the response names. Returns `nil` if the response names none.
  func build(of response: UpstreamResponse) -> String?
}

extension ItemLookup {
  /// Returns the request for the item's key.
  package func request(for item: MissingItem) -> UpstreamRequest { request(key: item.key) }
  /// Returns `nil`, for services whose responses do not name their build.
  package func build(of response: UpstreamResponse) -> String? { nil }
}

/// The answer to a lookup: the item, usable or rejected, or the statement that it no longer exists (404).
package enum LookupAnswer: Sendable {
  case item(Page.Entry)
  case gone
}
