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
