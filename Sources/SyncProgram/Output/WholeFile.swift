import Foundation

enum WholeFile {
  /// If the path is a symbolic link, the file replaces the link and not its target.
  /// - Throws: `OutputError`. The old file is then unchanged.
  static func write(
    _ text: String, to path: String, overwrites: Bool, ignoresUmask: Bool = false, isPrivate: Bool = false
  ) throws(OutputError) {
    func check(_ result: CInt) throws(OutputError) {
      if result < 0 { throw OutputError(stream: path, code: errno) }
    }
    // The temporary file is in the same folder, because a file can be renamed only within a file system. Programs that
    // read the folder ignore a hidden name with the suffix `.part`.
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
    // `link` fails if the file exists; `rename` replaces the file.
    try check(overwrites ? rename(unfinished, path) : link(unfinished, path))
  }
}
