import Foundation

// Writes OUTPUT: an extension of ENUM with a dictionary from the files' paths below ROOT to their texts.

let arguments = CommandLine.arguments
guard arguments.count > 4 else {
  FileHandle.standardError.write(Data("usage: embed-sql ENUM ROOT OUTPUT FILE…\n".utf8))
  exit(64)
}
let root = arguments[2] + "/"
var source = "// Made by the EmbedSQL plugin from the files of this target.\n\n"
source += "extension \(arguments[1]) {\n  static let files: [String: String] = [\n"
for file in arguments.dropFirst(4) {
  let text = try String(contentsOfFile: file, encoding: .utf8)
  // Three number signs, because no file has a quotation mark before them.
  source += "    \"\(file.dropFirst(root.count))\": ###\"\"\"\n\(text)\n\"\"\"###,\n"
}
source += "  ]\n}\n"
try source.write(toFile: arguments[3], atomically: true, encoding: .utf8)
