import Foundation
import SyncTestKit
package import UpstreamSimulator

/// The documents recorded from PokeAPI, in folders named like the paths of their addresses.
package enum PokeAPIRecording {
  package static let archive = UpstreamFixtures.path("pokeapi.tar.xz")

  /// The folder of the unpacked tree. Links are relative, and lists contain only the recorded documents.
  package static func tree() async throws -> String { try await unpacked.value }

  package static func upstream() async throws -> SimulatedPokeAPI {
    let root = try await tree() + "/api/v2"
    func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(root)/\(path)/index.json")) }
    var lists: [String: [SimulatedPokeAPI.Row]] = [:]
    for endpoint in try FileManager.default.contentsOfDirectory(atPath: root)
    where endpoint != "meta" && endpoint != "index.json" {
      lists[endpoint] = try JSONDecoder().decode(List.self, from: contents(endpoint)).results.map {
        row -> SimulatedPokeAPI.Row in
        guard let id = row.url.split(separator: "/").last.flatMap({ Int($0) }) else {
          throw Failure(description: "\(row.url) ends with no number")
        }
        return (id, row.name)
      }
    }
    return SimulatedPokeAPI(build: String(repeating: "0", count: 40), lists: lists) { address in
      let isEncounters = address.endpoint == "pokemon-encounters"
      let path = isEncounters ? "pokemon/\(address.id)/encounters" : "\(address.endpoint)/\(address.id)"
      return (try? Data(contentsOf: URL(filePath: "\(root)/\(path)/index.json"))).map { Array($0) }
    }
  }

  private struct List: Decodable {
    struct Row: Decodable {
      let name: String?
      let url: String
    }

    let results: [Row]
  }

  private static let unpacked = Task {
    guard let archive else { throw Failure(description: UpstreamFixtures.missing) }
    let folder = try ThrowawayFolders.make()
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tar.arguments = ["tar", "-xJf", archive, "-C", folder]
    let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
      tar.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try tar.run() } catch { continuation.resume(throwing: error) }
    }
    guard status == 0 else { throw Failure(description: "tar could not unpack \(archive): status \(status)") }
    return folder
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
