import Testing
import UpstreamSimulator

@Suite("Lists that change", .computesLong)
struct DriftingJikanTests {
  private func drifting(seed: UInt64 = 1, _ change: (inout JikanDrift) -> Void = { _ in }) -> DriftingJikan {
    var drift = JikanDrift()
    change(&drift)
    return DriftingJikan(settings(137) { $0.seed = seed }, drift: drift)
  }

  @Test("Without changes, pages tile the list, by score and by number, from either end", arguments: [7, 25, 50])
  func tiles(limit: Int) async throws {
    let jikan = drifting { $0.totalError = 10 }
    let ids = jikan.ids(.anime)
    #expect(Set(ids).count == 137 && ids != ids.sorted())
    for (path, parameters, order) in [
      ("/v1/top/anime", "", ids), ("/v1/anime", "&order_by=mal_id&sort=asc", ids.sorted()),
      ("/v1/anime", "&order_by=mal_id&sort=desc", ids.sorted(by: >)),
    ] { #expect(await jikan.numbers(path, limit: limit, parameters: parameters).flatMap(\.self) == order) }
    let page = try await jikan.page("/v1/top/anime?page=2&limit=\(limit)")
    #expect(page.pagination.items.total == 147 && page.pagination.hasNextPage)
    #expect(page.pagination.lastVisiblePage == (137 + limit - 1) / limit)
  }

  @Test("Items removed by hand are in no view")
  func byHand() async throws {
    let jikan = drifting()
    let ids = jikan.ids(.manga)
    jikan.remove(.manga, [ids[0], ids[50], 999_999_999])
    let now = await jikan.numbers("/v1/top/manga", limit: 50).flatMap(\.self)
    #expect(now == jikan.ids(.manga) && now == ids.filter { ![ids[0], ids[50]].contains($0) })
    #expect(await jikan.text("/v1/manga/\(ids[0])").contains("ResourceNotFoundException"))
    #expect(await jikan.get("/v1/manga/\(ids[1])").status == 200)
  }

  @Test("At most one change precedes a request, at the given rates, the same with the same seed")
  func rates() async {
    let jikan = drifting { ($0.insertions, $0.removals, $0.moves) = (0.2, 0.2, 0.4) }
    let twin = drifting { ($0.insertions, $0.removals, $0.moves) = (0.2, 0.2, 0.4) }
    var (changed, before) = ([String: Int](), jikan.ids(.anime))
    for _ in 0..<500 {
      #expect(await jikan.get("/v4/top/anime") == twin.get("/v4/top/anime"))
      let after = jikan.ids(.anime)
      let (gone, new) = (Set(before).subtracting(after), Set(after).subtracting(before))
      #expect(gone.count + new.count <= 1)
      let change = !gone.isEmpty ? "removal" : !new.isEmpty ? "insertion" : after == before ? "none" : "move"
      changed[change, default: 0] += 1
      let stayed = after.filter { Set(before).contains($0) }
      let kept = before.filter { Set(after).contains($0) }
      #expect(stayed == kept || stayed.contains { id in stayed.filter { $0 != id } == kept.filter { $0 != id } })
      before = after
    }
    for (change, share) in [("removal", 100), ("insertion", 100), ("move", 200), ("none", 100)] {
      #expect(abs((changed[change] ?? 0) - share) < 40, "\(changed)")
    }
    for id in before.prefix(5) { #expect(await jikan.get("/v4/anime/\(id)").status == 200) }
    #expect(jikan.ids(.anime) == before, "a lookup has changed the list")
    #expect(drifting(seed: 2).ids(.anime) != drifting().ids(.anime))
  }
}
