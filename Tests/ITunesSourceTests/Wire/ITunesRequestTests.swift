import SyncCore
import Testing

@testable import ITunesSource

@Suite("Requests to iTunes")
struct ITunesRequestTests {
  @Test(
    "a term is written as the service requires",
    arguments: [
      ("jack johnson", "jack+johnson"), ("  AC/DC ", "AC%2FDC"), ("周杰倫", "%E5%91%A8%E6%9D%B0%E5%80%AB"),
      ("きゃりー ぱみゅ", "%E3%81%8D%E3%82%83%E3%82%8A%E3%83%BC+%E3%81%B1%E3%81%BF%E3%82%85"),
      ("a.b-c_d*e", "a.b-c_d*e"), ("1+1=2&x?#%", "1%2B1%3D2%26x%3F%23%25"), ("é", "%C3%A9"), ("e\u{301}", "%C3%A9"),
      ("\"it's\"~", "%22it%27s%22%7E"), ("👩‍🎤", "%F0%9F%91%A9%E2%80%8D%F0%9F%8E%A4"),
    ])
  func terms(term: String, text: String) throws {
    let url = ITunesStreamReader(try ITunesSearch(term: term, country: "TW")).url()
    #expect(url == "http://test/search?term=\(text)&country=tw&limit=200")
  }

  @Test("pages are requested by offset, and by limit")
  func pages() throws {
    let search = try ITunesSearch(
      name: "jay-chou", term: "x", country: "tw", media: "music", entity: "song", attribute: "songTerm", lang: "EN_us")
    let reader = ITunesStreamReader(search)
    let query = "term=x&country=tw&media=music&entity=song&attribute=songTerm&lang=en_us&limit=200"
    #expect(reader.url() == "http://test/search?\(query)")
    #expect(reader.url(3) == "http://test/search?\(query)&offset=400")
    let description = reader.stream.description
    #expect(description.id == StreamID(source: .itunes, name: "search:jay-chou"))
    #expect(description.method == .sample && description.pageSize == 200 && description.absence == .endsEntry(.none))
    #expect(description.sql.folder == "itunes" && description.sql.scope == ["tw", "search", "jay-chou"])
    #expect(description.sql.publishing == ["x", "music", "song", "songTerm", "en_us", ""])
    #expect(reader.stream.lookup == nil && description.origin == "http://test" && description.parameters == query)
    let limited = ITunesStreamReader(try ITunesSearch(term: "x", limit: 5))
    #expect(limited.url() == "http://test/search?term=x&country=us&limit=5")
    #expect(limited.stream.description.sql.publishing == ["x", "", "", "", "", "5"])
  }

