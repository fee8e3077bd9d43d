import Foundation
import SyncCore
import SyncTestKit
import Testing

@testable import ITunesSource

@Suite(
  "Recorded bodies of iTunes and of Apple's charts",
  .enabled(
    if: RecordedBodies.folder(of: "itunes") != nil && RecordedBodies.folder(of: "rss") != nil,
    "\(UpstreamFixtures.missing)"))
struct RecordedITunesTests {
  private static func expected(_ record: [String: Any]) -> (class: String, member: String)? {
    switch (record["wrapperType"] as? String, record["kind"] as? String) {
    case ("track", "song"), ("track", "music-video"), ("track", "feature-movie"), ("track", "tv-episode"):
      ("track", "trackId")
    case ("collection", nil): ("collection", "collectionId")
    case ("artist", nil): ("artist", "artistId")
    case ("audiobook", nil): ("audiobook", "collectionId")
    case ("track", "podcast"): ("podcast", record["trackId"] == nil ? "collectionId" : "trackId")
    case ("podcastEpisode", "podcast-episode"): ("podcast-episode", "trackId")
    case (nil, "ebook"): ("ebook", "trackId")
    case ("software", "software"), ("software", "mac-software"): ("app", "trackId")
    default: nil
    }
  }

  @Test("every record of every search and lookup is classified and kept as it was sent")
  func records() throws {
    var classes: Set<ITunesClass> = []
    var (lists, records) = (0, 0)
    for (name, body) in RecordedBodies.all(of: "itunes") {
      let root = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      guard let results = root?["results"] as? [[String: Any]] else {
        #expect(throws: SyncError.self, "\(name)") { try ITunesStreamReader().page(body) }
        continue
      }
      let page = try ITunesStreamReader().page(body)
      lists += 1
      records += results.count
      #expect(page.rejected.isEmpty, "\(name): \(page.rejected)")
      try #require(page.items.count == results.count, "\(name)")
      for (item, record) in zip(page.items, results) {
        let parts = try #require(ITunesClass.parts(ofKey: item.key), "\(name)")
        classes.insert(parts.class)
        if let expected = Self.expected(record) {
          #expect(parts.class.rawValue == expected.class, "\(name): \(record)")
          #expect(parts.id == record[expected.member] as? Int64, "\(name): \(record)")
        }
        let kept = try JSONSerialization.jsonObject(with: Data(item.document)) as? NSDictionary
        #expect(kept == record as NSDictionary && item.misfits == [], "\(name): \(item.key): \(item.misfits)")
      }
    }
    #expect(lists >= 40 && records >= 700)
    #expect(classes.allSatisfy { $0.rawValue != "other" }, "a kind is not known")
  }

  @Test("every chart is read in the order of its places; all else is refused for a stated reason")
  func charts() throws {
    var kinds: Set<String> = []
    for (name, body) in RecordedBodies.all(of: "rss") {
      let root = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any], "\(name)")
      let feed = try #require(root["feed"] as? [String: Any], "\(name)")
      let form = feed["results"] != nil ? "results" : "entry"
      let entries = try #require(feed[form] as? [[String: Any]], "\(name)")
      let reader = ITunesStreamReader(try ITunesChart())
      if entries.contains(where: { $0["im:rating"] != nil }) {
        #expect(try reader.error(body, status: 200).message.contains("customer reviews"), "\(name)")
        kinds.insert("customer reviews")
        continue
      }
      let page = try reader.page(body)
      #expect(page.rejected.isEmpty, "\(name): \(page.rejected)")
      #expect(page.items.map { "\($0.key)" } == entries.map(Self.id), "\(name)")
      for (item, entry) in zip(page.items, entries) {
        let kept = try JSONSerialization.jsonObject(with: Data(item.document)) as? NSDictionary
        #expect(kept == entry as NSDictionary && item.misfits == [], "\(name): \(item.key): \(item.misfits)")
        kinds.insert("\(form): \(Self.contentType(entry))")
      }
    }
    #expect(kinds.count >= 6)
  }

  private static func id(_ entry: [String: Any]) -> String {
    if let id = entry["id"] as? String { return id }
    let attributes = (entry["id"] as? [String: Any])?["attributes"] as? [String: Any]
    return attributes?["im:id"] as? String ?? "none"
  }

  private static func contentType(_ entry: [String: Any]) -> String {
    if let kind = entry["kind"] as? String { return kind }
    let type = entry["im:contentType"] as? [String: Any]
    let inner = type?["im:contentType"] as? [String: Any] ?? type
    return (inner?["attributes"] as? [String: Any])?["term"] as? String ?? "(none)"
  }

  @Test("every recorded body of any kind is read or refused as any stream of iTunes; none crashes the reader")
  func everyBody() throws {
    let bodies = RecordedBodies.all(of: "itunes") + RecordedBodies.all(of: "rss")
    let readers = [
      try ITunesStreamReader(), ITunesStreamReader(try ITunesLookup(.ids([1]))), ITunesStreamReader(try ITunesChart()),
    ]
    for (name, body) in bodies {
      for body in [body, Array(body.prefix(body.count / 2))] {
        for status in [200, 400, 403, 404, 500] {
          for reader in readers {
            do {
              _ = try reader.answer(body, status: status)
            } catch let error as SyncError {
              #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 }, "\(name)")
              #expect(error.message.unicodeScalars.count < 700, "\(name)")
            }
          }
        }
      }
    }
  }
}
