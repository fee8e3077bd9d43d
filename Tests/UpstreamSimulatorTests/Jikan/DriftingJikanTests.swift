import Foundation
import Testing
import UpstreamSimulator

private func drifting(
  _ items: Int = 137, seed: UInt64 = 1, _ change: (inout JikanDrift) -> Void = { _ in }
) -> DriftingJikan {
  var drift = JikanDrift()
  change(&drift)
  return DriftingJikan(settings(items) { $0.seed = seed }, drift: drift)
}

private let byNumber = "&order_by=mal_id&sort=asc"

@Suite("Lists that change: without changes")
struct DriftingJikanTests {
  @Test("Pages tile the list, by score and by number, from either end", arguments: [7, 25, 26, 50])
  func tiles(limit: Int) async throws {
    let jikan = drifting()
    let ids = jikan.ids(.anime)
    #expect(Set(ids).count == 137 && ids != ids.sorted())
    let byScore = await jikan.numbers("/v1/top/anime", limit: limit)
    #expect(byScore.flatMap(\.self) == ids && byScore.dropLast().allSatisfy { $0.count == limit })
    #expect(await jikan.numbers("/v1/anime", limit: limit, parameters: byNumber).flatMap(\.self) == ids.sorted())
    let descending = "&order_by=mal_id&sort=desc"
    #expect(await jikan.numbers("/v1/anime", limit: limit, parameters: descending).flatMap(\.self) == ids.sorted(by: >))
    let page = try await jikan.page("/v1/top/anime?page=2&limit=\(limit)")
    #expect(page.pagination.items.total == 137 && page.pagination.hasNextPage)
    #expect(page.pagination.lastVisiblePage == (137 + limit - 1) / limit)
    #expect(jikan.oracle(.manga).requests == 0)
  }

  @Test("Changes by hand show in all views, and scores never rise")
  func byHand() async throws {
    let jikan = drifting()
    let ids = jikan.ids(.manga)
    let new = jikan.insert(.manga, at: 3)
    jikan.move(.manga, ids[100], to: 0)
    jikan.remove(.manga, [ids[0], ids[50]])
    jikan.restore(.manga, [ids[50]], at: 10)
    jikan.remove(.manga, [999_999_999])
    jikan.restore(.manga, [ids[1]])
    let now = await jikan.numbers("/v1/top/manga", limit: 50).flatMap(\.self)
    #expect(now == jikan.ids(.manga) && now.count == 137)
    #expect(now.first == ids[100] && now[3] == new && now[10] == ids[50] && !now.contains(ids[0]))
    #expect(await jikan.get("/v1/manga/\(ids[0])").status == 404)
    #expect(await jikan.text("/v1/manga/\(ids[0])").contains("ResourceNotFoundException"))
    for id in [new, ids[50], ids[100]] { #expect(await jikan.get("/v1/manga/\(id)").status == 200) }
    var scores: [Double] = []
    for page in 1...3 {
      scores += try await jikan.page("/v1/top/manga?limit=50&page=\(page)").data.compactMap(\.score)
    }
    #expect(scores.count == 137 && scores == scores.sorted(by: >))
    let moved = try SimulatedValue(await jikan.get("/v1/manga/\(ids[100])").body)
    #expect(moved["data"]?["score"]?.number == scores[0])
    #expect(await jikan.numbers("/v1/manga", limit: 50, parameters: byNumber).flatMap(\.self) == now.sorted())
  }

  @Test("Repeats stay where they are; across pages they are apart")
  func repeats() async {
    func walk(_ change: (inout JikanSettings) -> Void, _ path: String, _ parameters: String = "") async -> [[Int]] {
      await DriftingJikan(settings(400, change)).numbers(path, limit: 50, parameters: parameters)
    }
    let near = await walk({ $0.repeats = 0.1 }, "/v1/top/anime").flatMap(\.self)
    #expect(Set(near).count == 400 && (420...460).contains(near.count))
    #expect(near.count - 400 == zip(near, near.dropFirst()).count { $0 == $1 })
    #expect(near == (await walk({ $0.repeats = 0.1 }, "/v1/top/anime").flatMap(\.self)))
    let far = await walk({ $0.repeatsAcross = 0.1 }, "/v1/top/anime")
    #expect(Set(far.joined()).count == 400 && (420...460).contains(far.joined().count))
    #expect(far.dropLast().allSatisfy { Set($0).count == $0.count })
    let ordered = await walk({ ($0.repeats, $0.repeatsAcross) = (0.1, 0.1) }, "/v1/anime", byNumber).flatMap(\.self)
    #expect(ordered == ordered.sorted() && Set(ordered).count == 400 && ordered.count == near.count)
  }
}

@Suite("Lists that change: changes")
struct DriftingJikanChangeTests {
  /// The pages of a walk by page number, each with its claimed total.
  private func walk(_ jikan: DriftingJikan, _ path: String = "/v4/top/anime") async throws -> [ServedPage] {
    var pages: [ServedPage] = []
    for number in 1...100 {
      let separator = path.contains("?") ? "&" : "?"
      let answer = await jikan.get("\(path)\(separator)page=\(number)")
      guard answer.status == 200 else { break }
      pages.append(try decoded(ServedPage.self, from: answer.body))
      if pages.last?.pagination.hasNextPage == false { break }
    }
    return pages
  }

