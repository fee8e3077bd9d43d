import SyncCore
import Testing

@testable import RestSource

@Suite("Dates in parameters")
struct DateTemplateTests {
  /// 2026-03-01T13:05:09Z.
  private static let now: Int64 = 1_772_370_309

  @Test(
    "a date is computed from the beginning of the run",
    arguments: [
      ("{today}", nil, "2026-03-01"), ("{today - 1d}", nil, "2026-02-28"), ("{today+7d}", nil, "2026-03-08"),
      ("{now}", nil, "2026-03-01T13:05:09Z"), ("{ now - 36h }", nil, "2026-02-28T01:05:09Z"),
      ("{now - 90s}", nil, "2026-03-01T13:03:39Z"), ("{today - 24000d}", nil, "1960-06-15"),
      ("created:>={today - 7d} open", nil, "created:>=2026-02-22 open"),
      ("{today - 2d},{today}", "%Y%m%d", "20260227,20260301"), ("{today}", "epoch", "1772323200"),
      ("{now}", "epoch_ms", "1772370309000"), ("{now}", "%d/%m/%Y %H:%M:%S 100%%", "01/03/2026 13:05:09 100%"),
    ])
  func text(source: String, format: String?, expected: String) throws {
    #expect(try DateTemplate(source, format: format).text(at: Self.now) == expected)
  }

  @Test(
    "other words in braces and unknown formats are faults",
    arguments: [
      ("{yesterday}", nil), ("{today - 7}", nil), ("{today -}", nil), ("{today 7d}", nil), ("{now", nil), ("{}", nil),
      ("{Today}", nil), ("{now - 1x}", nil), ("{today}", "%B"), ("{today}", "iso"), ("{today}", "%"),
    ] as [(String, String?)])
  func faults(source: String, format: String?) {
    #expect(throws: DateTemplate.Fault.self) { try DateTemplate(source, format: format) }
  }

  @Test("a list with other dates is another list, but an incremental list stays the same one")
  func parameters() throws {
    func parameters(_ more: String, at now: Int64) throws -> String {
      let declaration = try DeclarationText.read(
        """
        client: { base_url: https://api.example.org, paginator: single_page }
        resources:
          - name: a
            primary_key: id
            endpoint: { params: { from: "{today}" } }
            \(more)
        """)
      return RestStream(declaration.resources[0].dated(at: now), of: declaration).description.parameters
    }
    let incremental = "incremental: { cursor_path: at, start_param: since }"
    for (more, isSame) in [("", false), (incremental, true)] {
      let first = try parameters(more, at: Self.now)
      #expect(try parameters(more, at: Self.now + 60) == first)
      #expect(try (parameters(more, at: Self.now + 86_400) == first) == isSame)
    }
  }
}
