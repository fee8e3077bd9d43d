import SyncCore
import SyncProgram

struct LanguageChoice: Sendable, Equatable {
  let language: String
  let preferences: [String]
  var remark: String?

  /// Accepts the upstream's languages in any case and with `-` or `_`, and the spelling of locales (`zh_TW`, `ja-JP`).
  static func named(_ word: String, known: [String]) throws(SyncError) -> LanguageChoice {
    if let language = match(word, known: known) { return LanguageChoice(language, known) }
    guard !known.isEmpty else { return LanguageChoice(normalized(word), known) }
    throw SyncError(
      .usage, "there is no language \(Excerpt.of(word, scalars: 40))",
      hint: "known: \(known.joined(separator: ", "))")
  }

  static func ofLocale(known: [String], environment: (String) -> String?) -> LanguageChoice {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? "C"
    let tag = normalized(locale)
    if tag == "c" || tag == "posix" { return LanguageChoice("en", known) }
    if let language = match(locale, known: known) { return LanguageChoice(language, known) }
    var choice = LanguageChoice("en", known)
    if !known.isEmpty {
      choice.remark = "no names exist in the language of the locale \(Excerpt.of(locale, scalars: 40)); shown in en"
    }
    return choice
  }

  /// Returns English for languages that the upstream lacks.
  ///
  /// - Parameter header: The languages that a browser accepts, such as `zh-TW,zh;q=0.9`.
  static func accepted(_ header: String, known: [String]) -> LanguageChoice {
    let tags = header.split(separator: ",").compactMap { part -> (tag: String, weight: Double)? in
      let parts = part.split(separator: ";").map(\.trimmingBlanks)
      guard let tag = parts.first else { return nil }
      let weight = parts.first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      return weight > 0 ? (tag, weight) : nil
    }
    let found = tags.sorted { $0.weight > $1.weight }.lazy.compactMap { match($0.tag, known: known) }.first
    return LanguageChoice(found ?? "en", known)
  }

  private init(_ language: String, _ known: [String]) {
    self.language = language
    let family = known.filter { $0 != language && Self.primary($0) == Self.primary(language) }
    // Other scripts of the language come before its romanization (`-roma`).
    let ordered = family.filter { !$0.hasSuffix("-roma") } + family.filter { $0.hasSuffix("-roma") }
    preferences = [language] + ordered + (language == "en" ? [] : ["en"])
  }

  private static func match(_ word: String, known: [String]) -> String? {
    let tag = normalized(word)
    var candidates = [tag]
    let parts = tag.split(separator: "-").map(String.init)
    let rest = Set(parts.dropFirst())
    switch parts.first {
    case "zh": candidates.append(rest.isDisjoint(with: ["hant", "tw", "hk", "mo"]) ? "zh-hans" : "zh-hant")
    // Spanish of any country other than Spain means Latin American Spanish.
    case "es" where !rest.isEmpty && rest != ["es"]: candidates.append("es-419")
    default: break
    }
    candidates += parts.indices.reversed().map { parts[0...$0].joined(separator: "-") }
    if let found = candidates.first(where: { known.contains($0) }) { return found }
    return known.first { primary($0) == parts.first }
  }

  private static func normalized(_ word: String) -> String {
    String(word.prefix { $0 != "." && $0 != "@" }).lowercased().replacing("_", with: "-")
  }

  private static func primary(_ language: String) -> String { String(language.prefix { $0 != "-" }) }
}