  @Test("The same seed gives the same changes; another seed others")
  func determinism() async throws {
    func bodies(_ seed: UInt64) async -> [[Int]] {
      let jikan = drifting(seed: seed) {
        ($0.insertions, $0.removals, $0.moves, $0.isFree) = (0.5, 0.5, 1.5, true)
        ($0.shufflesTies, $0.emptyPages, $0.shortPages) = (true, 0.1, 0.1)
      }
      return await jikan.numbers("/v4/top/anime", limit: 25) + [jikan.ids(.anime)]
    }
    let first = await bodies(7)
    #expect(await bodies(7) == first)
    #expect(await bodies(8) != first)
    #expect(drifting(seed: 7).ids(.anime) != drifting(seed: 8).ids(.anime))
  }

  @Test("At most one change precedes a request, at the given rates")
  func rates() async {
    let jikan = drifting { ($0.insertions, $0.removals, $0.moves) = (0.2, 0.2, 0.4) }
    var (changed, before) = ([String: Int](), jikan.ids(.anime))
    for _ in 0..<500 {
      _ = await jikan.get("/v4/top/anime")
      let after = jikan.ids(.anime)
      let (gone, new) = (Set(before).subtracting(after), Set(after).subtracting(before))
      #expect(gone.count + new.count <= 1)
      let change = !gone.isEmpty ? "removal" : !new.isEmpty ? "insertion" : after == before ? "none" : "move"
      changed[change, default: 0] += 1
      // The other items keep their order: at most one has moved.
      let stayed = after.filter { Set(before).contains($0) }
      let kept = before.filter { Set(after).contains($0) }
      #expect(stayed == kept || stayed.contains { id in stayed.filter { $0 != id } == kept.filter { $0 != id } })
      before = after
    }
    for (change, share) in [("removal", 100), ("insertion", 100), ("move", 200), ("none", 100)] {
      #expect(abs((changed[change] ?? 0) - share) < 40, "\(changed)")
    }
    let known = Set(before)
    for id in before.prefix(5) { #expect(await jikan.get("/v4/anime/\(id)").status == 200) }
    #expect(jikan.oracle(.anime).removed.isDisjoint(with: known))
    #expect(Set(jikan.ids(.anime)) == known, "a lookup has changed the list")
  }

  @Test("What page numbers can show they show: with all ids seen, or a repeat, or a total that changes")
  func singleChangesShow() async throws {
    var missed = 0
    for seed in 1...60 as ClosedRange<UInt64> {
      let jikan = drifting(seed: seed) {
        ($0.insertions, $0.removals, $0.moves, $0.shufflesTies) = (0.05, 0.05, 0.3, true)
      }
      jikan.beginWalk(.anime)
      let pages = try await walk(jikan)
      let seen = pages.flatMap { $0.data.map(\.malId) }
      let isSuspicious = Set(seen).count < seen.count || Set(pages.map(\.pagination.items.total)).count > 1
      let missing = jikan.oracle(.anime).throughout.subtracting(seen)
      missed += missing.isEmpty ? 0 : 1
      #expect(missing.isEmpty || isSuspicious, "seed \(seed)")
    }
    // A smaller number would prove nothing.
    #expect(missed > 5)
  }

  @Test("The oracle knows what was there at every request, and only that")
  func oracle() async {
    let jikan = drifting(60)
    let ids = jikan.ids(.anime)
    jikan.remove(.anime, [ids[0]])
    jikan.beginWalk(.anime)
    // Changes before the first page and after the last one are not part of the walk.
    jikan.remove(.anime, [ids[1]])
    _ = await jikan.get("/v4/top/anime")
    jikan.remove(.anime, [ids[2], ids[3]])
    let new = jikan.insert(.anime, at: 5)
    _ = await jikan.get("/v4/top/anime?page=2")
    jikan.restore(.anime, [ids[3]])
    _ = await jikan.get("/v4/anime?page=3")
    jikan.remove(.anime, [ids[4]])
    let oracle = jikan.oracle(.anime)
    #expect(oracle.throughout == Set(ids).subtracting([ids[0], ids[1], ids[2], ids[3]]))
    #expect(oracle.sometimes == Set(ids).subtracting([ids[0], ids[1]]).union([new]))
    #expect(oracle.alive == Set(ids).subtracting([ids[0], ids[1], ids[2], ids[4]]).union([new]))
    #expect(oracle.removed == [ids[0], ids[1], ids[2], ids[4]] && oracle.requests == 3)
    jikan.beginWalk(.anime)
    _ = await jikan.get("/v4/top/anime")
    #expect(jikan.oracle(.anime).throughout == oracle.alive && jikan.oracle(.anime).requests == 1)
  }

  @Test("Ties change places in each answer, and nothing else does")
  func ties() async throws {
    let jikan = drifting(400) { $0.shufflesTies = true }
    let (first, second) = (try await walk(jikan), try await walk(jikan))
    let (one, other) = (first.flatMap(\.data), second.flatMap(\.data))
    #expect(one.map(\.malId) != other.map(\.malId))
    #expect(one.map(\.score) == other.map(\.score))
    #expect(jikan.ids(.anime) == drifting(400).ids(.anime))
  }
}

@Suite("Lists that change: pages that are wrong")
struct DriftingJikanPageTests {
  @Test("Empty and short pages, at their rates")
  func emptyAndShort() async throws {
    let jikan = drifting { ($0.emptyPages, $0.shortPages) = (0.2, 0.3) }
    var (empty, short) = (0, 0)
    for _ in 0..<300 {
      let page = try await jikan.page("/v4/top/anime?page=2")
      #expect(page.pagination.items.count == page.data.count && page.pagination.items.total == 137)
      #expect(page.data.map(\.malId) == Array(jikan.ids(.anime)[25..<25 + page.data.count]))
      empty += page.data.isEmpty ? 1 : 0
      short += page.data.isEmpty || page.data.count == 25 ? 0 : 1
    }
    #expect((35...85).contains(empty) && (45...100).contains(short), "\(empty) \(short)")
  }

