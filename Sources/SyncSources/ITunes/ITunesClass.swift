/// What a record is. Artists, collections and tracks are numbered separately, so an id is unique only together with its
/// class.
package enum ITunesClass: String, Sendable, CaseIterable {
  /// A song, a music video, a film, an episode of a series.
  case track
  case collection
  case artist
  case podcast
  case podcastEpisode = "podcast-episode"
  case audiobook
  case ebook
  case app
  /// A kind that was unknown when this was written.
  case other

  /// Ids that a key has room for.
  package static let ids: ClosedRange<Int64> = 1...(1 << 58 - 1)

  /// The class as a number; stored keys contain it.
  package var code: Int64 {
    switch self {
    case .other: 0
    case .track: 1
    case .collection: 2
    case .artist: 3
    case .podcast: 4
    case .podcastEpisode: 5
    case .audiobook: 6
    case .ebook: 7
    case .app: 8
    }
  }

  /// A class and an id in one number: the key of an item within its storefront.
  package func key(_ id: Int64) -> Int64 { id << 4 | code }

  package static func parts(ofKey key: Int64) -> (class: ITunesClass, id: Int64)? {
    guard let found = allCases.first(where: { $0.code == key & 15 }), ids.contains(key >> 4) else { return nil }
    return (found, key >> 4)
  }
}
