/// The templates and the stylesheet of the pages, which are built into the program.
package enum EmbeddedWeb {
  /// The texts of all files by their paths below `web/`, e.g. `shared/layout.mustache`.
  package static var texts: [String: String] { files }
}