  @Test("a search claims an end when there are fewer results than requested, or no more are needed")
  func claims() throws {
    func records(_ count: Int) -> [String] { (1...count).map { #"{"kind":"ebook","trackId":\#($0)}"# } }
    let all = try ITunesStreamReader()
    #expect(try all.page(records: records(199)).claim == PageClaim(hasNext: false))
    #expect(try all.page(records: records(200)).claim == PageClaim())
    #expect(try all.page(records: [], page: 2).claim == PageClaim(hasNext: false))
    #expect(try all.page(records: []).claim == PageClaim(total: 0, hasNext: false))
    let limited = ITunesStreamReader(try ITunesSearch(term: "x", limit: 3))
    #expect(try limited.page(records: records(3)).claim == PageClaim(hasNext: false))
  }

  private typealias Refusal = (what: String, hint: String, make: @Sendable () throws -> Void)

  private static let refusals: [Refusal] = [
    ("term: nothing", "words", { _ = try ITunesSearch(term: " \n ") }),
    ("term: longer", "fewer", { _ = try ITunesSearch(term: String(repeating: "x", count: 251)) }),
    ("control character", "remove it", { _ = try ITunesSearch(term: "a\u{1B}[2Jb") }),
    ("country: \"usa\"", "two-letter", { _ = try ITunesSearch(term: "x", country: "usa") }),
    ("country: \"台灣\"", "two-letter", { _ = try ITunesSearch(term: "x", country: "台灣") }),
    ("media: \"musik\"", "did you mean music?", { _ = try ITunesSearch(term: "x", media: "musik") }),
    ("media: \"MUSICVIDEO\"", "did you mean musicVideo?", { _ = try ITunesSearch(term: "x", media: "MUSICVIDEO") }),
    (
      "entity: \"sonng\" is not known for media music", "did you mean song?",
      { _ = try ITunesSearch(term: "x", media: "music", entity: "sonng") }
    ),
    (
      "entity: \"song\" is not known for media ebook", "known: ebook",
      { _ = try ITunesSearch(term: "x", media: "ebook", entity: "song") }
    ),
    ("entity: \"albun\"", "did you mean album?", { _ = try ITunesSearch(term: "x", entity: "albun") }),
    (
      "attribute: \"songterm\"", "did you mean songTerm?",
      { _ = try ITunesSearch(term: "x", media: "music", attribute: "songterm") }
    ),
    (
      "attribute: \"titleTerm\" is not known for media ebook", "no value is known",
      { _ = try ITunesSearch(term: "x", media: "ebook", attribute: "titleTerm") }
    ),
    ("lang: \"english\"", "en_us", { _ = try ITunesSearch(term: "x", lang: "english") }),
    ("limit: 0", "1 to 200", { _ = try ITunesSearch(term: "x", limit: 0) }),
    ("limit: 201", "1 to 200", { _ = try ITunesSearch(term: "x", limit: 201) }),
    ("name: \"@mine\"", "letters", { _ = try ITunesSearch(name: "@mine", term: "x") }),
    ("name: \"a:b\"", "letters", { _ = try ITunesSearch(name: "a:b", term: "x") }),
    ("nothing to look up", "909253", { _ = try ITunesLookup(.ids([])) }),
    ("ids: 0", "from 1", { _ = try ITunesLookup(.ids([5, 0])) }),
    ("ids: 288230376151711744", "from 1", { _ = try ITunesLookup(.ids([1 << 58])) }),
    (
      "\"com example\" is not a valid bundle id", "com.example.app",
      { _ = try ITunesLookup(.bundleIDs(["com example"])) }
    ),
    ("\"123\" is not a valid UPC", "8 to 14", { _ = try ITunesLookup(.upcs(["123"])) }),
    ("\"0316069353\" is not a valid ISBN", "13 digits", { _ = try ITunesLookup(.isbns(["0316069353"])) }),
    ("entity: \"albums\"", "did you mean album?", { _ = try ITunesLookup(.ids([1]), entity: "albums") }),
    ("limit: 201", "1 to 200", { _ = try ITunesLookup(.ids([1]), entity: "album", limit: 201) }),
    (
      "the mirror has nothing from the storefront tw", "search", { _ = try ITunesLookup(refreshing: [], country: "TW") }
    ),
    ("media: \"musics\"", "did you mean music?", { _ = try ITunesChart(media: "musics") }),
    (
      "feed: \"top-fre\" is not known for media apps", "did you mean top-free?",
      { _ = try ITunesChart(media: "apps", feed: "top-fre") }
    ),
    ("type: \"song\" is not known for music most-played", "did you mean songs?", { _ = try ITunesChart(type: "song") }),
    ("type: \"playlists\"", "songs", { _ = try ITunesChart(type: "playlists") }),
    ("limit: 101", "1 to 100", { _ = try ITunesChart(limit: 101) }),
    ("country: \"u1\"", "two-letter", { _ = try ITunesChart(country: "u1") }),
  ]

  @Test(
    "what the service would refuse is refused before the request, with the nearest word", arguments: refusals.indices)
  func refused(index: Int) throws {
    let (what, hint, make) = Self.refusals[index]
    let error = try #require(throws: SyncError.self) { try make() }
    #expect(error.code == .usage && error.message.contains(what), "\(error)")
    #expect(error.hint?.contains(hint) == true, "\(error)")
    #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test("every documented combination of media, entity and attribute is taken; so is an entity without media")
  func vocabulary() throws {
    #expect(ITunesVocabulary.media.count == 10 && ITunesVocabulary.attributes(of: "all").count == 26)
    for media in ITunesVocabulary.media {
      for entity in ITunesVocabulary.entities(of: media) {
        _ = try ITunesSearch(term: "x", media: media, entity: entity)
        _ = try ITunesSearch(term: "x", entity: entity)
        _ = try ITunesLookup(.ids([1]), entity: entity)
      }
      for attribute in ITunesVocabulary.attributes(of: media) {
        _ = try ITunesSearch(term: "x", media: media, attribute: attribute)
      }
    }
  }

  @Test("names of what is not configured are short plain ASCII, and differ with every parameter")
  func adHocNames() throws {
    let searches = [
      try ITunesSearch(term: "周杰倫", country: "tw"), try ITunesSearch(term: "周杰伦", country: "tw"),
      try ITunesSearch(term: "周杰倫", country: "us"), try ITunesSearch(term: "周杰倫", country: "tw", media: "music"),
      try ITunesSearch(term: "周杰倫", country: "tw", entity: "song"),
      try ITunesSearch(term: "周杰倫", country: "tw", attribute: "songTerm"),
      try ITunesSearch(term: "周杰倫", country: "tw", lang: "zh_tw"),
      try ITunesSearch(term: "周杰倫", country: "tw", limit: 5), try ITunesSearch(term: "AC/DC", country: "us"),
      try ITunesSearch(term: String(repeating: "long words ", count: 20), country: "us"),
    ]
    let lookups = [
      try ITunesLookup(.ids([909_253])), try ITunesLookup(.ids([909_253, 1])),
      try ITunesLookup(country: "jp", .ids([909_253])), try ITunesLookup(.upcs(["00909253"])),
      try ITunesLookup(.ids([909_253]), entity: "album"), try ITunesLookup(.ids([909_253]), entity: "album", limit: 5),
    ]
    let names = searches.map(\.name) + lookups.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names { #expect(name.wholeMatch(of: /@[a-z0-9-]{1,40}/) != nil, "\(name)") }
    // This name must never change, because the ledger stores the name.
    #expect(searches[0].name == "@tw-170pli4u8f4j3")
    #expect(searches[8].name.hasPrefix("@ac-dc-us-") && lookups[0].name.hasPrefix("@909253-us-"))
  }

  @Test("one search has one name, however it is written")
  func sameName() throws {
    let name = try ITunesSearch(term: "Beyoncé", country: "us").name
    #expect(try ITunesSearch(term: " Beyonce\u{301}\n", country: "US").name == name)
    #expect(try ITunesSearch(name: "mine", term: "Beyoncé").name == "mine")
  }

  @Test("ids are requested two hundred at a time, each once, in their order")
  func batches() throws {
    let lookup = try ITunesLookup(name: "many", country: "TW", .ids(Array(1...450) + [7, 450]))
    let reader = ITunesStreamReader(lookup)
    #expect(reader.url() == "http://test/lookup?id=\((1...200).map { "\($0)" }.joined(separator: ","))&country=tw")
    #expect(reader.url(3) == "http://test/lookup?id=\((401...450).map { "\($0)" }.joined(separator: ","))&country=tw")
    let description = reader.stream.description
    #expect(description.id.name == "lookup:many" && description.method == .batches && description.pageSize == 200)
    #expect(description.sql.scope == ["tw", "lookup", "many"] && description.absence == .endsEntry(.none))
    #expect(description.sql.publishing == (1...450).map { "\($0)" })
    #expect(try reader.page(records: []).claim == PageClaim(lastPage: 3, hasNext: true))
    #expect(try reader.page(records: [], page: 3).claim == PageClaim(lastPage: 3, hasNext: false))
    let one = ITunesStreamReader(try ITunesLookup(.ids([5])))
    #expect(try one.page(records: []).claim == PageClaim(lastPage: 1, hasNext: false))
  }

  @Test("a request that names known items is for the same page")
  func validators() throws {
    for stream in [ITunesStream(try ITunesLookup(.ids([5])), baseURL: ""), try ITunesStreamReader().stream] {
      var request = stream.request(PageAddress(page: 1, size: stream.description.pageSize))
      request.validators = Validators(etag: "x", lastModified: nil)
      let response = UpstreamResponse(status: 200, headers: [:], body: Array(#"{"results":[]}"#.utf8))
      let page = try stream.read(response, to: request)
      #expect(page.claim.hasNext == false && (page.claim.total == 0 || page.claim.lastPage == 1))
    }
  }

  @Test("a walk is resumed with the same ids only, whatever the lookup's name")
  func fingerprints() throws {
    func parameters(_ ids: [Int64], entity: String? = nil) throws -> String {
      ITunesStreamReader(try ITunesLookup(name: "mine", .ids(ids), entity: entity)).stream.description.parameters
    }
    let first = try parameters([1, 2])
    #expect(try parameters([1, 2, 1]) == first && first.utf8.count < 60)
    #expect(
      try Set([first, parameters([2, 1]), parameters([1, 2, 3]), parameters([1, 2], entity: "album")]).count == 4)
  }

  @Test("with children fewer ids go into a call, so that the answer stays within its limits")
  func children() throws {
    let ids = Array(1...1000).map { Int64($0) }
    for (limit, size) in [(nil, 98), (1, 200), (200, 24)] as [(Int?, Int)] {
      let reader = ITunesStreamReader(try ITunesLookup(name: "u2", .ids(ids), entity: "album", limit: limit))
      #expect(reader.stream.description.pageSize == size)
      #expect(reader.url().hasSuffix("&country=us&entity=album" + (limit.map { "&limit=\($0)" } ?? "")))
      #expect(try reader.page(records: []).claim.lastPage == (1000 + size - 1) / size)
    }
  }

  @Test("other identities are requested by their own parameter, and none of them counts as missing")
  func identities() throws {
    let rows: [(ITunesLookup.Identity, String)] = [
      (.bundleIDs(["com.example.app", "a-b.c", "com.example.app"]), "bundleId=com.example.app,a-b.c"),
      (.upcs(["720642462928"]), "upc=720642462928"), (.isbns(["978-0-316-06935-9"]), "isbn=9780316069359"),
    ]
    for (identity, query) in rows {
      let reader = ITunesStreamReader(try ITunesLookup(identity))
      #expect(reader.url() == "http://test/lookup?\(query)&country=us")
      #expect(reader.stream.description.sql.publishing.isEmpty)
    }
  }

  @Test("a refresh requests every known item of a storefront")
  func refresh() throws {
    let description = ITunesStreamReader(try ITunesLookup(refreshing: [3, 9, 3], country: "TW")).stream.description
    #expect(description.id.name == "refresh:tw" && description.sql.scope == ["tw", "refresh", "tw"])
    #expect(description.sql.publishing == ["3", "9"] && description.method == .batches)
  }
}
