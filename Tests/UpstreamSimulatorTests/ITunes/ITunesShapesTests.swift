import Foundation
import SyncTestKit
import Testing

@testable import UpstreamSimulator

@Suite("The shapes of generated records", .timeLimit(.minutes(10)))
struct ITunesShapesTests {
  private let itunes = GeneratedITunes()

  @Test(
    "have the members of recorded ones, and no others",
    .enabled(if: RecordedITunesBodies.folder != nil, "\(UpstreamFixtures.missing)"))
  func recorded() async throws {
    var always: [String: Set<String>] = [:]
    var sometimes: [String: Set<String>] = [:]
    for row in try RecordedITunesBodies.rows() {
      always[row.label] = always[row.label]?.intersection(row.valued) ?? row.valued
      sometimes[row.label, default: []].formUnion(row.names)
    }
    for query in [
      "entity=song", "entity=album", "entity=musicVideo", "media=music&entity=musicArtist", "media=movie",
      "media=tvShow", "media=podcast", "media=audiobook", "media=ebook", "media=software", "entity=macSoftware",
    ] {
      let ours = try await itunes.rows("/search?term=echo&limit=200&\(query)")
      let label = try #require(ours.first).label
      let (all, known) = (always[label] ?? [], sometimes[label] ?? [])
      #expect(!known.isEmpty, "\(label) was not recorded")
      for row in ours {
        #expect(all.subtracting(row.names).isEmpty, "\(label)")
        #expect(row.names.subtracting(known).isSubset(of: Self.documented[label] ?? []), "\(label)")
      }
    }
  }

  /// Members that the service documents or is known to send, and no recorded body has.
  private static let documented: [String: Set<String>] = [
    "track/feature-movie": ["trackRentalPrice", "trackHdPrice"], "track/podcast": ["trackTimeMillis"],
    "audiobook/-": ["previewUrl", "description"], "-/ebook": ["fileSizeBytes"],
  ]
}

private enum RecordedITunesBodies {
  static let folder = UpstreamFixtures.path("itunes/bodies")

  static func rows() throws -> [ITunesRow] {
    let folder = try #require(folder)
    return try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { file -> [ITunesRow] in
      let body = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
      return try SimulatedValue(Array(body))["results"]?.elements ?? []
    }
  }
}
