import SyncCore
import Testing

@testable import SyncEngine

@Suite("Queue of pages")
struct CommitQueueTests {
  private static func page(
    _ number: Int, key: Int64? = nil, version: Int64 = 0, bytes: Int = 10, isBad: Bool = false
  ) -> PageCommit {
    let item = PageItem(
      key: key ?? Int64(number), document: [UInt8](repeating: 32, count: bytes), contentHash: [], counterHash: version)
    return PageCommit(
      page: StoredPage(number: number, page: number, keys: [Int64(number)], unreadable: 0, claim: PageClaim()),
      rows: [.init(item: item, isDuplicate: false)],
      rejected: isBad ? [RejectedItem(key: 1, reason: "wrong_type", detail: "", excerpt: "")] : [],
      counters: RunCounters(), requestedAt: .zero)
  }

  private static func numbers(_ batch: [PageCommit]?) -> [Int]? { batch?.map(\.page.number) }

  @Test("all that waits is in the next commit, and one is under way at a time")
  func takesAll() {
    var queue = CommitQueue()
    #expect(queue.next() == nil)
    queue.add(Self.page(1), reservation: nil)
    #expect(Self.numbers(queue.next()) == [1])
    for number in 2...4 { queue.add(Self.page(number), reservation: nil) }
    #expect(queue.next() == nil, "page 1 is under way")
    queue.committed(1)
    #expect(Self.numbers(queue.next()) == [2, 3, 4])
    queue.add(Self.page(5), reservation: nil)
    queue.committed(1)
    #expect(Self.numbers(queue.next()) == [3, 4, 5], "only the first was committed")
  }

  @Test("32 pages or 3 MiB wait, and always one")
  func bounds() {
    var queue = CommitQueue()
    for number in 1...32 {
      #expect(queue.hasRoom)
      queue.add(Self.page(number), reservation: nil)
    }
    #expect(!queue.hasRoom)
    var large = CommitQueue()
    #expect(large.hasRoom)
    large.add(Self.page(1, bytes: 4 << 20), reservation: nil)
    #expect(!large.hasRoom)
    _ = large.next()
    #expect(!large.hasRoom, "what is under way counts")
    large.committed(1)
    #expect(large.hasRoom)
    var middle = CommitQueue()
    for number in 1...3 {
      #expect(middle.hasRoom)
      middle.add(Self.page(number, bytes: 1 << 20), reservation: nil)
    }
    #expect(!middle.hasRoom, "the next page would make 4 MiB")
  }

  @Test("a page with a rejected item is the last of its commit")
  func endsAtRejected() {
    var queue = CommitQueue()
    for number in 1...4 { queue.add(Self.page(number, isBad: number == 2), reservation: nil) }
    #expect(Self.numbers(queue.next()) == [1, 2])
    queue.committed(2)
    #expect(Self.numbers(queue.next()) == [3, 4])
  }

  @Test("a page with another version of an item is in a later commit than the first")
  func separatesVersions() {
    var queue = CommitQueue()
    for (number, version) in [(1, 7), (2, 7), (3, 8), (4, 8), (5, 7)] as [(Int, Int64)] {
      queue.add(Self.page(number, key: 1, version: version), reservation: nil)
    }
    for batch in [[1, 2], [3, 4], [5]] {
      #expect(Self.numbers(queue.next()) == batch)
      queue.committed(batch.count)
    }
  }

  @Test("the room of a large body is given back when its page is committed, or dropped")
  func reservations() async throws {
    let budget = ByteBudget(bytes: 2)
    var queue = CommitQueue()
    queue.add(Self.page(1), reservation: try await budget.reserve(1))
    queue.add(Self.page(2), reservation: try await budget.reserve(1))
    _ = queue.next()
    queue.committed(2)
    #expect(budget.reserveNow(2) != nil)
    queue.add(Self.page(3), reservation: try await budget.reserve(2))
    queue.drop()
    #expect(budget.reserveNow(2) != nil)
  }
}
