import ArgumentParser
import Foundation
import SyncCore
import SyncHTTP
import SyncTestKit
import Testing

@testable import SyncProgram

@Suite(.boundSources)
struct RecordedRunTests {
  private static let manifest = """
    {"format": 1, "syncctl": "0.1", "started_at": "2026-11-21T04:00:00Z", "full": false, "refresh": false,
     "history_positions": 1000, "max_pages": 3,
     "sources": {"pokeapi": {"settings": {"page_size": "100"}}, "jikan": {"streams": ["top-anime"], "settings": {}}}}
    """

  private static func fault(_ manifest: String) throws -> SyncError? {
    let folder = try TemporaryFolder()
    _ = try folder.write(manifest, to: "recording.json")
    let local = try Configuration.load(
      configFlag: try folder.write("", to: "syncctl.yaml"), environment: ["HOME": folder.path])
    let everything = try #require(try Syncctl.parseAsRoot(["status"]) as? StatusCommand).choice
    do throws(SyncError) {
      let run = try RecordedRun(of: RecordingFolder(folder.path))
      let configuration = try run.configuration(over: local, path: folder.path)
      _ = try run.choice(everything, configuration)
      return nil
    } catch { return error }
  }

  @Test func aManifestIsRead() throws {
    #expect(try Self.fault(Self.manifest) == nil)
    #expect(try Self.fault(Self.manifest.replacing(", \"max_pages\": 3", with: "")) == nil)
    #expect(try Self.fault(Self.manifest.replacing("\"max_pages\": 3", with: "\"max_pages\": null")) == nil)
  }

  @Test(
    "a number that is out of range is named, with status 78",
    arguments: [
      ("\"history_positions\": 1000", "\"history_positions\": 0", "history_positions is 0"),
      ("\"history_positions\": 1000", "\"history_positions\": -5", "history_positions is -5"),
      ("\"history_positions\": 1000", "\"history_positions\": 2147483648", "history_positions is 2147483648"),
      (
        "\"history_positions\": 1000", "\"history_positions\": 99999999999999999999",
        "history_positions is 99999999999999999999"
      ),
      ("\"max_pages\": 3", "\"max_pages\": 0", "max_pages is 0"),
      ("\"max_pages\": 3", "\"max_pages\": -9223372036854775808", "max_pages is -9223372036854775808"),
      ("\"max_pages\": 3", "\"max_pages\": 9223372036854775808", "max_pages is 9223372036854775808"),
      ("2026-11-21", "99999-01-01", "started_at"), ("2026-11-21", "1900-01-01", "started_at"),
      ("\"page_size\": \"100\"", "\"page_size\": \"99999999999\"", "99999999999"),
      ("\"page_size\": \"100\"", "\"page_size\": \"-1\"", "page_size"),
      ("\"format\": 1", "\"format\": 99999999999", "99999999999"),
      ("\"format\": 1", "\"format\": 99999999999999999999", "not the manifest"),
      ("\"max_pages\": 3", "\"max_pages\": 1.5", "wrong type"),
      ("\"max_pages\": 3", "\"max_pages\": 1e400", ""),
    ])
  func outOfRange(old: String, new: String, named: String) throws {
    #expect(Self.manifest.contains(old))
    let error = try #require(try Self.fault(Self.manifest.replacing(old, with: new)))
    #expect(error.code.exitStatus == 78, "\(error)")
    #expect(named.isEmpty || error.message.contains(named), "\(error)")
    #expect(error.hint?.isEmpty == false)
  }
}
