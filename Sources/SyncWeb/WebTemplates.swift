import EmbeddedWeb
import Mustache
import SyncCore

/// The parsed templates of all pages.
struct WebTemplates: Sendable {
  private let library: MustacheLibrary
  private let safe: @Sendable (String) -> String

  static let style = EmbeddedWeb.texts["style.css"] ?? ""
  static let icon = EmbeddedWeb.texts["shared/icon.svg"] ?? ""

  /// - Throws: `SyncError` `.configuration` if a template is missing or not valid.
  init(
    _ texts: [String: String] = EmbeddedWeb.texts, pages: [WebPage], safe: @escaping @Sendable (String) -> String
  ) throws(SyncError) {
    var library = MustacheLibrary()
    for (path, text) in texts where path.hasSuffix(".mustache") {
      do {
        try library.register(text, named: String(path.dropLast(".mustache".count)))
      } catch {
        throw SyncError(.configuration, "web/\(path) is not a valid template: \(error)", hint: "correct it")
      }
    }
    for name in ["shared/layout", "shared/error"] + pages.map(\.template) where library.getTemplate(named: name) == nil
    {
      throw SyncError(.configuration, "web/\(name).mustache is not in this program", hint: "build it again")
    }
    self.library = library
    self.safe = safe
  }

  /// Returns the HTML of a page: `shared/layout` around the template, which must be one of `init`.
  func page(_ template: String, _ values: [String: WebValue?]) -> String {
    var values = values
    values["template"] = .text(template)
    return library.render(WebValue.object(of: values).rendered(safe), withTemplate: "shared/layout") ?? ""
  }
}
