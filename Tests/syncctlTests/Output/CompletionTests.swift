import Foundation
import SyncTestKit
import Testing

@testable import SyncProgram

@Suite("Words that a shell offers at Tab", .boundSources)
struct CompletionTests {
  private static let names = [
    #"$(>P00)"#, "`>P01`", ";>P02;", "'>P03'", #""$(>P04)""#, #"\$(>P05)"#, #"${x:-$(>P06)}"#, #"$((a[$(>P07)]))"#,
    "|>P08", "&&>P09", "<(>P10)", "*?[a]", "{a,b}", "!!", "#x", "~root", #"=$(>P16)"#, ":a@b", "%1^a^b", "$HOME", "\\",
    #"'"`$\"#, "ポケモン", "!rm", "(>P24)", "\"", "'", "$'\\x60'", "${IFS}", "[[", "]]", "?", "-x",
  ].enumerated().map { "n\($0 < 10 ? "0" : "")\($0)\($1)" }

  fileprivate enum Shell: String {
    case bash, zsh, fish

    var isInstalled: Bool { Self.isInstalled(rawValue) && Self.isInstalled("script") }

    private static func isInstalled(_ program: String) -> Bool {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    var command: String {
      switch self {
      case .bash: #"bash --noprofile --rcfile "$HOME/script" -i"#
      case .zsh: "zsh -i"
      case .fish: #"fish --no-config -i -C 'source "$HOME/script"'"#
      }
    }
  }

  private static let program = """
    #!/bin/sh
    if [ "$1" = ---completion ]; then
      cat "$HOME/names"
      # For zsh, the parser prints one more line.
      if [ "$SAP_SHELL" = zsh ]; then echo ' '; fi
    else
      for last in "$@"; do :; done
      printf '%s\\n' "$last" >> "$HOME/said"
    fi

    """

  /// - Returns: the arguments that the program got, and the files that were created.
  private func typed(
    _ names: [String] = names, in shell: Shell
  ) async throws -> (words: [String], files: [String]) {
    let home = try TemporaryFolder()
    let script = try await ProgramUnderTest.named("syncctl").run(
      ["--generate-completion-script", shell.rawValue], environment: ["HOME": home.path], in: home.path)
    #expect(script.end == .exit(0), "\(script.standardError)")
    _ = try home.write(script.standardOutput, to: "script")
    _ = try home.write("autoload -Uz compinit; compinit -u -D; source $HOME/script\n", to: ".zshrc")
    _ = try home.write(names.map { $0 + "\n" }.joined(), to: "names")
    let keys = names.map { "syncctl rankings jikan --studio \($0.prefix(3))\t\n" }.joined()
    _ = try home.write(keys + "exit\n", to: "keys")
    for folder in ["bin", "work"] {
      try FileManager.default.createDirectory(atPath: "\(home.path)/\(folder)", withIntermediateDirectories: true)
    }
    try ProgramFile.write(Self.program, to: "\(home.path)/bin/syncctl")

    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let session = try await ProgramUnderTest(path: "/bin/sh").run(
      ["-c", #"exec script -qec "$1" /dev/null < "$HOME/keys""#, "sh", shell.command],
      environment: ["HOME": home.path, "PATH": "\(home.path)/bin:\(path)", "TERM": "dumb", "LC_ALL": "C.UTF-8"],
      in: "\(home.path)/work")
    let said = try? String(contentsOfFile: "\(home.path)/said", encoding: .utf8)
    #expect(said != nil, "\(session.standardOutput)\(session.standardError)")
    return (
      (said ?? "").split(separator: "\n").map(String.init),
      try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/work")
    )
  }

  @Test(
    "bash and fish offer each name, quote it, and execute nothing of it",
    arguments: [Shell.bash, .fish].filter(\.isInstalled))
  fileprivate func quotes(shell: Shell) async throws {
    let typed = try await typed(in: shell)
    #expect(typed.words == Self.names)
    #expect(typed.files.isEmpty)
  }

  @Test(
    "zsh executes nothing of a name",
    .enabled(if: Shell.zsh.isInstalled, "zsh or script(1) is not installed"))
  func zsh() async throws {
    // Names with an exclamation mark are not completed, because the shell would expand the mark to an earlier command.
    let names = Self.names.filter { !$0.contains("!") }
    let typed = try await typed(names, in: .zsh)
    #expect(typed.words.count == names.count)
    // zsh does not complete names with a backslash.
    for (word, name) in zip(typed.words, names) where !name.contains("\\") {
      #expect(word == name)
    }
    #expect(typed.files.isEmpty)
  }

  @Test("the script for zsh escapes the colons of words")
  func zshScript() async throws {
    let home = try TemporaryFolder()
    let script = try await ProgramUnderTest.named("syncctl").run(
      ["--generate-completion-script", "zsh"], environment: ["HOME": home.path], in: home.path)
    let lines = script.standardOutput.split(separator: "\n").map { $0.drop { $0 == " " } }
    let reading = try #require(lines.firstIndex { $0.hasPrefix("completions=(") && $0.contains("command_name") })
    #expect(lines[reading + 2] == #"completions=("${(@)completions//:/\\:}")"#)
  }

  @Test("the script for bash is the one that this program changes, and gives no words of its own to compgen")
  func script() async throws {
    let home = try TemporaryFolder()
    let script = try await ProgramUnderTest.named("syncctl").run(
      ["--generate-completion-script", "bash"], environment: ["HOME": home.path], in: home.path)
    let lines = script.standardOutput.split(separator: "\n")
    #expect(lines.count { $0.contains(#"printf -v quoted %q "${completion}""#) } == 1)
    let generators = lines.filter { $0.contains("compgen") && !$0.contains("# Not compgen") }
    #expect(!generators.isEmpty)
    for line in generators {
      let isConstant = line.contains("compgen -W '") || line.contains(#"compgen -W "${repeating_flags[*]} "#)
      #expect(isConstant || line.hasSuffix(#"< <(IFS=$'\n' compgen "${@}" -- "${cur}")"#), "\(line)")
    }
  }

  @Test("a name with what a shell or a terminal obeys is not offered")
  func offered() {
    let plain = ["Madhouse", "A-1", "search:jay-tw", "R+", "ポケモン", "x_y.z@1", "D'Art", "K&J"]
    let hostile = [
      "a\nb", "a\tb", "a b", "a\u{9B}b", "a\u{202E}b", "a\u{200B}b", "a\u{2028}b", "$x", "`x`", "<x", ">x",
    ]
    #expect(Completion.matching(plain + hostile + ["\\x", "x!"], "") == plain)
    #expect(Completion.matching(plain + plain, "A") == ["A-1"])
  }
}
