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

/// What has to be known of a stream to walk and to store it: who it is, where it comes from, how it is read, and which
/// SQL makes rows of its items.
///
/// A walk may only be resumed by a description of the same provider, origin, page size, mapping and parameters: pages
/// of another one do not continue each other.
package struct StreamDescription: Sendable, Equatable {
  package let id: StreamID
  /// Which service answers for the source, e.g. `tenrai`.
  package let provider: String
  /// Scheme, host, port and path prefix of the service, without credentials.
  package let origin: String
  /// Items asked for per page.
  package let pageSize: Int
  package let method: WalkMethod
  package let absence: Absence
  package let sql: StreamSQL
  /// Grows when the same document makes other columns or another hash. What is stored by another version is derived
  /// anew from the document, and no page of such a walk is asked for conditionally.
  package let mappingVersion: Int
  /// What the stream asks for besides: a walk with other parameters does not go on with this one.
  package let parameters: String
  /// Which build of its data the service said it has, before the stream was asked for; nil where it does not say.
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
  /// So many pages as are known beforehand, each with what there is of what was asked for; any may be empty.
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
  /// A catalogue: the item itself may be gone, and its own address is asked.
  case questionsItem(ShrinkGuard)

  /// How much may disappear at once before a person has to look.
  package var shrinkGuard: ShrinkGuard? {
    switch self {
    case .provesNothing, .leavesWindow: nil
    case .endsEntry(let rule), .questionsItem(let rule): rule
    }
  }
}

/// The statements of `sql/sources/<folder>/`, with what is the same for all items of the stream.
package struct StreamSQL: Sendable, Equatable {
  package let folder: String
  /// The part of the key that all items share, passed to every statement as `text[]`: kind and filter, for
  /// example.
  package let scope: [String]
  /// What publishing has to know besides, as `text[]`: how many positions of a history are noted, for example.
  package let publishing: [String]

  package init(folder: String, scope: [String], publishing: [String] = []) {
    self.folder = folder
    self.scope = scope
    self.publishing = publishing
  }
}
