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
  /// The lists of a stream that has several. `nil` for a stream of one list. `method` says how each list is walked.
  package var lists: StreamLists?
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

  /// The address of page 1, in a stream of several lists of its first list.
  package var firstPage: PageAddress { PageAddress(page: 1, size: pageSize).of(list: lists?.lists.first?.name) }

  /// `origin` is a URL without credentials. Increase `mappingVersion` if new code derives other columns or hashes.
  /// `isChainByKey`, `isQuestion`, `wholeListParameters`, `lists` and `evidenceRemedy` can be set afterwards.
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

  /// `folder` is a source's name or `declared/SOURCE/RESOURCE`. Every statement receives `scope` as an array of texts,
  /// so the order of its elements matters.
  package init(folder: String, scope: [String], publishing: [String] = []) {
    self.folder = folder
    self.scope = scope
    self.publishing = publishing
  }
}
