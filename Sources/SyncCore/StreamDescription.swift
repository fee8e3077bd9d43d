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
