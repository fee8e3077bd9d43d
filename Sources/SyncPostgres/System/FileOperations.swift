import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct FileStatus: Sendable, Equatable {
  enum FileType: Sendable { case folder, socket, other }

  var kind: FileType
  var owner: UInt32
  var group: UInt32
  var permissions: UInt32
}

enum FileOperations {
  static func status(_ path: String, followingLinks: Bool = false) throws(Errno) -> FileStatus? {
    var record = stat()
    let result = followingLinks ? stat(path, &record) : lstat(path, &record)
    guard result == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Errno(rawValue: errno)
    }
    let kind: FileStatus.FileType =
      switch record.st_mode & S_IFMT {
      case S_IFDIR: .folder
      case S_IFSOCK: .socket
      default: .other
      }
    return FileStatus(
      kind: kind, owner: record.st_uid, group: record.st_gid, permissions: UInt32(record.st_mode) & 0o7777)
  }

  static func makeFolder(_ path: String, permissions: UInt32) throws(Errno) {
    guard mkdir(path, mode_t(permissions)) == 0 else { throw Errno(rawValue: errno) }
  }

  static func makeFolders(_ path: String, permissions: UInt32) throws(Errno) {
    var made = FilePath(path).root.map { FilePath(root: $0) } ?? FilePath("")
    for component in FilePath(path).components {
      made.append(component)
      if mkdir(made.string, mode_t(permissions)) != 0 && errno != EEXIST {
        let refusal = Errno(rawValue: errno)
        if try status(made.string, followingLinks: true)?.kind == .folder { continue }
        throw refusal
      }
    }
    guard try status(path, followingLinks: true)?.kind == .folder else { throw .notDirectory }
  }

  static func setOwner(_ path: String, user: UInt32, group: UInt32) throws(Errno) {
    guard lchown(path, user, group) == 0 else { throw Errno(rawValue: errno) }
  }

  static func setPermissions(_ path: String, _ permissions: UInt32) throws(Errno) {
    guard chmod(path, mode_t(permissions)) == 0 else { throw Errno(rawValue: errno) }
  }

  static func names(in path: String) throws(Errno) -> [String] {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return [] }
      throw Errno(rawValue: errno)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let length = MemoryLayout.size(ofValue: entry.pointee.d_name)
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: length) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Reads at most `limit` bytes. Refuses symbolic links, because a less privileged user may own the folder.
  /// - Parameter offset: the place of the first byte. If more than `limit` bytes follow it, only the last are read.
  static func read(_ path: String, from offset: Int64? = nil, limit: Int) throws -> String {
    let file = try opened(path, .readOnly, [.noFollow, .closeOnExec])
    defer { try? file.close() }
    if let offset {
      let end = try file.seek(offset: 0, from: .end)
      try file.seek(offset: max(min(offset, end), end - Int64(limit)), from: .start)
    }
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let more = try bytes.withUnsafeMutableBytes { buffer in
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      }
      if more == 0 { break }
      count += more
    }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  static func size(_ path: String) -> Int64 {
    var record = stat()
    return lstat(path, &record) == 0 ? Int64(record.st_size) : 0
  }

  static func replace(_ path: String, with text: String, owner: ServerUser) throws {
    let temporary = path + ".new"
    _ = unlink(temporary)
    let file = try opened(
      temporary, .writeOnly, [.create, .exclusiveCreate, .noFollow, .closeOnExec], permissions: [.ownerReadWrite])
    do {
      defer { try? file.close() }
      if geteuid() == 0 && fchown(file.rawValue, owner.id, owner.group) != 0 { throw Errno(rawValue: errno) }
      try file.writeAll(Array(text.utf8))
      guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      guard renamed(temporary, path) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      _ = unlink(temporary)
      throw error
    }
  }

  static func rename(_ old: String, to new: String, in folder: String) throws {
    guard renamed(old, new) == 0 else { throw Errno(rawValue: errno) }
    let parent = try opened(folder, .readOnly, [.directory, .closeOnExec])
    defer { try? parent.close() }
    guard fsync(parent.rawValue) == 0 else { throw Errno(rawValue: errno) }
  }

  static func removeFile(_ path: String) throws(Errno) {
    guard unlink(path) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
  }

  static func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  static func canonical(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func resolved(_ path: String) -> String {
    if let whole = canonical(path) { return whole }
    guard let slash = path.lastIndex(of: "/"), path != "/" else { return path }
    let parent = resolved(slash == path.startIndex ? "/" : String(path[..<slash]))
    switch path[path.index(after: slash)...] {
    case "", ".": return parent
    case let name: return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
    }
  }

  static func isNearlyFull(_ path: String, below bytes: UInt64) -> Bool {
    var record = statvfs()
    guard statvfs(path, &record) == 0 else { return false }
    // A file system without a limit may report values whose product overflows.
    let free = UInt64(record.f_bavail).multipliedReportingOverflow(by: UInt64(record.f_frsize))
    return !free.overflow && free.partialValue < bytes
  }

  /// Opens a new file that only this user can read, and removes its name, so that the file disappears with the process.
  /// - Throws: `Errno` if the folder cannot be written.
  static func nameless(in folder: String) throws(Errno) -> FileDescriptor {
    // mkstemp replaces the six X, so that no other user can guess the name.
    var path = Array("\(folder)/syncctl-XXXXXX".utf8CString)
    let number = mkstemp(&path)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    unlink(path)
    return FileDescriptor(rawValue: number)
  }

  static func opened(
    _ path: String, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions,
    permissions: FilePermissions? = nil
  ) throws -> FileDescriptor {
    try FileDescriptor.open(FilePath(path), mode, options: options, permissions: permissions)
  }

  private static func renamed(_ old: String, _ new: String) -> CInt {
    #if canImport(Darwin)
      Darwin.rename(old, new)
    #else
      Glibc.rename(old, new)
    #endif
  }
}
