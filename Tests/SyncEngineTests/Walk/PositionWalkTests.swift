import SyncCore
import SyncEngine
import Testing

@Suite("Lists that are read by position")
struct PositionWalkTests {
  private func list(_ items: some Sequence<Int64>, cap: Int? = nil, tellsTotal: Bool = true) -> EditedList {
    var list = EditedList(items)
    list.isByPosition = true
    list.tellsEnd = false
    list.tellsSize = tellsTotal
    list.largestPage = cap
    return list
  }

  private func walk(_ list: inout EditedList, limit: Int = 20) throws -> (Certificate, published: Set<Int64>) {
    let (certificate, published) = try list.walkAndPublish { ListWalk(pageSize: limit, isByPosition: true) }
    return (certificate, published)
  }

  @Test("a page begins where the items that arrived ended, and all claimed items end the list")
  func capped() throws {
    var list = list(1...30, cap: 7)
    let (certificate, published) = try walk(&list)
    #expect(list.asked.map(\.offset) == [0, 7, 14, 21, 28])
    #expect(list.asked.allSatisfy { $0.size == 20 })
    #expect(published == Set(1...30))
    #expect(certificate.complete)
    #expect(certificate.endedBy == .claimedTotal)
  }

  @Test("without a total, each page begins with the last item of the page before it")
  func overlap() throws {
    var list = list(1...30, cap: 7, tellsTotal: false)
    let (certificate, published) = try walk(&list)
    // The last page is short, so the service could hide items. A request behind the last page's place shows the end.
    #expect(list.asked.map(\.offset) == [0, 6, 12, 18, 24, 29, 49])
    #expect(published == Set(1...30))
    #expect(certificate.complete)
    #expect(certificate.drift == 0)
    #expect(certificate.distinctKeys == 30)
    #expect(certificate.repeats == 0)
  }

  @Test("an unreadable item has its place, once, also if two pages share it")
  func unreadable() throws {
    var walk = ListWalk(pageSize: 3, isByPosition: true)
    let request = UpstreamRequest(url: "https://api.example/list")
    func receive(_ keys: [Int64?], at offset: Int) throws -> StoredPage? {
      try walk.receive(.naming(keys), at: PageAddress(offset: offset, size: 3), request: request).stored
    }
    let first = try receive([nil, 1, nil], at: 0)
    #expect(first?.keys == [1] && first?.unreadable == 2 && first?.unreadableAfter == [0, 1])
    let second = try receive([nil, 3, nil], at: 2)
    #expect(second?.keys == [3] && second?.unreadable == 2 && second?.unreadableAfter == [1])
  }

  @Test("a service that rounds positions down is asked once, and then read page by page")
  func aligned() throws {
    var list = list(1...30, tellsTotal: false)
    list.isAligned = true
    let (certificate, published) = try walk(&list, limit: 7)
    #expect(list.asked.map(\.offset) == [0, 6, 7, 14, 21, 28, 30, 37])
    #expect(published == Set(1...30))
    #expect(certificate.drift == 0)
  }

  @Test(
    "items that a service hides after it has counted positions are no drift", arguments: [[3], [3, 13], [13, 14, 22]])
  func hidden(items: Set<Int64>) throws {
    var list = list(1...30)
    list.hidden = items
    let (certificate, published) = try walk(&list, limit: 10)
    #expect(published == Set(1...30).subtracting(items))
    #expect(certificate.complete)
    #expect(certificate.drift == 0)
    #expect(list.asked.count <= 5, "at most one request more than pages and the end")
  }

  @Test("a removed item is a missing overlap, and the list is read again")
  func removal() throws {
    var list = list(1...30, cap: 7, tellsTotal: false)
    list.edits[3] = { $0.removeFirst() }
    let (certificate, published) = try walk(&list)
    #expect(certificate.complete)
    #expect(certificate.drift > 0)
    #expect(published == Set(2...30))
  }

  @Test("a list that loses its last item while its end is read is read again")
  func removedEnd() throws {
    var list = list(1...30, cap: 7, tellsTotal: false)
    list.edits[6] = { $0.removeLast() }
    let (certificate, published) = try walk(&list)
    #expect(certificate.complete)
    #expect(certificate.drift > 0)
    #expect(published == Set(1...29))
  }

  @Test("an item that moves to a page that was already read is drift, although no total tells")
  func moved() throws {
    var list = list(1...30, cap: 7, tellsTotal: false)
    list.edits[3] = { items in
      items.removeAll { $0 == 25 }
      items.insert(25, at: 0)
    }
    let (certificate, published) = try walk(&list)
    #expect(certificate.drift > 0)
    #expect(published == Set(1...30))
    #expect(certificate.complete)
  }

  @Test("a service that serves smaller pages from one request on loses no item")
  func lowerCap() throws {
    var list = list(1...30, cap: 7)
    list.faults[3] = .naming([15, 16, 17])
    let (certificate, published) = try walk(&list)
    #expect(list.asked.prefix(4).map(\.offset) == [0, 7, 14, 17])
    #expect(published == Set(1...30))
    #expect(certificate.complete)
  }

  @Test("the stored form of an address has its position", arguments: [0, 20, 25])
  func address(offset: Int) {
    let address = PageAddress(offset: offset, size: 20)
    #expect(PageAddress(text: address.text) == address)
    #expect(address.text == [0: "1x20", 20: "2x20", 25: "@25x20"][offset])
  }
}
