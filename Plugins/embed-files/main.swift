import Foundation

// Writes OUTPUT: an extension of ENUM with a dictionary from each file's path below ROOT to the file's text.

let arguments = CommandLine.arguments
guard arguments.count > 4 else {
  FileHandle.standardError.write(Data("usage: embed-files ENUM ROOT OUTPUT FILE…\n".utf8))
  exit(64)
}
let root = arguments[2] + "/"
var source = "// Made by the EmbedFiles plugin from the files of this target.\n\n"
source += "extension \(arguments[1]) {\n  static let files: [String: String] = [\n"
for file in arguments.dropFirst(4) {
  let text = try String(contentsOfFile: file, encoding: .utf8)
  // No file has a quotation mark before three number signs, so no text ends the literal.
  source += "    \"\(file.dropFirst(root.count))\": ###\"\"\"\n\(text)\n\"\"\"###,\n"
}
source += "  ]\n}\n"
try source.write(toFile: arguments[3], atomically: true, encoding: .utf8)
