import Foundation
import SyncCore
import SyncProgram

/// Checks parameters before a request, because a failed request also counts toward the limit of twenty a minute.
enum ITunesRules {
  /// Returns the storefront in lowercase. Only its form is checked.
  static func country(_ text: String) throws(SyncError) -> String {
    let country = text.lowercased()
    guard country.utf8.count == 2, country.utf8.allSatisfy(\.isLetter) else {
      throw SyncError(
        .usage, "country: \(quoted(text)) is not a storefront",
        hint: "a storefront is a two-letter ISO 3166 code, e.g. us, tw, jp, gb")
    }
    return country
  }

  /// Returns the text if it is one of the known values. Otherwise, throws an error that suggests the nearest value.
  static func word(
    _ text: String, _ parameter: String, of values: [String], in place: String = ""
  ) throws(SyncError) -> String {
    if values.contains(text) { return text }
    let near = values.first { $0.lowercased() == text.lowercased() } ?? Suggestion.nearest(to: text, among: values)
    let hint = near.map { "did you mean \($0)? " } ?? ""
    let all = values.isEmpty ? "no value is known" : "known: \(values.joined(separator: ", "))"
    throw SyncError(.usage, "\(parameter): \(quoted(text)) is not known\(place)", hint: hint + all)
  }

  static func number(_ number: Int, _ parameter: String, in range: ClosedRange<Int>) throws(SyncError) -> Int {
    guard range.contains(number) else {
      throw SyncError(
        .usage, "\(parameter): \(number) is out of range",
        hint: "it is \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Checks only the form that the documentation shows, because the service does not list the valid languages.
  static func language(_ text: String) throws(SyncError) -> String {
    let letters = Array(text.utf8)
    guard letters.count == 5, letters[2] == UInt8(ascii: "_"), (letters[..<2] + letters[3...]).allSatisfy(\.isLetter)
    else {
      throw SyncError(.usage, "lang: \(quoted(text)) is not a language", hint: "write it as en_us, ja_jp or zh_tw")
    }
    return text.lowercased()
  }

  /// Returns the term in one spelling, so that equal searches have equal names.
  static func term(_ text: String) throws(SyncError) -> String {
    let term = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    guard !term.isEmpty else {
      throw SyncError(.usage, "term: nothing to search for", hint: "give some words, e.g. \"jack johnson\"")
    }
    guard term.unicodeScalars.count <= Limits.termScalars else {
      throw SyncError(.usage, "term: longer than \(Limits.termScalars) characters", hint: "search for fewer words")
    }
    guard !term.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw SyncError(.usage, "term: \(quoted(term)) has a control character", hint: "remove it")
    }
    return term
  }

  static func name(_ text: String) throws(SyncError) -> String {
    guard (1...Limits.configuredNameBytes).contains(text.utf8.count), text.utf8.allSatisfy(\.isPlain) else {
      throw SyncError(
        .usage, "name: \(quoted(text)) is not a valid name",
        hint: "names have 1 to \(Limits.configuredNameBytes) letters a to z, digits, hyphens, dots and underscores")
    }
    return text
  }

  static func quoted(_ text: String) -> String { "\"\(Excerpt.of(text, scalars: 40))\"" }
}
