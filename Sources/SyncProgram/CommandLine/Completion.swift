package import ArgumentParser
import Foundation
import SyncCore
package import SyncPostgres

/// Offers words for shell completion. If the mirror does not answer within 200 ms, its words are not offered. Errors
/// are not printed, because they would appear in the user's command line.
package enum Completion {
  static let sources = CompletionKind.list(Registry.names + [StreamChoice.allSources])
  static let reports = CompletionKind.list(Reports.all.map(\.name))

  static let streams = CompletionKind.custom { (words: [String], _: Int, prefix: String) async in
    let named = Registry.names.filter(words.contains)
    let sources = configuration?.sources.filter { named.isEmpty || named.contains($0.name) } ?? []
    let streams = sources.flatMap { ($0.defaultStreams ?? []) + $0.suggestions(for: prefix) }
    return await matching(streams + mirror(.streams), prefix)
  }

  static let jobs = CompletionKind.custom { (_: [String], _: Int, prefix: String) async in
    await matching((configuration?.jobs.map(\.name) ?? []) + mirror(.jobs), prefix)
  }

  static let collections = CompletionKind.custom { (_: [String], _: Int, prefix: String) async in
    await matching(["favorites", "owned"] + mirror(.collections), prefix)
  }

  /// Offers the mirror's words of a list that begin with the typed prefix.
  package static func words(_ list: CompletionWords) -> CompletionKind {
    .custom { (_: [String], _: Int, prefix: String) async in await matching(mirror(list), prefix) }
  }

  static let favoriteItems = CompletionKind.custom { (words: [String], _: Int, prefix: String) in
    let source = Registry.sources.first { words.contains($0.name) }
    return matching(source?.favorites.kinds ?? Registry.names, prefix)
  }

  private static let deadline = Duration.milliseconds(200)

  private static var configuration: Configuration? {
    try? Configuration.load(configFlag: nil, environment: ProcessInfo.processInfo.environment)
  }

  static func matching(_ words: [String], _ prefix: String) -> [String] {
    words.distinct().filter { $0.hasPrefix(prefix) && isOffered($0) }
  }

  /// Excludes names with special characters. Old completion scripts for bash expand such names, and zsh does not quote
  /// backslashes and exclamation marks.
  private static func isOffered(_ word: String) -> Bool {
    word == TerminalText.safe(word) && !word.unicodeScalars.contains { " $`<>\\!".unicodeScalars.contains($0) }
  }

  private static func mirror(_ list: CompletionWords) async -> [String] {
    await Context.answer(within: deadline) { (try? await read(list)) ?? [] } ?? []
  }

  private static func read(_ list: CompletionWords) async throws -> [String] {
    guard let configuration else { return [] }
    let context = Context(configuration: configuration)
    return try await context.isAsleep() ? [] : try await context.withDatabase { try await list.read(in: $0) }
  }
}

enum BashCompletion {
  /// Stream names contain colons, so the changed script does not split words at colons. It also stops Bash from
  /// expanding the offered words.
  static func script(_ generated: String) -> String {
    generated.replacing(expandingWords, with: quotingWords) + "\nCOMP_WORDBREAKS=${COMP_WORDBREAKS//:/}"
  }

  /// A test checks that the generated script contains this text.
  private static let expandingWords = """
        local completion
        while IFS='' read -r completion; do
            COMPREPLY+=("${completion}")
        done < <(IFS=$'\\n' compgen "${@}" -- "${cur}")

    """

  private static let quotingWords = """
        local completion quoted
        if [[ "${1}" != -W ]]; then
            while IFS='' read -r completion; do
                COMPREPLY+=("${completion}")
            done < <(IFS=$'\\n' compgen "${@}" -- "${cur}")
            return
        fi
        # Not compgen: it expands the words, which may be an upstream's. They are quoted here, because bash leaves some
        # dollar signs of a chosen file name as they are.
        compopt +o filenames 2> /dev/null
        while IFS='' read -r completion; do
            printf -v quoted %q "${completion}"
            if [[ -n "${completion}" && ("${completion}" = "${cur}"* || "${quoted}" = "${cur}"*) ]]; then
                COMPREPLY+=("${quoted}")
            fi
        done <<< "${2}"

    """
}

enum ZshCompletion {
  /// In a candidate, zsh treats text after a colon as an explanation. The changed script escapes colons, which stream
  /// names contain.
  static func script(_ generated: String) -> String {
    generated.replacing(reading, with: reading + escaping)
  }

  /// A test checks that the generated script contains this text.
  private static let reading = """
        completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")

    """

  private static let escaping = #"""
        completions=("${(@)completions//\\/\\\\}")
        completions=("${(@)completions//:/\\:}")

    """#
}
