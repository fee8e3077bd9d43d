import Foundation
import SyncCore
import SyncPostgres
import SyncWeb

/// The folder of the data folder with the token for pages, and with a file for each server that is running. Only its
/// owner can read these files.
struct WebFolder: Sendable {
  private let dataFolder: String

  init(dataFolder: String) { self.dataFolder = dataFolder }

  /// The folder of this process's environment.
  static var own: WebFolder {
    WebFolder(
      dataFolder: EmbeddedCluster.defaultDataDirectory(environment: ProcessInfo.processInfo.environment))
  }

  private var path: String { "\(dataFolder)/\(EmbeddedCluster.pagesFolder)" }

  /// Returns the token, and creates it if the folder has none. Processes that create it at the same time get the same
  /// token, because only one of them can give a file its name.
  /// - Throws: `SyncError` `.permission` if the token cannot be stored, or if other users can read it.
  func token() throws(SyncError) -> String {
    try prepare()
    let file = "\(path)/token"
    if let token = try readToken(file) { return token }
    do {
      try WholeFile.write("\(WebSignIn.newSecret())\n", to: file, overwrites: false, isPrivate: true)
    } catch  where error.code != EEXIST {
      throw Self.fault(file, "cannot be written (\(error.reason))")
    } catch {}
    guard let token = try readToken(file) else { throw Self.fault(file, "cannot be read") }
    return token
  }

  /// Writes the address of a running server to a file that is locked until the server ends.
  /// - Parameters:
  ///   - url: The address with the token.
  ///   - forBrowser: Whether to also write a page that opens the address, because the arguments of a browser must not
  ///     contain the token.
  func announce(_ url: String, forBrowser: Bool) throws(SyncError) -> WebAnnouncement {
    try prepare()
    let id = WebSignIn.newSecret()
    let file = "\(path)/\(id)\(Self.suffix)"
    let hidden = "\(path)/.\(id).part"
    // The file gets its name after the lock, so that another process never takes it for the file of an ended server.
    let descriptor = open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.fault(file, "cannot be written (\(SystemTerminal.reason()))") }
    let bytes = Array("\(url)\n".utf8)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, write(descriptor, bytes, bytes.count) == bytes.count,
      rename(hidden, file) == 0
    else {
      let reason = SystemTerminal.reason()
      unlink(hidden)
      close(descriptor)
      throw Self.fault(file, "cannot be written (\(reason))")
    }
    var page: String?
    if forBrowser {
      let text = """
        <!doctype html>
        <meta charset="utf-8">
        <meta name="referrer" content="no-referrer">
        <meta http-equiv="refresh" content="0;url=\(url)">
        <title>syncctl</title>
        <a href="\(url)">Open the pages of syncctl</a>

        """
      let target = "\(path)/\(id)\(Self.pageSuffix)"
      do {
        try WholeFile.write(text, to: target, overwrites: false, isPrivate: true)
        page = target
      } catch {
        unlink(file)
        close(descriptor)
        throw Self.fault(target, "cannot be written (\(error.reason))")
      }
    }
    return WebAnnouncement(descriptor: descriptor, file: file, page: page)
  }

  /// Returns the addresses of the running servers, the newest first. Removes the files of servers that were killed.
  /// - Throws: `SyncError` `.missing` if no server is running.
  func running() throws(SyncError) -> [String] {
    var found: [(url: String, at: Date)] = []
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name.hasSuffix(Self.suffix) {
      let file = "\(path)/\(name)"
      let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      // A shared lock, so that two processes that look at the same time do not take each other for the server.
      if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
        unlink(file)
        unlink("\(path)/\(name.dropLast(Self.suffix.count))\(Self.pageSuffix)")
        continue
      }
      guard let url = Self.text(descriptor) else { continue }
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      found.append((url, attributes?[.modificationDate] as? Date ?? .distantPast))
    }
    guard !found.isEmpty else {
      throw SyncError(
        .missing, "no syncctl web is running for the data folder \(dataFolder)",
        hint: "syncctl web starts one; pages of a worker need its user and its SYNCCTL_DATA_DIR")
    }
    return found.sorted { $0.at > $1.at }.map(\.url)
  }

  private static let suffix = ".address"
  private static let pageSuffix = ".html"

  private func prepare() throws(SyncError) {
    do {
      try EmbeddedCluster.makeDataFolder(dataFolder)
    } catch {
      throw (error as? EmbeddedClusterError).map { SyncError($0) } ?? Self.fault(dataFolder, "cannot be made")
    }
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Self.fault(path, "cannot be made (\(SystemTerminal.reason()))")
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o022 == 0
    else { throw Self.fault(path, "is not a folder that only this user can write") }
  }

  private func readToken(_ file: String) throws(SyncError) -> String? {
    let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.fault(file, "cannot be read (\(SystemTerminal.reason()))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else { throw Self.fault(file, "can be read by other users", hint: "remove it, and syncctl web creates a new one") }
    guard let token = Self.text(descriptor), token.wholeMatch(of: /[0-9A-Za-z_\-]{16,128}/) != nil else {
      throw Self.fault(file, "has no token", hint: "remove it, and syncctl web creates a new one")
    }
    return token
  }

  private static func text(_ descriptor: CInt) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    return count > 0
      ? String(decoding: buffer.prefix(count), as: UTF8.self).trimmingCharacters(in: .newlines) : nil
  }

  private static func fault(_ path: String, _ problem: String, hint: String? = nil) -> SyncError {
    SyncError(
      .permission, "\(Excerpt.of(path)) \(problem)",
      hint: hint ?? "set SYNCCTL_DATA_DIR to a folder that this user can write")
  }
}

/// The files of one running server. They are removed with this value.
final class WebAnnouncement: Sendable {
  /// The page that opens the address of the server.
  let page: String?
  private let descriptor: CInt
  private let file: String

  fileprivate init(descriptor: CInt, file: String, page: String?) {
    self.descriptor = descriptor
    self.file = file
    self.page = page
  }

  deinit {
    if let page { unlink(page) }
    unlink(file)
    close(descriptor)
  }
}
