import Foundation
import PostgresTestKit
import SyncCore
import SyncPostgres
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncProgram

@Suite(.boundSources)
struct MyAnimeListFileTests {
  private static func file(_ entries: String) -> String {
    """
    \u{FEFF}<?xml version="1.0" encoding="UTF-8" ?>
    <!-- Created by XML Export feature at MyAnimeList.net -->
    <myanimelist>
      <myinfo><user_id>1</user_id><user_name>somebody</user_name></myinfo>
      \(entries)
    </myanimelist>
    """
  }

  private static func anime(_ values: String) -> String {
    file("<anime><series_animedb_id>1</series_animedb_id>\(values)</anime>")
  }

  @Test func animeAndMangaWithAllTheirValues() throws {
    let contents = try FavoritesFile.read(
      Self.file(
        """
        <anime>
          <series_animedb_id>1</series_animedb_id>
          <series_title><![CDATA[Cowboy <b>Bebop</b>]]></series_title>
          <series_episodes>26</series_episodes>
          <my_id>0</my_id>
          <my_watched_episodes>5</my_watched_episodes>
          <my_start_date>2020-04-00</my_start_date>
          <my_finish_date>0000-00-00</my_finish_date>
          <my_score>9</my_score>
          <my_status>Watching</my_status>
          <my_comments><![CDATA[Tom ]]>&amp;<![CDATA[ Jerry]]> &#x1F9E1;</my_comments>
          <my_tags><![CDATA[space, jazz]]></my_tags>
          <update_on_import>1</update_on_import>
        </anime>
        <manga>
          <manga_mangadb_id>2</manga_mangadb_id>
          <manga_title><![CDATA[Berserk]]></manga_title>
          <my_read_volumes>3</my_read_volumes>
          <my_read_chapters>12</my_read_chapters>
          <my_start_date>2019-00-00</my_start_date>
          <my_finish_date>2021-02-03</my_finish_date>
          <my_score>0</my_score>
          <my_status>Plan to Read</my_status>
          <my_comments></my_comments>
          <my_tags/>
        </manga>
        """))
    var bebop = Favorites.Progress()
    bebop.status = .watching
    bebop.score = 9
    bebop.episodes = 5
    bebop.startedOn = "2020-04"
    bebop.tags = "space, jazz"
    var berserk = Favorites.Progress()
    berserk.status = .planToRead
    berserk.chapters = 12
    berserk.volumes = 3
    berserk.startedOn = "2019"
    berserk.finishedOn = "2021-02-03"
    #expect(
      contents.records == [
        Favorites.Record(
          collection: "myanimelist", item: .jikan(kind: "anime", id: 1), note: "Tom & Jerry 🧡", addedAt: nil,
          progress: bebop),
        Favorites.Record(
          collection: "myanimelist", item: .jikan(kind: "manga", id: 2), note: nil, addedAt: nil, progress: berserk),
      ])
    #expect(contents.isNewer && contents.faults == [] && contents.remarks == [])
    let bare = try FavoritesFile.read(Self.anime(""), into: "mine").records
    #expect(bare.map(\.collection) == ["mine"] && bare.map(\.progress.isWhole) == [false])
  }

  @Test func entriesWithoutAnIdAreSkippedAndBadValuesLeftOut() throws {
    let contents = try FavoritesFile.read(
      Self.file(
        """
        <anime><series_title>None</series_title></anime>
        <anime><series_animedb_id>0</series_animedb_id></anime>
        <manga><manga_mangadb_id>x\u{1B}[31m</manga_mangadb_id></manga>
        <anime><series_animedb_id>5</series_animedb_id><series_title>Kept</series_title><my_score>99</my_score>
          <my_status>Sleeping</my_status><my_start_date>2020-02-31</my_start_date>
          <my_watched_episodes>-1</my_watched_episodes><my_comments>\(String(repeating: "x", count: 4001))</my_comments>
          <my_tags>kept</my_tags></anime>
        """))
    #expect(contents.records.map(\.item.id) == [5])
    #expect(contents.faults.map { $0.prefix { $0 != "(" } } == ["anime entry 1 ", "anime entry 2 ", "manga entry 3 "])
    var progress = Favorites.Progress()
    progress.tags = "kept"
    progress.isWhole = false
    #expect(contents.records.first?.progress == progress && contents.records.first?.note == nil)
    #expect(contents.remarks.count == 5 && contents.remarks.allSatisfy { $0.hasPrefix("anime entry 4 (Kept): ") })
    #expect(contents.remarks.contains { $0.hasSuffix("my_score 99") })
  }

  @Test(
    "what is not well-formed, or defines or nests more than a list does, is refused with its line",
    arguments: [
      ("<anime><series_animedb_id>1</series_animedb_id></anime>", "ends inside <myanimelist>"),
      ("<anime><series_animedb_id>1</anime>", "<series_animedb_id> does not end"),
      ("<anime></manga></anime></myanimelist>", "end tag of an element that is not open"),
      ("<anime><series_title>a <b</anime></myanimelist>", "<series_title> does not end"),
      ("<anime><series_title><![CDATA[x</anime></myanimelist>", "<series_title> does not end"),
      ("<anime><my_tags>a & b</my_tags></anime></myanimelist>", "not an XML entity"),
      ("<anime><my_tags>a <b</my_tags></anime></myanimelist>", "< inside a value"),
      ("<anime><my_tags><![CDATA[x</my_tags></anime></myanimelist>", "does not end"),
      ("<myinfo><anime></anime></myanimelist>", "<myinfo> does not end"),
      ("<anime><my_tags>&lol;</my_tags></anime></myanimelist>", "not an XML entity"),
      ("<anime><my_tags>&#0;</my_tags></anime></myanimelist>", "not an XML entity"),
      ("<anime><my_tags>&#xD800;</my_tags></anime></myanimelist>", "not an XML entity"),
      ("<anime><my_tags>&amp</my_tags></anime></myanimelist>", "not an XML entity"),
      ("<anime><![CDATA[x</anime></myanimelist>", "does not end"), ("<!-- x", "does not end"),
      ("<anime a='<'></anime></myanimelist>", "not complete"),
      ("< anime></anime></myanimelist>", "does not begin a tag"), ("</myanimelist><more/>", "after the root element"),
      ("</myanimelist> more", "outside"), ("<!ENTITY a 'b'></myanimelist>", "declaration"),
      ("<anime>" + String(repeating: "<my_tags>", count: 100_000), "<my_tags> does not end"),
      (String(repeating: "<a>", count: 100_000), "<a> does not end"),
    ])
  func hostile(rest: String, reason: String) throws {
    let error = #expect(throws: SyncError.self) { try FavoritesFile.read("<myanimelist>\n" + rest) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("line 2") == true)
    #expect(error?.hint?.contains("correct that line") == true)
  }

  private static let strangeTitles = [
    "Tom & Jerry", "Tom&nbsp;&Jerry;", "I <3 you", "<b>", "</b> x", "not begun]]>", "<![CDATA[not ended",
    "<![CDATA[a </series_title> </anime> b]]>", "<![CDATA[a]]> & <![CDATA[b]]>", "<![CDATA[a <![CDATA[ b]]>",
    "<!-- not ended", "<!DOCTYPE a>", "&#0;", "",
  ]

  @Test("a member that is not stored may hold anything", arguments: strangeTitles)
  func skippedMembers(title: String) throws {
    let contents = try FavoritesFile.read(
      Self.file(
        """
        <myinfo><user_name>\(title)</user_name></myinfo>
        <other>\(title)</other>
        <anime><my_score>7</my_score><series_title >\(title)</series_title
        ><series_animedb_id>1</series_animedb_id><my_read_chapters>\(title)</my_read_chapters></anime>
        <manga><manga_mangadb_id>2</manga_mangadb_id><manga_title/><my_watched_episodes>\(title)</my_watched_episodes>
          <my_tags><![CDATA[a]]></my_tags></manga>
        """))
    #expect(contents.records.map(\.item.id) == [1, 2] && contents.faults == [] && contents.remarks == [])
    #expect(contents.records.map(\.progress.score) == [7, nil])
    #expect(contents.records.map(\.progress.tags) == [nil, "a"])
  }

  @Test("a list of 10,000 entries, with such titles")
  func longList() throws {
    let entries = (1...10_000).map { id in
      let title = Self.strangeTitles[id % Self.strangeTitles.count]
      return "<anime><series_animedb_id>\(id)</series_animedb_id><series_title>\(title)</series_title></anime>"
    }
    let contents = try FavoritesFile.read(Self.file(entries.joined(separator: "\n")))
    #expect(contents.records.map(\.item.id) == Array(1...10_000) && contents.faults == [])
    #expect(contents.repeated == 0)
  }

  @Test(
    "a status is that of the kind, whichever word the export has",
    arguments: [
      ("Watching", .watching, .reading), ("Reading", .watching, .reading),
      ("Plan to Watch", .planToWatch, .planToRead), ("Plan to Read", .planToWatch, .planToRead),
      ("Completed", .completed, .completed), ("On-Hold", .onHold, .onHold), ("Dropped", .dropped, .dropped),
    ] as [(String, Favorites.Status, Favorites.Status)])
  func statuses(word: String, anime: Favorites.Status, manga: Favorites.Status) throws {
    let status = "<my_status>\(word)</my_status>"
    let contents = try FavoritesFile.read(
      Self.file(
        """
        <anime><series_animedb_id>1</series_animedb_id>\(status)</anime>
        <manga><manga_mangadb_id>1</manga_mangadb_id>\(status)</manga>
        """))
    #expect(contents.records.map(\.progress.status) == [anime, manga] && contents.remarks == [])
  }

  @Test("of entries with the same id, the last one counts, with what is wrong with it")
  func repeatedEntries() throws {
    func anime(_ id: Int, _ values: String) -> String {
      "<anime><series_animedb_id>\(id)</series_animedb_id>\(values)</anime>"
    }
    let contents = try FavoritesFile.read(
      Self.file(
        anime(1, "<my_score>99</my_score><my_comments>first</my_comments>") + anime(2, "<my_score>5</my_score>")
          + anime(1, "<my_score>6</my_score>") + "<manga><manga_mangadb_id>1</manga_mangadb_id></manga>"
          + anime(2, "<my_score>x</my_score>") + anime(1, "<my_score>7</my_score>") + anime(0, "")))
    #expect(contents.records.map { "\($0.item.kind) \($0.item.id)" } == ["anime 1", "anime 2", "manga 1"])
    #expect(contents.records.map(\.progress.score) == [7, nil, nil])
    #expect(contents.records.map(\.note) == [nil, nil, nil])
    #expect(contents.repeated == 3 && contents.faults.count == 1)
    #expect(contents.remarks == ["anime entry 5 (without a title): kept without my_score x"])
  }

  @Test func documentTypesAndOtherFilesAreRefused() {
    for text in [
      #"<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><myanimelist>&b;</myanimelist>"#,
      #"<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><myanimelist><a>&x;</a></myanimelist>"#,
      "<!DOCTYPE html><html></html>", "<html></html>", "<", "<?xml version='1.0'?>", "<myanimelist",
    ] { #expect(throws: SyncError.self, "\(text)") { try FavoritesFile.read(text) } }
    let other = #expect(throws: SyncError.self) { try FavoritesFile.read("[]", into: "x") }
    #expect(other?.hint?.contains("--collection") == true)
  }

  @Test("line ends are those of XML, except where a reference names another")
  func lineEnds() throws {
    let text = Self.anime("<my_comments><![CDATA[1\r\n2\r3\n4]]>\r\n\r\n5&#13;\n6</my_comments>")
    #expect(try FavoritesFile.read(text).records.map(\.note) == ["1\n2\n3\n4\n\n5\r\n6"])
  }

  @Test("no sequence of bytes ends the program", arguments: 1...4)
  func mutations(seed: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(seed))
    let original = Array(
      Self.file("<anime><series_animedb_id>1</series_animedb_id><my_tags a='b'><![CDATA[x]]>&lt;</my_tags></anime>")
        .utf8)
    for _ in 1...500 {
      var bytes = original
      for _ in 1...Int.random(in: 1...6, using: &numbers) {
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0...2, using: &numbers) {
        case 0: bytes[place] = Array("<>/&;![]- \u{80}".utf8).randomElement(using: &numbers) ?? 0
        case 1: bytes.removeSubrange(place..<min(place + 9, bytes.count))
        default: bytes.insert(contentsOf: bytes[place..<min(place + 9, bytes.count)], at: place)
        }
      }
      do { _ = try MyAnimeListFile.read(String(decoding: bytes, as: UTF8.self), into: "x") } catch {
        #expect(error.code == .usage && error.hint != nil, "\(error)")
      }
    }
  }

  @Test func noBeginningOfAFileIsTaken() throws {
    let text = Array(Self.anime("<my_tags a='b'><![CDATA[x]]>&lt;</my_tags><my_comments/>").utf8)
    for end in 4..<text.count {
      let part = String(decoding: text[..<end], as: UTF8.self)
      #expect(throws: SyncError.self, "\(end)") { try FavoritesFile.read(part) }
    }
  }

  private static func packed(_ bytes: Data) async throws -> Data {
    let folder = try TemporaryFolder()
    let file = folder.path + "/list"
    try bytes.write(to: URL(filePath: file))
    let result = try await ProgramUnderTest(path: "/bin/gzip").run([file], environment: [:], in: folder.path)
    try #require(result.end == .exit(0), "\(result.standardError)")
    return try Data(contentsOf: URL(filePath: file + ".gz"))
  }

  @Test func packedFilesAreUnpackedUpToALimit() async throws {
    let text = Data(Self.anime("").utf8)
    let packed = try await Self.packed(text)
    #expect(GzipFile.isGzip(packed) && !GzipFile.isGzip(text))
    #expect(try GzipFile.unpacked(packed, limit: text.count) == text)
    #expect(throws: SyncError.self) { try GzipFile.unpacked(packed, limit: text.count - 1) }
    for damaged in [packed.dropLast(), packed.prefix(9), packed + [1], packed.prefix(60) + packed.dropFirst(61)] {
      #expect(throws: SyncError.self) { try GzipFile.unpacked(Data(damaged), limit: 1 << 20) }
    }
    let bomb = try await Self.packed(Data(count: 64 << 20))
    #expect(bomb.count < 100_000)
    let error = #expect(throws: SyncError.self) { try GzipFile.unpacked(bomb, limit: 1 << 20) }
    #expect(error?.message.contains("when decompressed") == true, "\(error?.message ?? "")")
  }
}
