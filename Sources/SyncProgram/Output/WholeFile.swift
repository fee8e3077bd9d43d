import Foundation

/// A text file that is written whole or not at all. Not for files of the embedded cluster, which belong to its user,
/// nor for backups, which are streamed and which only their owner may read.
enum WholeFile {
  /// Writes or replaces a file. A symbolic link is replaced itself; its target stays.
  ///
  /// - Parameters:
  ///   - overwrites: without it, an existing file is an error with the code `EEXIST`.
  ///   - ignoresUmask: everyone may read the file, whatever the umask says.
  /// - Throws: `OutputError`. The old file is then unchanged, and no temporary file is left.
  static func write(
    _ text: String, to path: String, overwrites: Bool, ignoresUmask: Bool = false, isPrivate: Bool = false
  ) throws(OutputError) {
    func check(_ result: CInt) throws(OutputError) {
      if result < 0 { throw OutputError(stream: path, code: errno, reason: String(cString: strerror(errno))) }
    }
    // In the same folder, because only there it can be renamed; hidden and with a suffix of its own, so that programs
    // that read all files of the folder ignore it.
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    let unfinished = "\(path[..<name]).\(path[name...]).\(mark).part"
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
    try check(descriptor)
    defer {
      close(descriptor)
      unlink(unfinished)
    }
    if ignoresUmask { try check(fchmod(descriptor, 0o644)) }
    try SystemTerminal.write(Array(text.utf8), to: descriptor, name: path)
    try check(fsync(descriptor))
    // In one step: a link fails where something is already, a rename replaces it.
    try check(overwrites ? rename(unfinished, path) : link(unfinished, path))
  }
}
