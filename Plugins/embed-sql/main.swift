import Foundation

// Writes OUTPUT: a Swift dictionary from the files' paths below ROOT to their texts.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  FileHandle.standardError.write(Data("usage: embed-sql ROOT OUTPUT FILE…\n".utf8))
  exit(64)
}
let root = arguments[1] + "/"
var source = "// Made by the EmbedSQL plugin from the .sql and .version files of this folder.\n\n"
source += "extension EmbeddedSQL {\n  static let files: [String: String] = [\n"
for file in arguments.dropFirst(3) {
  let text = try String(contentsOfFile: file, encoding: .utf8)
  // Three number signs, because no SQL file has a quotation mark before them.
  source += "    \"\(file.dropFirst(root.count))\": ###\"\"\"\n\(text)\n\"\"\"###,\n"
}
source += arguments.count == 3 ? "    :\n  ]\n}\n" : "  ]\n}\n"
try source.write(toFile: arguments[2], atomically: true, encoding: .utf8)
