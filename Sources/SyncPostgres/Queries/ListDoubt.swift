import Foundation
import SyncCore

/// Reasons why a published list may lack entries or have them in a wrong order.
package struct ListDoubt: Sendable, Hashable {
  /// ISO 8601, UTC, to the second.
  package let publishedAt: String
  package let hasMoved: Bool
  /// The number of entries that the upstream counts or sent but that were not read, for example because their ids were
  /// unreadable.
  package let unread: Int?

  /// Returns `nil` unless `isConsistent` is false, or if the only fault is an item that the upstream lists twice.
  /// - Parameters:
  ///   - certificate: The JSON of the publication's `Certificate`. Without a readable one, the list counts as moved.
  ///   - publishedAt: A `timestamptz` in UTC, in PostgreSQL's format or in ISO 8601.
  package init?(isConsistent: Bool?, certificate: String?, publishedAt: String) {
    guard isConsistent == false else { return nil }
    let certificate = certificate.flatMap { try? JSONDecoder().decode(Certificate.self, from: Data($0.utf8)) }
    if let certificate, certificate.drift == 0, certificate.deficit == 0, certificate.unaccounted == 0,
      certificate.unreadable == 0
    {
      return nil
    }
    self.publishedAt = TimeText.second(publishedAt)
    hasMoved = certificate.map { $0.drift > 0 } ?? true
    unread = certificate.map { max($0.deficit, $0.unreadable) }
  }
}
