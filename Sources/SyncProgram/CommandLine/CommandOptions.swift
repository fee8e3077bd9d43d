import ArgumentParser
import Foundation

/// The options and arguments of a command, as its help describes them.
struct CommandOptions {
  private let arguments: [Argument]

  /// - Returns: `nil` for a group of commands.
  init?(_ command: any ParsableCommand.Type) {
    guard command.configuration.subcommands.isEmpty,
      let dump = try? JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8))
    else { return nil }
    arguments = dump.command.arguments
  }

  /// The names of all options, with their hyphens.
  var options: Set<String> { Set(arguments.flatMap { $0.options }) }

  /// Whether the command has arguments beside its options.
  var hasArguments: Bool { !positionals.isEmpty }

  private var positionals: [Argument] { arguments.filter { $0.kind == "positional" } }

  /// Returns the arguments for a hint: the typed ones, or the names of the required ones.
  func words(_ typed: String) -> String {
    if !typed.isEmpty { return positionals.isEmpty ? "" : typed }
    let required = positionals.filter { !$0.isOptional }.compactMap { $0.valueName?.prefix { $0 != "|" }.uppercased() }
    return required.joined(separator: " ")
  }

  func takesValue(_ option: String) -> Bool {
    arguments.contains { $0.kind == "option" && $0.options.contains(option) }
  }

  /// Returns the option that the word means, with its value: a flag without its hyphens, a value that only one option
  /// accepts, or a year. `nil` if the command has arguments.
  func options(meaning word: String) -> [String]? {
    if !positionals.isEmpty { return nil }
    let lower = word.lowercased()
    if arguments.contains(where: { $0.kind == "flag" && $0.option == "--\(lower)" }) { return ["--\(lower)"] }
    for name in [lower, lower.hasSuffix("s") ? String(lower.dropLast()) : lower] {
      let meanings = arguments.compactMap { argument -> [String]? in
        let value = argument.completionKind?["list"]?.values?.first { $0.lowercased() == name }
        return value.flatMap { value in argument.option.map { [$0, value] } }
      }
      if !meanings.isEmpty { return meanings.count == 1 ? meanings[0] : nil }
    }
    return (1900...2100).contains(Int(lower) ?? 0) && takesValue("--year") ? ["--year", lower] : nil
  }

  private struct Dump: Decodable { let command: Command }
  private struct Command: Decodable { let arguments: [Argument] }
  private struct Completion: Decodable { let values: [String]? }

  private struct Argument: Decodable {
    let kind: String
    let isOptional: Bool
    let valueName: String?
    let names: [[String: String]]?
    let completionKind: [String: Completion]?

    var options: [String] {
      (names ?? []).compactMap { name in name["name"].map { (name["kind"] == "long" ? "--" : "-") + $0 } }
    }

    var option: String? { names?.first { $0["kind"] == "long" }?["name"].map { "--\($0)" } }
  }
}
