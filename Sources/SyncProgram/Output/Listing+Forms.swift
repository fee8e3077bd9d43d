extension Listing {
  typealias Change = @Sendable (Listing) -> Listing

  /// Returns a listing whose form in tables is changed.
  ///
  /// Changes are applied when the listing is printed, one after the other. `change` gets the listing with its layout.
  package func inTables(_ change: @escaping @Sendable (Listing) -> Listing) -> Listing { changed(change, in: .table) }

  /// Returns a listing whose form in CSV is changed. See `inTables`.
  package func inCSV(_ change: @escaping @Sendable (Listing) -> Listing) -> Listing { changed(change, in: .csv) }

  /// Returns a listing that tables show as a text without rows.
  ///
  /// - Parameter lines: Returns the lines for a width; `nil` means an unlimited width.
  package func asText(_ lines: @escaping @Sendable (_ width: Int?) -> [String]) -> Listing {
    inTables { _ in Listing(columns: [], emptyMessage: "").headed(by: lines) }
  }

  /// Returns a listing that shows lists of texts as `a, b` in tables and CSV. JSON contains arrays.
  package var joiningLists: Listing { inTables(\.withJoinedLists).inCSV(\.withJoinedLists) }

  /// Returns a listing whose tables show the column `unread` of a published list in words.
  package var sayingUnread: Listing {
    inTables { $0.mapping("unread") { $0 == .bool(true) ? .text(MoverPlot.unread) : .null } }
  }

  /// Returns the listing's form in a format. The form of a form is the form itself.
  ///
  /// With `--columns`, a table shows the form of CSV (`FormatOptions.shape`).
  func form(in format: OutputFormat) -> Listing {
    var plain = self
    plain.changes = [:]
    return (changes[format] ?? []).reduce(plain) { form, change in change(form).form(in: format) }
  }

  private func changed(_ change: @escaping Change, in format: OutputFormat) -> Listing {
    var listing = self
    listing.changes[format, default: []].append(change)
    return listing
  }
}
