import Foundation
import SyncCore

extension ListReader {
  /// The items of Jikan's lists.
  init(model: JikanModel) {
    self.init(
      path: ["data"], idMember: "mal_id", counters: model.counters, mappingVersion: model.mappingVersion,
      check: model.check
    ) { envelope in
      // Without a readable envelope the walk continues to a 404 or an empty page; nothing is lost.
      guard let page = try? JSONDecoder().decode(JikanEnvelope.self, from: envelope).pagination else {
        return PageClaim()
      }
      return PageClaim(total: page.items?.total, lastPage: page.lastVisiblePage, hasNext: page.hasNextPage)
    }
  }
}
