/// The completion script for bash.
enum BashCompletion {
  /// The parser's script, changed in two ways: a colon does not end a word, because names of streams contain colons,
  /// and the words that it offers are not expanded.
  static func script(_ generated: String) -> String {
    generated.replacing(expandingWords, with: quotingWords) + "\nCOMP_WORDBREAKS=${COMP_WORDBREAKS//:/}"
  }

  /// How the parser's script adds words. A test fails when it adds them otherwise.
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