  @Test("Loops: pages come again from a page on, without an end; a service that ignores the page")
  func loops() async throws {
    let jikan = drifting { $0.loop = JikanDrift.Loop(from: 4, to: 2) }
    let ids = jikan.ids(.anime)
    for (page, shown) in [(1, 1), (2, 2), (3, 3), (4, 2), (5, 3), (6, 2), (99, 3)] {
      let answer = try await jikan.page("/v4/top/anime?page=\(page)")
      #expect(answer.data.map(\.malId) == Array(ids[(shown - 1) * 25..<shown * 25]), "page \(page)")
      #expect(answer.pagination.hasNextPage && answer.pagination.currentPage == page)
    }
    let deaf = drifting { $0.loop = JikanDrift.Loop(from: 2, to: 1) }
    for page in 1...9 {
      #expect(try await deaf.page("/v4/top/anime?page=\(page)").data.map(\.malId) == Array(deaf.ids(.anime).prefix(25)))
    }
  }

  @Test("Wrong totals, last pages and ends, with correct rows")
  func lies() async throws {
    let jikan = drifting { ($0.totalError, $0.lastPageError, $0.falseEnd) = (10, -2, 3) }
    let ids = await jikan.numbers("/v4/top/anime", limit: 25)
    #expect(ids.flatMap(\.self) == jikan.ids(.anime))
    for page in 1...6 {
      let pagination = try await jikan.page("/v4/top/anime?page=\(page)").pagination
      #expect(pagination.items.total == 147 && pagination.lastVisiblePage == 4)
      #expect(pagination.hasNextPage == ![3, 6].contains(page))
    }
  }

  @Test("After the end and beyond the cap, as the settings say")
  func ends() async throws {
    let jikan = DriftingJikan(settings(60) { ($0.pageCap, $0.pastTheEnd) = (4, .empty) })
    #expect(try await jikan.page("/v4/anime?page=4").data.isEmpty)
    #expect(await jikan.get("/v4/anime?page=5").status == 400)
    #expect(try await jikan.page("/v4/top/anime?page=5").data.isEmpty)
    #expect(await drifting(60).get("/v4/top/anime?page=4").status == 404)
  }
}
