import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("An upstream with drawn pictures")
struct IllustratedUpstreamTests {
  private static let host = "127.0.0.1:5"

  private static func get(_ upstream: some SimulatedUpstream, _ path: String) async -> SimulatedAnswer {
    let illustrated = IllustratedUpstream(upstream)
    return await illustrated.answer(SimulatedRequest(path: path, headers: [HeaderField("Host", host)]))
  }

  private static var jikan: GeneratedJikan {
    var settings = JikanSettings(items: 30)
    settings.hasTitledPictures = true
    return GeneratedJikan(settings)
  }

  @Test("every service's answers name pictures at this server, and these pictures are valid SVG")
  func pictures() async throws {
    for (upstream, path, folder) in [
      (Self.jikan, "/v4/top/anime", "posters"), (SimulatedPokeAPI(), "/api/v2/pokemon/25/", "creatures"),
      (GeneratedITunes(), "/search?term=jack", "covers"),
      (GeneratedITunes(), "/api/v2/us/music/most-played/10/songs.json", "covers"),
    ] as [(any SimulatedUpstream, String, String)] {
      let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
      let request = SimulatedRequest(
        path: parts[0], query: parts.count > 1 ? parts[1] : "", headers: [HeaderField("Host", Self.host)])
      let body = await IllustratedUpstream(upstream).answer(request).body
      let text = String(decoding: body, as: UTF8.self).replacing(#"\/"#, with: "/")
      for other in ["cdn.myanimelist.net/images", "mzstatic.com/image/thumb", "sprites/master/sprites/pokemon/"] {
        #expect(!text.contains(other), "\(path): \(other)")
      }
      let addresses = text.matches(of: #/"http://127\.0\.0\.1:5(/pictures/[^"]*)"/#).map { String($0.1) }
      #expect(addresses.count > 3 && addresses.allSatisfy { $0.hasPrefix("/pictures/\(folder)/") }, "\(path)")
      for address in Set(addresses).prefix(10) {
        let picture = await Self.get(upstream, address)
        #expect(picture.headers.contains(HeaderField("Content-Type", "image/svg+xml")), "\(address)")
        #expect(XMLParser(data: Data(picture.body)).parse(), "\(address)")
        #expect(await Self.get(upstream, address) == picture, "\(address)")
      }
    }
  }

  @Test("a poster has the words of its title in every size, and other addresses have no picture")
  func posters() async {
    for size in ["", "t", "l"] {
      let answer = await Self.get(Self.jikan, "/pictures/posters/anime/1/Hoshi_no__Tsuki_\(size).jpg")
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(text.contains(">Hoshi no<") && text.contains(">Tsuki<"), "\(text)")
    }
    for path in ["posters", "nothing/1.png", ""] {
      #expect(await Self.get(Self.jikan, "/pictures/\(path)").status == 404, "\(path)")
    }
  }

  @Test("shiny and female creatures look different")
  func creatures() async {
    var drawn: Set<[UInt8]> = []
    for path in ["", "shiny/", "female/", "shiny/female/"] {
      drawn.insert(await Self.get(Self.jikan, "/pictures/creatures/\(path)25.png").body)
    }
    #expect(drawn.count == 4)
  }
}
