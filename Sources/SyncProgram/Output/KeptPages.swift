import Foundation
import SyncCore
import SyncPostgres

/// The cursor of each page of a listing, stored in the user's cache folder. An unusable file counts as empty.
struct KeptPages: Sendable {
  private(set) var starts: [Int: PageCursor] = [:]
  private let path: String?

  /// Cursors expire after a day, because the mirror keeps the old order of a changed list only for a day.
  private static let seconds = 86_400.0
  private static let most = 100

  init(
    of words: [String], in database: String, environment: (String) -> String? = SystemTerminal.environment,
    now: Date = Date()
  ) {
    // Relative paths are ignored, as in the XDG Base Directory Specification.
    func absolute(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    #if canImport(Darwin)
      let cache = absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { $0 + "/Library/Caches" }
    #else
      let cache = absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { $0 + "/.cache" }
    #endif
    let name = String((words + [database]).joined(separator: "\0").utf8.fnv1a, radix: 16)
    path = cache.map { "\($0)/syncctl/pages/\(name)" }
    guard let path, let file = try? FileManager.default.attributesOfItem(atPath: path),
      file[.type] as? FileAttributeType == .typeRegular, let changed = file[.modificationDate] as? Date,
      abs(now.timeIntervalSince(changed)) < Self.seconds,
      let bytes = try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: 65_536)
    else { return }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(Self.most) {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 2, let page = Int(words[0]), page > 1 { starts[page] = PageCursor(words[1]) }
    }
  }

  func keep(_ next: PageCursor?, after turn: PageTurn) {
    guard let path, let number = turn.number, next != nil || !self.starts.isEmpty else { return }
    var starts = starts.filter { $0.key < number }
    starts[number] = turn.start?.cursor
    starts[number + 1] = next
    let lines = starts.sorted { $0.key < $1.key }.suffix(Self.most).map { "\($0.key) \($0.value)\n" }
    let files = FileManager.default
    let folder = URL(filePath: path).deletingLastPathComponent().path
    try? files.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try? WholeFile.write(lines.joined(), to: path, overwrites: true, isPrivate: true)
    let dated = (try? files.contentsOfDirectory(atPath: folder))?.map { name in
      let file = "\(folder)/\(name)"
      return (file, (try? files.attributesOfItem(atPath: file))?[.modificationDate] as? Date ?? .distantPast)
    }
    for (file, _) in (dated ?? []).sorted(by: { $0.1 > $1.1 }).dropFirst(Self.most) {
      try? files.removeItem(atPath: file)
    }
  }
}
