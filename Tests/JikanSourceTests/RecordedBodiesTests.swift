import Foundation
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource

@Suite(
  "Recorded bodies of Jikan v4",
  .enabled(
    if: RecordedBodies.folder != nil, "\(UpstreamFixtures.missing)"))
struct RecordedBodiesTests {
  private struct List {
    let name: String
    let kind: JikanKind
    let body: [UInt8]
    let items: [[String: Any]]
    let pagination: [String: Any]
  }

  private static func lists() -> [List] {
    RecordedBodies.all().compactMap { name, body in
      guard let root = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
        let items = root["data"] as? [[String: Any]], let first = items.first, first["titles"] != nil
      else { return nil }
      let kind: JikanKind
      if first["aired"] != nil { kind = .anime } else if first["published"] != nil { kind = .manga } else { return nil }
      return List(
        name: name, kind: kind, body: body, items: items, pagination: root["pagination"] as? [String: Any] ?? [:])
    }
  }

  @Test("every list of anime or manga reads without a rejected item, in the recorded order and as it was sent")
  func lists() throws {
    let lists = Self.lists()
    try #require(lists.count > 60, "too few of the recorded bodies were found to be lists")
    for list in lists {
      let page = try Reader(list.kind).page(list.body)
      #expect(page.rejected.isEmpty, "\(list.name): \(page.rejected)")
      #expect(page.items.map { Int($0.key) } == list.items.map { $0["mal_id"] as? Int ?? -1 }, "\(list.name)")
      let items = list.pagination["items"] as? [String: Any]
      #expect(page.claim.total == items?["total"] as? Int, "\(list.name)")
      #expect(page.claim.lastPage == list.pagination["last_visible_page"] as? Int, "\(list.name)")
      #expect(page.claim.hasNext == list.pagination["has_next_page"] as? Bool, "\(list.name)")
      for (item, original) in zip(page.items, list.items) {
        let kept = try JSONSerialization.jsonObject(with: Data(item.document)) as? NSDictionary
        #expect(kept == original as NSDictionary && item.misfits == [], "\(list.name): \(item.key)")
      }
    }
  }

  @Test("recorded lists of genres read whole, the count hashed apart")
  func genres() throws {
    let reader = Reader(.genres(JikanGenreList(kind: .anime, facet: .genres)))
    var found = 0
    for (name, body) in RecordedBodies.all() {
      guard let root = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
        let items = root["data"] as? [[String: Any]], items.first?.keys.sorted() == ["count", "mal_id", "name", "url"],
        (items[0]["url"] as? String)?.contains("/genre/") == true
      else { continue }
      found += 1
      let page = try reader.page(body)
      #expect(page.rejected.isEmpty, "\(name): \(page.rejected)")
      #expect(page.items.map { Int($0.key) } == items.map { $0["mal_id"] as? Int ?? -1 }, "\(name)")
      #expect(page.items.allSatisfy { $0.counterHash != 0 }, "\(name)")
    }
    #expect(found >= 5)
  }

  @Test("recorded items of one address are what they would be on a page")
  func singleItems() throws {
    var found = 0
    for (name, body) in RecordedBodies.all() {
      guard let root = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
        let item = root["data"] as? [String: Any], let id = item["mal_id"] as? Int64, item["titles"] != nil,
        item["aired"] != nil || item["published"] != nil
      else { continue }
      found += 1
      let kind = item["aired"] != nil ? JikanKind.anime : .manga
      guard case .item(.item(let single)) = try Reader(.catalogue(kind)).lookup(id, body) else {
        Issue.record("\(name): not read")
        continue
      }
      let document = String(decoding: single.document, as: UTF8.self)
      let onPage = try #require(try Reader(kind).page(items: [document]).items.first)
      #expect(single.contentHash == onPage.contentHash, "\(name)")
      #expect(single.counterHash == onPage.counterHash, "\(name)")
      #expect(throws: SyncError.self, "\(name)") { try Reader(.catalogue(kind)).lookup(id + 1, body) }
    }
    #expect(found >= 5)
  }

  @Test("every recorded body of any endpoint and version is read or refused; none crashes the reader")
  func everyBody() throws {
    let bodies = RecordedBodies.all()
    try #require(bodies.count > 150)
    for (name, body) in bodies {
      for status in [200, 404, 429, 500] {
        do {
          _ = try Reader().answer(body, status: status)
        } catch let error as SyncError {
          #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 }, "\(name)")
          #expect(error.message.unicodeScalars.count < 700, "\(name)")
        }
      }
    }
  }
}
