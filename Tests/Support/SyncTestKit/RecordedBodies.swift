package import Foundation

package enum RecordedBodies {
  package static let folder = folder(of: "jikan")

  package static func folder(of service: String) -> URL? {
    UpstreamFixtures.path(service).map { URL(fileURLWithPath: $0) }
  }

  package static func all(of service: String = "jikan") -> [(name: String, body: [UInt8])] {
    guard let folder = folder(of: service),
      let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    var files: [URL] = []
    while let url = found.nextObject() as? URL {
      if url.pathExtension == "json" { files.append(url) }
    }
    return files.sorted { $0.path < $1.path }.compactMap { url in
      (try? Data(contentsOf: url)).map { (url.lastPathComponent, Array($0)) }
    }
  }
}
