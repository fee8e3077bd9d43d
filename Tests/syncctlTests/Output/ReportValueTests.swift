import PostgresTestKit
import SyncPostgres
import SyncTestKit
import Testing

@testable import SyncProgram

/// An SQL value and its expected text in each format. `nil` stands for `text`, quoted if the format requires it.
private struct ReportValue: Sendable {
  let sql: String
  let text: String
  let json: String?
  let csv: String?
  let psql: String?

  init(_ sql: String, _ text: String, json: String? = nil, csv: String? = nil, psql: String? = nil) {
    self.sql = sql
    self.text = text
    self.json = json
    self.csv = csv
    self.psql = psql
  }

  static func number(_ sql: String, _ text: String) -> ReportValue { ReportValue(sql, text, json: text) }

  static func formula(_ sql: String, _ text: String) -> ReportValue { ReportValue(sql, text, csv: "'\(text)") }

  static let times: [ReportValue] = [
    ReportValue(
      "'2026-03-29 03:30:00.987654+02'::timestamptz", "2026-03-29T01:30:00.987654Z",
      psql: "2026-03-29 01:30:00.987654+00"),
    ReportValue("'2026-03-29 03:30:00.5Z'::timestamptz", "2026-03-29T03:30:00.5Z", psql: "2026-03-29 03:30:00.5+00"),
    ReportValue("'2026-03-29 03:30Z'::timestamptz", "2026-03-29T03:30:00Z", psql: "2026-03-29 03:30:00+00"),
    ReportValue("'0044-03-15 10:00Z BC'::timestamptz", "0044-03-15T10:00:00Z BC", psql: "0044-03-15 10:00:00+00 BC"),
    ReportValue("'12024-01-01 10:20:30Z'::timestamptz", "12024-01-01T10:20:30Z", psql: "12024-01-01 10:20:30+00"),
    ReportValue("'infinity'::timestamptz", "infinity"), ReportValue("'-infinity'::timestamptz", "-infinity"),
    ReportValue("NULL::timestamptz", "–", json: "null", csv: "", psql: ""),
    ReportValue("'2026-03-29 03:30:00.987'::timestamp", "2026-03-29T03:30:00.987", psql: "2026-03-29 03:30:00.987"),
    ReportValue("'0044-03-15 10:00:00.5 BC'::timestamp", "0044-03-15T10:00:00.5 BC", psql: "0044-03-15 10:00:00.5 BC"),
    ReportValue("'12024-01-01 10:20:30'::timestamp", "12024-01-01T10:20:30", psql: "12024-01-01 10:20:30"),
    ReportValue("'infinity'::timestamp", "infinity"), ReportValue("'-infinity'::timestamp", "-infinity"),
    ReportValue("'2026-03-29'::date", "2026-03-29"), ReportValue("'0044-03-15 BC'::date", "0044-03-15 BC"),
    ReportValue("'12024-01-01'::date", "12024-01-01"), ReportValue("'-infinity'::date", "-infinity"),
    ReportValue("'03:30:00.5'::time", "03:30:00.5"), ReportValue("'03:30+02'::timetz", "03:30:00+02"),
    ReportValue("'-1 days'::interval", "-1 days"), ReportValue("'-1 days'::public.span", "-1 days"),
    ReportValue("'-1 year 3 days -04:05:06.7'::interval", "-1 years +3 days -04:05:06.7"),
    ReportValue(
      "ARRAY['2026-03-29 03:30:00.5Z', 'infinity']::timestamptz[]", #"{"2026-03-29 03:30:00.5+00",infinity}"#),
    ReportValue("ARRAY['2026-03-29 03:30']::timestamp[]", #"{"2026-03-29 03:30:00"}"#),
    ReportValue("ARRAY['-1 days']::interval[]", #"{"-1 days"}"#),
    ReportValue("'[2026-03-29 03:30Z,)'::tstzrange", #"["2026-03-29 03:30:00+00",)"#),
    ReportValue("'[2026-03-29 03:30,infinity)'::tsrange", #"["2026-03-29 03:30:00",infinity)"#),
    ReportValue("'{[2026-01-01,2026-01-03)}'::datemultirange", "{[2026-01-01,2026-01-03)}"),
  ]

  static let numbers: [ReportValue] = [
    .number("(-1)::int2", "-1"),
    ReportValue(
      "9223372036854775807::int8", "9,223,372,036,854,775,807", json: "9223372036854775807",
      csv: "9223372036854775807", psql: "9223372036854775807"),
    .number("-1.50::numeric", "-1.50"), .number("1e20::float8", "1e+20"), .number("-0.1::float4", "-0.1"),
    ReportValue("'NaN'::numeric", "NaN"), ReportValue("'Infinity'::numeric", "Infinity"),
    ReportValue("'-Infinity'::numeric", "-Infinity"), ReportValue("'NaN'::float8", "NaN"),
    ReportValue("'-Infinity'::float8", "-Infinity"), ReportValue("'-1'::money", "-$1.00"),
    ReportValue("'-1234.5'::money", "-$1,234.50"), ReportValue("'[-5,3)'::int4range", "[-5,3)"),
    ReportValue("'-1 2'::int2vector", "-1 2"), ReportValue("'(-1,2)'::point", "(-1,2)"),
  ]

  static let others: [ReportValue] = [
    ReportValue("true", "yes", json: "true", csv: "true", psql: "t"), ReportValue(#"'\xdead'::bytea"#, #"\xdead"#),
    ReportValue("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ReportValue("'::1'::inet", "::1"), ReportValue("'10.0.0.0/8'::cidr", "10.0.0.0/8"),
    .number("'-1'::jsonb", "-1"), .number(#"'{"a": -1}'::json"#, #"{"a": -1}"#), .number(#"'"=1"'::json"#, #""=1""#),
    ReportValue("ARRAY['=1', 'a b']", #"{=1,"a b"}"#), ReportValue("ROW('=1', false)", "(=1,f)"),
  ]

  static let formulas: [ReportValue] = [
    .formula("'=1+1'::text", "=1+1"), .formula("'+1'::varchar", "+1"), .formula("'@x'::name", "@x"),
    .formula(#"'-'::"char""#, "-"), .formula("'=1'", "=1"), .formula("'-sad'::public.mood", "-sad"),
    .formula("'=1'::public.line", "=1"), .formula("'-1 days'::interval::text", "-1 days"),
    .formula("'-infinity'::timestamptz::text", "-infinity"),
    ReportValue("'-x'::char(4)", "-x", json: #""-x  ""#, csv: "'-x  ", psql: "-x  "),
    ReportValue(#"E'\t=1'"#, #"\u{9}=1"#, json: #""\t=1""#, csv: "'\t=1", psql: "\t=1"),
    ReportValue(#"E'\rx'"#, #"\u{D}x"#, json: #""\rx""#, csv: "\"'\rx\"", psql: "\rx"),
  ]

  static let all = times + numbers + others + formulas
}

@Suite(.timeLimit(.minutes(5)))
struct ReportValueTests {
  private static func text(_ listing: Listing, _ format: OutputFormat) -> String {
    listing.text(as: format, RenderingOptions(hasHeader: false))
  }

  private static func quoted(_ text: String) -> String {
    text.contains { "\",".contains($0) } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }

  private static func read(_ values: [ReportValue]) async throws -> (rows: RowSet, psql: [String]) {
    let server = try await ThrowawayPostgres.shared()
    let test = try await server.makeProductDatabase()
    try await server.sql(
      """
      CREATE TYPE public.mood AS ENUM ('-sad');
      CREATE DOMAIN public.span AS interval;
      CREATE DOMAIN public.line AS text;
      """, database: test.name)
    let psql = try await server.psql(
      "SET timezone = 'UTC';\n" + values.map { "SELECT \($0.sql);\n" }.joined(), database: test.name)
    let columns = values.enumerated().map { "\($1.sql) AS v\($0)" }
    let report = try Report(name: "mine.sql", file: "SELECT " + columns.joined(separator: ",\n"))
    let rows = try await Database.with(test.productSettings, applicationName: "test") { database in
      try await Reports.run(report, in: database)
    }
    try await server.drop(test)
    let lines = psql.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return (rows, lines.map { String($0) })
  }

  @Test("a report prints values of every type as psql does, and times in ISO 8601; only texts are guarded in CSV")
  func values() async throws {
    let values = ReportValue.all
    let (rows, psql) = try await Self.read(values)
    try #require(rows.columns.count == values.count && rows.rows.count == 1 && psql.count == values.count)
    for (index, value) in values.enumerated() {
      let one = RowSet(columns: [.init(name: "v", type: rows.columns[index].type)], rows: [[rows.rows[0][index]]])
      let listing = Listing(one, emptyMessage: "", hasFractions: true)
      #expect(psql[index] == (value.psql ?? value.text), "\(value.sql)")
      #expect(Self.text(listing, .table) == value.text + "\n", "\(value.sql)")
      #expect(Self.text(listing, .csv) == (value.csv ?? Self.quoted(value.text)) + "\r\n", "\(value.sql)")
      let lines = Self.text(listing, .ndjson)
      if let json = value.json {
        #expect(lines == "{\"v\":\(json)}\n", "\(value.sql)")
      } else {
        #expect(try JSONValue(lines)["v"] == .string(value.text), "\(value.sql)")
      }
      #expect(Self.text(listing, .json) == "[\n  \(lines)]\n", "\(value.sql)")
      #expect(try JSONValue(Self.text(listing, .json)).array?.count == 1, "\(value.sql)")
    }
  }
}
