import SyncCore
import SyncTestKit
import Testing

@testable import SyncEngine

@Suite("Conditional requests", .timeLimit(.minutes(10)))
struct ConditionalTests {
  @Test(
    "an unchanged list is as complete as before, and its pages are not read again; --full reads them",
    arguments: [Recognition.etags, .bodies])
  func nothingChanged(_ recognition: Recognition) async throws {
    let upstream = AnswerScript(.honest(300), recognition)
    let store = MemoryStore()
    let first = try await run(upstream, store)
    #expect(first.counters.notModified + first.counters.identical == 0 && first.counters.inserted == 900)
    for _ in 1...2 {
      let same = try await run(upstream, store)
      let known = recognition == .etags ? (300, 0) : (0, 300)
      #expect((same.counters.notModified, same.counters.identical) == known && same.counters.unchanged == 900)
      #expect((same.counters.bytes == 0) == (recognition == .etags))
      #expect(same.counters.rowsSeen == 900 && same.counters.pages == 300)
      #expect(same.certificate == first.certificate && same.status == .complete)
    }
    let full = try await run(upstream, store, isFull: true)
    #expect(full.counters.notModified + full.counters.identical == 0 && full.counters.unchanged == 900)
  }

  @Test("a walk of several runs sends conditional requests in each of them")
  func piecewise() async throws {
    let upstream = AnswerScript(.honest(450), .etags)
    let store = MemoryStore()
    _ = try await run(upstream, store)
    var confirmed = 0
    for pages in [1, 149, 200, 1000] {
      confirmed += try await run(upstream, store, maxPages: pages).counters.notModified
    }
    #expect(confirmed == 450)
    #expect(await store.endings.last?.status == .complete)
  }

  @Test("the digest of a page is of its whole body and of the mapping that read it")
  func digests() {
    let digest = PageDigest.of(Array("{\"data\":[]}".utf8), mappingVersion: 3)
    #expect(digest.count == 32)
    #expect(PageDigest.of(Array("{\"data\":[]}".utf8), mappingVersion: 3) == digest)
    #expect(PageDigest.of(Array("{\"data\":[]} ".utf8), mappingVersion: 3) != digest)
    #expect(PageDigest.of(Array("{\"data\":[]}".utf8), mappingVersion: 4) != digest)
  }

  @Test(
    "a page is read if one of its items changed, was written by another stream, vanished, or was bad",
    arguments: [Recognition.etags, .bodies])
  func notConfirmed(_ recognition: Recognition) async throws {
    var pages = [TestPage].honest(10)
    let upstream = AnswerScript(pages, recognition)
    let store = MemoryStore()
    _ = try await run(upstream, store)
    await store.overwrite(4, with: [77])
    pages[6].entries[0] = .item(18, version: 9)
    pages[8].entries[1] = .rejected(25)
    upstream.change(pages)
    let report = try await run(upstream, store)
    #expect(report.counters.notModified + report.counters.identical == 7)
    #expect(report.counters.updated == 2 && report.counters.quarantined == 1)
    let rows = await store.rows
    #expect(rows[4] == [0] && rows[18] == [9])
    let again = try await run(upstream, store)
    #expect(again.counters.notModified + again.counters.identical == 9 && again.counters.quarantined == 1)
  }

  @Test(
    "whether known pages are recognized or not, a walk makes the same mirror and the same counts",
    arguments: 1...40 as ClosedRange<UInt64>, [Recognition.etags, .bodies])
  func sameOutcome(seed: UInt64, _ recognition: Recognition) async throws {
    var random = SeededGenerator(seed: seed)
    var pages = (0..<Int.random(in: 1...12, using: &random)).map { _ in TestPage.random(&random) }
    let (plain, tagged) = (AnswerScript(pages), AnswerScript(pages, recognition))
    let (expected, store) = (MemoryStore(), MemoryStore())
    for _ in 0..<5 {
      let left = try await run(plain, expected)
      let right = try await run(tagged, store)
      #expect(left.certificate == right.certificate && left.status == right.status, "seed \(seed)")
      #expect(right.counters.outcomes == left.counters.outcomes, "seed \(seed)")
      #expect(await store.rows == expected.rows, "seed \(seed)")
      #expect(await store.published == expected.published, "seed \(seed)")
      if Bool.random(using: &random) { pages[Int.random(in: 0..<pages.count, using: &random)] = .random(&random) }
      if Int.random(in: 0..<3, using: &random) == 0,
        let key = await expected.rows.keys.sorted().randomElement(using: &random)
      {
        await expected.overwrite(key, with: [55])
        await store.overwrite(key, with: [55])
      }
      plain.change(pages)
      tagged.change(pages)
    }
  }

  @Test("the validators of an answer: its ETag, or a Last-Modified that is old enough")
  func validators() {
    func given(_ headers: [String: String]) -> Validators? {
      UpstreamResponse(status: 200, headers: headers, body: []).validators
    }
    let time = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(given([:]) == nil)
    #expect(given(["etag": "W/\"a\"", "last-modified": time]) == Validators(etag: "W/\"a\"", lastModified: nil))
    #expect(given(["etag": "\"\u{1B}[2J\""]) == nil)
    #expect(given(["etag": "\"" + String(repeating: "x", count: 300) + "\""]) == nil)
    #expect(given(["last-modified": time]) == nil)
    #expect(given(["last-modified": time, "date": "Sun, 06 Nov 1994 08:50:36 GMT"]) == nil)
    #expect(
      given(["last-modified": time, "date": "Sun, 06 Nov 1994 08:50:37 GMT"])
        == Validators(etag: nil, lastModified: time))
    #expect(given(["last-modified": "yesterday", "date": time]) == nil)
  }

  @Test("an address of a page is kept as text and read back")
  func addresses() {
    for address in [PageAddress(page: 12, size: 25), PageAddress(page: 1, size: 3, direction: .backward)] {
      #expect(PageAddress(text: address.text) == address)
    }
    for text in ["", "x", "1x", "0x25", "1x0", "1x-", "1x2x3", "-1x2", "1x-2"] {
      #expect(PageAddress(text: text) == nil, "\(text)")
    }
  }
}

extension RunCounters {
  fileprivate var outcomes: [Int] {
    [pages, requests, rowsSeen, inserted, updated, unchanged, duplicates, quarantined, vanished]
  }
}
