import Foundation
import SyncCore
import SyncProgram
import Testing

@testable import RestSource

/// Reads the declarations in `examples/sources`, without a network.
@Suite("The examples of declared sources")
struct ExampleTests {
  private static let folder: URL = {
    var folder = URL(filePath: #filePath)
    for _ in 1...3 { folder.deleteLastPathComponent() }
    return folder.appending(path: "examples/sources")
  }()

  private static func declaration(of name: String) throws -> Declaration {
    let path = folder.appending(path: "\(name).yaml").path
    let root = try #require(try ConfigurationFile.root(of: path))
    let id = SourceID(rawValue: SourceCommand.Draft.identifier(name))
    return try DeclarationReader(id: id, top: DeclarationPart(file: path, path: id.rawValue, node: root)).declaration()
  }

  /// Returns the stream of the first resource. If the resource has several lists, the stream has the list of the first
  /// value, or the window of 2025-11-30.
  private static func stream(of name: String, since: String? = nil) throws -> RestStream {
    let declaration = try declaration(of: name)
    let resource = declaration.resources[0]
    let lists = try resource.firstList(now: 1_764_500_000)
    return RestStream(resource, of: declaration, since: since, lists: lists)
  }

  /// `next` is the address or cursor that page 1 names.
  private static let requests: [(name: String, next: String?, first: String, second: String)] = [
    ("countries", nil, "https://countries.trevorblades.com/graphql", "https://countries.trevorblades.com/graphql"),
    (
      "crates-io", nil, "https://crates.io/api/v1/crates?keyword=postgres&per_page=100&page=1",
      "https://crates.io/api/v1/crates?keyword=postgres&per_page=100&page=2"
    ),
    ("endoflife", nil, "https://endoflife.date/api/v1/products", "https://endoflife.date/api/v1/products"),
    (
      "github-issues", "https://api.github.com/repositories/44838949/issues?state=all&per_page=100&page=2",
      "https://api.github.com/repos/swiftlang/swift/issues?state=all&sort=created&direction=asc&per_page=100",
      "https://api.github.com/repositories/44838949/issues?state=all&per_page=100&page=2"
    ),
    (
      "github-org", "https://api.github.com/organizations/38187607/repos?per_page=100&sort=full_name&page=2",
      "https://api.github.com/orgs/swift-server/repos?per_page=100&sort=full_name",
      "https://api.github.com/organizations/38187607/repos?per_page=100&sort=full_name&page=2"
    ),
    (
      "github-releases", "https://api.github.com/repositories/44838949/releases?per_page=100&page=2",
      "https://api.github.com/repos/swiftlang/swift/releases?per_page=100",
      "https://api.github.com/repositories/44838949/releases?per_page=100&page=2"
    ),
    (
      "jikan-top", nil, "https://api.tenrai.org/v1/top/anime?limit=50&page=1",
      "https://api.tenrai.org/v1/top/anime?limit=50&page=2"
    ),
    (
      "kitsu", "https://kitsu.app/api/edge/anime?page%5Blimit%5D=20&page%5Boffset%5D=20",
      "https://kitsu.app/api/edge/anime?page%5Blimit%5D=20"
        + "&fields%5Banime%5D=slug,canonicalTitle,subtype,status,startDate,endDate,episodeCount,ageRating",
      "https://kitsu.app/api/edge/anime?page%5Blimit%5D=20&page%5Boffset%5D=20"
    ),
    (
      "mangadex", nil,
      "https://api.mangadex.org/manga?publicationDemographic%5B%5D=josei&order%5BcreatedAt%5D=asc&offset=0&limit=100",
      "https://api.mangadex.org/manga?publicationDemographic%5B%5D=josei&order%5BcreatedAt%5D=asc&offset=100&limit=100"
    ),
    ("mediawiki-log", "20250103120000|77", moves(""), moves("&lecontinue=20250103120000%7C77")),
    ("openalex", "Ils+MV0=", institutions("%2A"), institutions("Ils%2BMV0%3D")),
    (
      "pokeapi-moves", "https://pokeapi.co/api/v2/move?offset=100&limit=100",
      "https://pokeapi.co/api/v2/move?limit=100", "https://pokeapi.co/api/v2/move?offset=100&limit=100"
    ),
    ("pypi", nil, "https://pypi.org/simple/numpy/", "https://pypi.org/simple/numpy/"),
    ("rick-and-morty", "2", "https://rickandmortyapi.com/graphql", "https://rickandmortyapi.com/graphql"),
    (
      "spotify-albums", nil, "https://api.spotify.com/v1/artists/0OdUWJ0sBjDrqHygGUXeCF/albums?offset=0&limit=50",
      "https://api.spotify.com/v1/artists/0OdUWJ0sBjDrqHygGUXeCF/albums?offset=50&limit=50"
    ),
  ]

  private static func moves(_ cursor: String) -> String {
    "https://en.wikivoyage.org/w/api.php?action=query&format=json&formatversion=2&list=logevents&letype=move"
      + "&ledir=newer&lelimit=500&lestart=2024-12-28T00:00:00Z&leend=2025-12-28T00:00:00Z\(cursor)"
  }

  private static func institutions(_ cursor: String) -> String {
    "https://api.openalex.org/institutions?filter=country_code:ch&per_page=100&cursor=\(cursor)"
      + "&select=id,display_name,ror,country_code,type,homepage_url,works_count,cited_by_count"
  }

  @Test("are all tested here, and show every paginator")
  func paginators() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(files.sorted() == Self.requests.map { "\($0.name).yaml" })
    #expect(
      Set(try Self.requests.map { try Self.declaration(of: $0.name).resources[0].paginator.name }) == [
        "page_number", "offset", "json_link", "header_link", "cursor", "single_page",
      ])
  }

  @Test("request page 1, and the page after it", arguments: requests)
  func addresses(name: String, next: String?, first: String, second: String) throws {
    let stream = try Self.stream(of: name)
    let size = stream.description.pageSize
    let list = stream.description.lists?.lists.first?.name
    #expect(stream.request(PageAddress(page: 1, size: size).of(list: list)).url == first)
    #expect(stream.request(PageAddress(page: 2, size: size, next: next).of(list: list)).url == second)
  }

  /// `values` are the parent's members in the order of the placeholders, then the parent's key as JSON.
  private static let children: [(name: String, resource: String, values: [String], first: String)] = [
    ("endoflife", "releases", ["postgresql", #""postgresql""#], "https://endoflife.date/api/v1/products/postgresql"),
    (
      "github-org", "issues", ["swift-server/async-http-client"],
      "https://api.github.com/repos/swift-server/async-http-client/issues?per_page=100&state=all&sort=created"
        + "&direction=asc"
    ),
    (
      "mangadex", "chapters", ["00000000-0000-4000-8000-000000000001"],
      "https://api.mangadex.org/manga/00000000-0000-4000-8000-000000000001/feed?translatedLanguage%5B%5D=en"
        + "&order%5BcreatedAt%5D=asc&offset=0&limit=500"
    ),
    (
      "spotify-albums", "tracks", ["4m2880jivSbbyEGAKfITCa"],
      "https://api.spotify.com/v1/albums/4m2880jivSbbyEGAKfITCa/tracks?offset=0&limit=50"
    ),
  ]

  @Test("request a list for each item of the parent", arguments: children)
  func childAddresses(name: String, resource: String, values: [String], first: String) throws {
    let declaration = try Self.declaration(of: name)
    let child = try #require(declaration.resources.first { $0.name == resource })
    #expect(child.canBeFilled(with: values))

    let stream = RestStream(child, of: declaration, lists: [StreamList(name: "1", values: values)])
    let page = PageAddress(page: 1, size: stream.description.pageSize).of(list: "1")
    #expect(stream.request(page).url == first)
  }

  @Test("an incremental walk requests only changes, so that a missing issue proves nothing")
  func incremental() throws {
    let stream = try Self.stream(of: "github-issues", since: "2026-11-20T10:00:00Z")
    let url = stream.request(PageAddress(page: 1, size: stream.description.pageSize)).url
    #expect(url.hasSuffix("&per_page=100&since=2026-11-20T10:00:00Z"))
    #expect(stream.description.absence == .provesNothing)
  }

  struct Answer: Sendable, CustomTestStringConvertible {
    let name: String
    var link: String?
    /// The keys of texts are the first 63 bits of the SHA-256 of a JSON array such as `["1"]`.
    let keys: [Int64]
    let claim: PageClaim
    var misfits: [String] = []
    let body: String

    var testDescription: String { "\(name), \(keys.count) items" }
  }

  private static let answers: [Answer] = [
    Answer(
      name: "github-issues",
      link: #"<https://api.github.com/repositories/44838949/issues?page=2>; rel="next", <https://a.b>; rel="last""#,
      // The last number is 2 by chance. Over several pages, the walk notices that page numbers are no keys.
      keys: [1, 2],
      claim: PageClaim(next: "https://api.github.com/repositories/44838949/issues?page=2", nextKey: "2"),
      misfits: ["comments", "created_at"],
      body: """
        [{"number": 1, "title": "First", "state": "closed", "comments": 3, "user": {"login": "ann"}, "labels": [],
          "created_at": "2026-11-20T10:00:00Z", "updated_at": "2026-11-20T11:00:00Z", "closed_at": null},
         {"number": 2, "title": "Second", "state": "open", "comments": "many", "created_at": "yesterday"}]
        """),
    Answer(name: "github-issues", keys: [3], claim: PageClaim(), body: #"[{"number": 3, "title": "Last"}]"#),
    Answer(
      name: "mangadex", keys: [1_330_656_436_637_484_128, 6_653_554_648_272_609_032], claim: PageClaim(total: 4321),
      misfits: ["attributes.availableTranslatedLanguages", "attributes.year"],
      body: """
        {"result": "ok", "response": "collection", "limit": 100, "offset": 0, "total": 4321, "data": [
          {"id": "00000000-0000-4000-8000-000000000001", "type": "manga", "attributes": {
            "title": {"en": "One"}, "year": 2001, "availableTranslatedLanguages": ["en", null]}},
          {"id": "00000000-0000-4000-8000-000000000002", "type": "manga", "attributes": {
            "title": {}, "year": "soon", "availableTranslatedLanguages": ["en", {}]}}]}
        """),
    Answer(
      name: "kitsu", keys: [2_445_205_149_161_552_448, 3_770_780_252_966_650_618],
      claim: PageClaim(total: 21_345, next: "https://kitsu.app/api/edge/anime?page%5Boffset%5D=20"),
      misfits: ["attributes.startDate"],
      body: """
        {"data": [{"id": "1", "type": "anime", "attributes": {"startDate": "1998-04-03", "episodeCount": "26"}},
                  {"id": "2", "type": "anime", "attributes": {"startDate": "1998", "episodeCount": null}}],
         "meta": {"count": 21345}, "links": {"next": "https://kitsu.app/api/edge/anime?page%5Boffset%5D=20"}}
        """),
    Answer(
      name: "crates-io", keys: [6_911_637_232_291_039_741, 4_031_024_864_651_595_275],
      claim: PageClaim(total: 645, hasNext: true), misfits: ["downloads"],
      body: """
        {"crates": [{"id": "pg", "downloads": 10, "created_at": "2026-11-20T10:00:00.123456+00:00"},
                    {"id": "pgx", "downloads": 11.5, "description": null}],
         "meta": {"total": 645, "next_page": "?keyword=postgres&per_page=100&page=2", "prev_page": null}}
        """),
    Answer(
      name: "crates-io", keys: [], claim: PageClaim(total: 645, hasNext: false),
      body: #"{"crates": [], "meta": {"total": 645, "next_page": null}}"#),
    Answer(
      name: "openalex", keys: [8_175_676_672_347_777_951, 2_703_986_683_162_661_404],
      claim: PageClaim(total: 1500, next: "Ils+MV0="),
      body: """
        {"meta": {"count": 1500, "page": null, "per_page": 100, "next_cursor": "Ils+MV0="}, "group_by": [], "results": [
          {"id": "https://openalex.org/I1", "display_name": "One", "works_count": 5},
          {"id": "https://openalex.org/I2", "display_name": "Two", "works_count": 7}]}
        """),
    Answer(
      name: "openalex", keys: [], claim: PageClaim(total: 1500),
      body: #"{"meta": {"count": 1500, "next_cursor": null}, "results": []}"#),
    Answer(
      name: "pypi", keys: [1_390_749_683_067_621_515, 1_740_507_816_594_641_205], claim: PageClaim(), misfits: ["size"],
      body: """
        {"meta": {"api-version": "1.4"}, "name": "numpy", "files": [
          {"filename": "numpy-2.0.0.tar.gz", "hashes": {"sha256": "ab"}, "requires-python": ">=3.9", "size": 18000000,
           "upload-time": "2026-11-20T10:00:00.123456Z", "yanked": false},
          {"filename": "numpy-2.0.1.tar.gz", "size": "big", "yanked": "broken"}]}
        """),
    Answer(
      name: "spotify-albums", keys: [6_911_637_232_291_039_741], claim: PageClaim(total: 38),
      body: """
        {"href": "https://api.spotify.com/v1/artists/a/albums?offset=0&limit=50", "limit": 50, "next": null,
          "offset": 0,
         "previous": null, "total": 38, "items": [{"id": "pg", "name": "Why Are You OK", "album_type": "album",
           "total_tracks": 12, "release_date": "2016-06-10", "release_date_precision": "day"}]}
        """),
    Answer(
      name: "jikan-top", keys: [5114, 9253], claim: PageClaim(total: 30_417, lastPage: 609, hasNext: true),
      misfits: ["year"],
      body: """
        {"pagination": {"last_visible_page": 609, "has_next_page": true, "items": {"count": 2, "total": 30417}},
         "data": [{"mal_id": 5114, "score": 9.1, "aired": {"from": "2009-04-05T00:00:00+00:00"}, "airing": false},
                  {"mal_id": 9253, "score": null, "year": "?", "images": {"jpg": {"image_url": "https://a.example"}}}]}
        """),
    Answer(
      name: "pokeapi-moves", keys: [4_464_742_375_599_186_734], claim: PageClaim(total: 937),
      body: """
        {"count": 937, "next": null, "results": [{"name": "pound", "url": "https://pokeapi.co/api/v2/move/1/"}]}
        """),
  ]

  @Test("read items, claims, next pages and values that do not fit", arguments: answers)
  func pages(answer: Answer) throws {
    let stream = try Self.stream(of: answer.name)
    let headers = answer.link.map { ["link": $0] } ?? [:]
    let page = try stream.read(
      UpstreamResponse(status: 200, headers: headers, body: Array(answer.body.utf8)),
      to: stream.request(PageAddress(page: 1, size: stream.description.pageSize)))
    var misfits = MisfitTally()
    for case .item(let item) in page.entries { misfits.add(item.misfits) }
    #expect(page.keys == answer.keys.map { Optional($0) })
    #expect(page.claim == answer.claim)
    #expect(misfits.paths.keys.sorted() == answer.misfits)
  }
}
