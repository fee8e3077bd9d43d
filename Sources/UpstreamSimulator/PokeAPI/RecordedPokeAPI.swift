import Foundation

/// PokeAPI, served from a folder of its documents: `api/v2/<endpoint>/<id>/index.json`, a list in
/// `api/v2/<endpoint>/index.json`, encounters in `api/v2/pokemon/<id>/encounters/index.json`.
///
/// Documents are unchanged except for their links, which become absolute.
package final class RecordedPokeAPI: SimulatedUpstream {
  private let frontEnd: PokeAPIFrontEnd

  /// - Parameter path: the folder `api/v2`, the one that holds `api`, or the one that holds `data/api/v2`.
  /// - Throws: ``SimulatorError`` when it is none of them.
  package init(folder path: String, _ settings: PokeAPISettings = PokeAPISettings()) throws {
    frontEnd = PokeAPIFrontEnd(try RecordedDocuments(folder: path), settings)
  }

  /// From the next request on.
  package var settings: PokeAPISettings {
    get { frontEnd.settings }
    set { frontEnd.settings = newValue }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer { await frontEnd.answer(request) }
}

/// The documents of a folder; lists are read at the start, documents on request.
private struct RecordedDocuments: PokeAPIDocuments {
  /// The longest file served, so that a wrong folder cannot fill the memory.
  private static let fileLimit = 64 << 20
  /// What a dataset is that does not say.
  private static let unnamedBuild = PokeAPIBuild(hash: "0000000000000000000000000000000000000000", deployDate: "0")

  let build: PokeAPIBuild
  let endpoints: [String]
  private let folder: URL
  private let lists: [String: [PokeAPIRow]]

  init(folder path: String) throws {
    let given = URL(filePath: path, directoryHint: .isDirectory)
    let places = ["api/v2", "data/api/v2", "."].map { given.appending(path: $0, directoryHint: .isDirectory) }
    for folder in places {
      let lists = try Self.lists(in: folder, path)
      guard !lists.isEmpty else { continue }
      self.folder = folder
      self.lists = lists
      endpoints = lists.keys.sorted()
      build = try Self.build(in: folder, path) ?? Self.unnamedBuild
      return
    }
    throw SimulatorError.recordingUnreadable(
      path: path, reason: "neither it nor its api/v2 or data/api/v2 holds lists such as pokemon/index.json")
  }

  func rows(of endpoint: String) -> [PokeAPIRow]? { lists[endpoint] }

  func document(_ address: PokeAPIAddress) -> [UInt8]? {
    let isEncounters = address.endpoint == "pokemon-encounters" && lists[address.endpoint] == nil
    // The name of a folder is that of a list found in it, never one from a request.
    guard isEncounters || lists[address.endpoint] != nil else { return nil }
    let file = isEncounters ? "pokemon/\(address.id)/encounters" : address.text
    return Self.contents(of: folder.appending(path: "\(file)/index.json")).map { Array($0) }
  }

  /// The lists of the endpoints in a folder, none if it is no such folder.
  private static func lists(in folder: URL, _ path: String) throws -> [String: [PokeAPIRow]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var lists: [String: [PokeAPIRow]] = [:]
    for name in names where name != "meta" {
      guard let data = contents(of: folder.appending(path: "\(name)/index.json")) else { continue }
      do {
        let rows = try JSONDecoder().decode(List.self, from: data).results
        lists[name] = try rows.map { row in
          guard let id = row.url.split(separator: "/").last.flatMap({ Int($0) }) else { throw NoLink(url: row.url) }
          return PokeAPIRow(id: id, name: row.name)
        }
      } catch {
        throw SimulatorError.recordingUnreadable(path: path, reason: "\(name)/index.json is no list: \(error)")
      }
    }
    return lists
  }

  private static func build(in folder: URL, _ path: String) throws -> PokeAPIBuild? {
    guard let data = contents(of: folder.appending(path: "meta/index.json")) else { return nil }
    do {
      let meta = try JSONDecoder().decode(Meta.self, from: data)
      return PokeAPIBuild(hash: meta.hash, deployDate: meta.deployDate)
    } catch {
      throw SimulatorError.recordingUnreadable(path: path, reason: "meta/index.json names no build: \(error)")
    }
  }

  private static func contents(of file: URL) -> Data? {
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe), data.count <= fileLimit else { return nil }
    return data
  }

  private struct List: Decodable {
    struct Row: Decodable {
      var name: String?
      var url: String
    }

    var results: [Row]
  }

  private struct Meta: Decodable {
    enum CodingKeys: String, CodingKey {
      case hash
      case deployDate = "deploy_date"
    }

    var hash: String
    var deployDate: String
  }

  /// A row of a list that leads to no document.
  private struct NoLink: Error, CustomStringConvertible {
    var url: String

    var description: String { "\(url) ends with no number" }
  }
}
