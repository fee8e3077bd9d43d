import Foundation
import JSONScan
import LibPQ
import PostgresTestKit
import SyncCore
import SyncProgram
import Testing

@testable import RestSource
@testable import SyncPostgres

@Suite("The types of declared columns", .timeLimit(.minutes(5)))
struct ColumnTypeTests {
  struct Case {
    let type: ColumnType
    /// Canonical JSON.
    let json: String
    let fits: Bool
  }

  /// For each type, values that fit and others that do not.
  private static let values: [(base: ColumnType.Base, fitting: [String], others: [String])] = [
    (.jsonb, ["1", "-0.5e-7", #""a""#, #""""#, "true", "[]", "{}", #"{"a":[null,{"b":1}]}"#], []),
    (
      .text,
      ["0", "-0.5", "1e2", "1e400", "true", "false"] + texts("a", "", " ", "null", "é 進撃", #"\"\\\n"#),
      ["[]", "{}", #"["a"]"#, #"{"a":"a"}"#]
    ),
    (
      .boolean, ["true", "false", #""true""#, #""false""#],
      ["0", "1"] + texts("True", "TRUE", "t", "f", "yes", "on", "1", " true", "true ", "null") + noText
    ),
    (
      .numeric,
      [
        "0", "-0", "7", "-7", "1.0", "1.50", "1e2", "1E+2", "1e-2", "-1.5e-10", "1e400", "1e131071", "1e-16383",
        "123456789012345678901234567890.123456789",
      ]
        + texts(
          "0", "-0", "1.50", " 7", "7 ", "  -7  ", "1e2", "1E+2", "1e-2", "-0.0", "1e999", "1e-999", "0e999", long,
          "-\(long).\(long)"),
      texts(
        "+1", "01", "-01", ".5", "5.", "1,5", "1e", "1e1000", "1.e5", "0x10", "NaN", "Infinity", "1 2", "- 1", "--1",
        "１", "1\\t", "\\n1", "1\u{A0}", "1\u{301}", "\(long)1", "0.\(long)1", "null", "one") + noNumber
    ),
    (
      .integer,
      [
        "0", "-0", "7", "999999999", "2147483647", "-2147483648", "2147483647.0", "1e2", "1.5e1", "20e-1", "0.000",
        "2.147483647e9", "0e5", "1000000000000000000000e-20",
      ] + texts("2147483647", " -5 ", "1.0", "1e2", "0e999", "0.0e-999", "1\(zeros(99))e-99"),
      [
        "2147483648", "-2147483649", "2147483647.5", "0.5", "-0.0000001", "15e-1", "1e10", "1e400", "1e-200",
        "2147483647.\(zeros(50))1", "1.\(zeros(60))1",
      ] + texts("2147483648", "0.5", "1e-200", "1.\(zeros(60))1", "1e999", "one") + noNumber
    ),
    (
      .bigint,
      [
        "9007199254740993", "9223372036854775807", "-9223372036854775808", "9223372036854775807.0", "1e18",
        "9.223372036854775807e18", "9223372036854775807000e-3",
      ] + texts("9223372036854775807", "-9223372036854775808.00", "9.0e0"),
      [
        "9223372036854775808", "-9223372036854775809", "9223372036854775807.5", "1e19", "-1e400", "1e-400", "1.5",
        "9223372036854775806.\(zeros(40))1", "-9223372036854775808.\(zeros(40))1",
      ] + texts("9223372036854775808", "9223372036854775807.1", "1e19", "1e-999") + noNumber
    ),
    (
      .double,
      [
        "0", "-0.0", "1.5", "0.1", "1e308", "-1e308", "1e-307", "-5e-307", "0e-400", "1\(zeros(308))",
        "123456789012345678901234567890", "9.999999999999999999999999e307",
      ] + texts("1e308", "1e-307", "0e999", "1.5", " -2.5e3 "),
      [
        "2e308", "1.1e308", "1.\(zeros(30))1e308", "-1e309", "1e400", "9e-308", "9.99999999999999999999999e-308",
        "1e-400", "-1e-16383",
      ] + texts("1e309", "2e308", "1e-308", "1e-999", "inf", "nan") + noNumber
    ),
    (
      .date,
      texts(
        "2024-02-29", "2000-02-29", "1999-12-31", "0001-01-01", "9999-12-31", "2024-01-31T10:00:00Z",
        "2024-01-31 10:00", "2024-01-31T", "2024-01-31 ", "2024-01-31T99:99 nonsense", "2024-01-31T\u{301}"),
      texts(
        "2023-02-29", "1900-02-29", "2024-02-30", "2024-04-31", "2024-06-31", "2024-00-10", "2024-13-01", "2024-01-00",
        "2024-01-32", "0000-01-01", "24-01-01", "2024-1-1", "20240101", "2024-01-01Z", "2024-01-01x", "2024/01/01",
        " 2024-01-01", "+2024-01-01", "-2024-01-01", "12024-01-01", "２０２４-01-01", "2024-01-01\u{301}",
        "2024-01-01\\n", "2024-01", "today", "infinity", "") + ["20240101"] + noText
    ),
    (
      .timestamptz,
      texts(
        "2024-02-29", "2024-02-29T00:00", "2024-02-29T23:59:59", "2024-02-29 23:59:59", "2024-02-29T23:59:59Z",
        "2024-02-29T23:59Z", "2024-02-29 10:00+05:30", "2024-02-29T10:00-05", "2024-02-29T10:00:00.5",
        "2024-02-29T10:00:00.5Z", "2024-02-29T10:00:00.123456789Z", "2024-02-29T10:00:00.5-0530",
        "2024-02-29T10:00:00+14", "2024-02-29T10:00:00+14:59", "2024-02-29T10:00:00-14:59",
        "2024-02-29T10:00:00-00:00", "0001-01-01T00:00:00+14:59", "9999-12-31T23:59:59.999999999Z",
        "9999-12-31T23:59:59-14:59"),
      texts(
        "2024-02-29T24:00", "2024-02-29T23:60", "2024-02-29T23:59:60", "2024-02-29T1:00", "2024-02-29T10",
        "2024-02-29T10:00:00.", "2024-02-29T10:00:00.1234567890", "2024-02-29T10:00:00,5", "2024-02-29T10:00.5Z",
        "2024-02-29T10:00:00+15:00", "2024-02-29T10:00:00+5", "2024-02-29T10:00:00+05:60", "2024-02-29T10:00:00+05:3",
        "2024-02-29T10:00:00z", "2024-02-29T10:00:00 Z", "2024-02-29T10:00:00UTC", "2024-02-29T10:00:00Z ",
        "2024-02-29T10:00:00Z\\n", "2024-02-29t10:00:00Z", "2024-02-29  10:00", "2024-02-29Z", "2024-02-29+05:00",
        "2024-02-29T", "2024-02-29T+05:00", "2023-02-29T00:00:00Z", "2024-04-31T00:00", "0000-01-01T00:00:00Z",
        "2024-02-29T\u{301}10:00", "10:00:00Z", "now", "") + ["1709164800", "1709164800.5"] + noText
    ),
    (
      .uuid,
      texts(
        "00000000-0000-0000-0000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "A0eebc99-9c0b-4ef8-bb6d-6bB9Bd380a11"),
      texts(
        "a0eebc999c0b4ef8bb6d6bb9bd380a11", "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}", "a0eebc99-9c0b-4ef8-bb6d",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a111",
        "g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 ", "a0eebc99-9c0b4ef8-bb6d-6bb9bd380a11-", "") + ["1"] + noText
    ),
  ]

  /// Values of the declared formats.
  private static let formats: [(type: ColumnType, fitting: [String], others: [String])] = [
    (
      ColumnType(.boolean, format: .number),
      ["true", "false", "0", "1", "-0", "1.0", "10e-1", "0e5"] + texts("true", "false", "0", "1", " 1 ", "1.0"),
      ["2", "-1", "0.5", "1e-20", "1.\(zeros(60))1"] + texts("yes", "on", "2", "") + ["[]", "{}"]
    ),
    (
      ColumnType(.timestamptz, format: .epoch),
      [
        "0", "1709164800", "1709164800.25", "-62135596800", "253402300799", "-62135596799.5", "253402300798.999",
        "1.7e9",
      ] + texts("1709164800", " 0 ", "1.5"),
      [
        "-62135596801", "253402300800", "253402300799.5", "-62135596800.5", "-62135596800.\(zeros(60))1", "1e20",
        "1e400",
        "true", "[]", "{}",
      ] + texts("2024-02-29", "now", "")
    ),
    (
      ColumnType(.date, format: .epoch), ["0", "-1", "1709164800", "253402300799"],
      ["253402300800", #""2024-02-29""#, "[]"]
    ),
    (
      ColumnType(.timestamptz, format: .epochMilliseconds),
      ["0", "1709164800123", "-62135596800000", "253402300799000", "253402300798999.9"],
      ["-62135596800001", "253402300799001", "253402300799000.5", "1e20", #""2024-02-29""#]
    ),
    (
      ColumnType(.date, format: .epochMilliseconds), ["0", "1709164800123"],
      ["253402300799001", #""2024-02-29""#, "false"]
    ),
  ]

  private static let long = String(repeating: "9", count: 100)
  private static let noNumber = ["true", "[]", "[1]", "{}", #"{"a":1}"#, #""""#, #"" ""#]
  private static let noText = ["1.5", "[]", #"["a"]"#, "{}", #""x""#]

  private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
  private static func texts(_ contents: String...) -> [String] { contents.map { "\"\($0)\"" } }

  /// The values themselves, and arrays of them.
  private static let cases: [Case] =
    values.flatMap { base, fitting, others in
      let whole = "[\(fitting.joined(separator: ","))]"
      let wrong = others.flatMap { ["[\($0)]", "[\(fitting[0]),null,\($0)]"] } + (base == .jsonb ? [] : ["[[]]"])
      let scalars = ["1", #""a""#, #""[]""#, "true", "{}", #"{"0":1}"#]
      let (type, array) = (ColumnType(base), ColumnType(base, isArray: true))
      return cases(type, fitting, others)
        + cases(array, ["[]", "[null]", "[null,\(fitting[0]),null]", whole], wrong + scalars)
    } + formats.flatMap { cases($0.type, $0.fitting, $0.others) }

  private static func cases(_ type: ColumnType, _ fitting: [String], _ others: [String]) -> [Case] {
    fitting.map { Case(type: type, json: $0, fits: true) } + others.map { Case(type: type, json: $0, fits: false) }
  }

  private static let types =
    ColumnType.Base.allCases.flatMap { [ColumnType($0), ColumnType($0, isArray: true)] }
    + formats.map(\.type)

  /// Returns the columns' texts; `nil` for a null column.
  private static func columns(_ cases: [(type: ColumnType, json: String)], in database: Database) async throws
    -> [String?]
  {
    let choices = types.map { "WHEN '\($0.description)' THEN \($0.function)(json::jsonb)::text" }.joined(separator: " ")
    let query = """
      SELECT CASE type \(choices) END FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS i (type, json, place)
      ORDER BY place
      """
    return try await database.rows(
      SQL(trusted: query), [.texts(cases.map(\.type.description)), .texts(cases.map(\.json))]
    ).rows.map { $0[0] }
  }

  private static func withDatabase(_ body: (Database) async throws -> Void) async throws {
    let server = try await ThrowawayPostgres.shared()
    let made = try await server.makeProductDatabase()
    try await Database.with(made.settings, applicationName: "types", body)
    try await server.drop(made)
  }

  @Test("the program and the database agree which values fit a column")
  func agreement() async throws {
    let cases = Self.cases
    try #require(cases.count > 800 && Set(cases.map(\.type.description)).count == Self.types.count)
    for item in Set(cases.map { #"{"a":\#($0.json)}"# }) {
      let canonical = try JSONScan.document(Array(item.utf8)).canonical
      #expect(String(decoding: canonical, as: UTF8.self) == item, "not canonical")
    }
    try await Self.withDatabase { database in
      let columns = try await Self.columns(cases.map { ($0.type, $0.json) }, in: database)
      try #require(columns.count == cases.count)
      for (one, column) in zip(cases, columns) {
        let fits = one.type.fits(Array(one.json.utf8)[...])
        if fits != one.fits || (column != nil) != one.fits {
          Issue.record("\(one.type.name) \(one.json): the program says \(fits), and the column is \(column ?? "null")")
        }
      }
    }
  }

  @Test("columns have the value that the service meant")
  func values() async throws {
    let expected: [(ColumnType, String, String?)] = [
      (ColumnType(.text), "1e2", "100"), (ColumnType(.text), "true", "true"), (ColumnType(.text), #""""#, ""),
      (ColumnType(.text), "null", nil), (ColumnType(.jsonb), "null", nil), (ColumnType(.jsonb), #""a""#, #""a""#),
      (ColumnType(.boolean), #""false""#, "false"), (ColumnType(.integer), "1.5e1", "15"),
      (ColumnType(.integer), #"" -7 ""#, "-7"), (ColumnType(.bigint), "9007199254740993.0", "9007199254740993"),
      (ColumnType(.numeric), "1.50", "1.50"), (ColumnType(.numeric), #""0.10""#, "0.10"),
      (ColumnType(.double), "0.1", "0.1"), (ColumnType(.double), #""1e308""#, "1e+308"),
      (ColumnType(.date), #""2024-02-29T23:00:00-05:00""#, "2024-02-29"),
      (ColumnType(.timestamptz), #""2024-02-29""#, "2024-02-29 00:00:00+00"),
      (ColumnType(.timestamptz), #""2024-02-29 10:30""#, "2024-02-29 10:30:00+00"),
      (ColumnType(.timestamptz), #""2024-02-29T10:00:00.25+0530""#, "2024-02-29 04:30:00.25+00"),
      (ColumnType(.timestamptz), #""2024-03-01T01:00-05""#, "2024-03-01 06:00:00+00"),
      (ColumnType(.timestamptz), #""2024-12-31T23:59:59.9999999Z""#, "2025-01-01 00:00:00+00"),
      (
        ColumnType(.uuid), #""A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11""#, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
      ),
      (ColumnType(.boolean, format: .number), "1", "true"), (ColumnType(.boolean, format: .number), #""0""#, "false"),
      (ColumnType(.timestamptz, format: .epoch), "1709164800.25", "2024-02-29 00:00:00.25+00"),
      (ColumnType(.timestamptz, format: .epoch), "-62135596800", "0001-01-01 00:00:00+00"),
      (ColumnType(.timestamptz, format: .epochMilliseconds), "1709164800123", "2024-02-29 00:00:00.123+00"),
      (ColumnType(.date, format: .epoch), "1709164799", "2024-02-28"),
      (ColumnType(.date, format: .epochMilliseconds), "-1", "1969-12-31"),
      (ColumnType(.text, isArray: true), #"["b",null,1,"a"]"#, "{b,NULL,1,a}"),
      (ColumnType(.integer, isArray: true), "[]", "{}"),
      (ColumnType(.integer, isArray: true), "[3,1e1,null]", "{3,10,NULL}"),
      (ColumnType(.jsonb, isArray: true), "[[1],null]", "{[1],NULL}"), (ColumnType(.date, isArray: true), "null", nil),
    ]
    try await Self.withDatabase { database in
      let columns = try await Self.columns(expected.map { ($0.0, $0.1) }, in: database)
      for (one, column) in zip(expected, columns) { #expect(column == one.2, "\(one.0.name) \(one.1)") }
    }
  }

  /// PostgreSQL never computes a generated column again, so its functions must not depend on the session.
  @Test("the settings of a session do not change a column")
  func settings() async throws {
    let times = Self.values.filter { [.date, .timestamptz, .double].contains($0.base) }.flatMap(\.fitting)
    try await Self.withDatabase { database in
      try await database.write { connection in
        try connection.script(
          """
          SET LOCAL timezone = 'America/New_York';
          SET LOCAL datestyle = 'SQL, DMY';
          SET LOCAL extra_float_digits = -15;
          CREATE TABLE public.one (
            raw jsonb, at timestamptz GENERATED ALWAYS AS (sync.as_timestamptz(raw)) STORED,
            day date GENERATED ALWAYS AS (sync.as_date(raw)) STORED,
            number double precision GENERATED ALWAYS AS (sync.as_double_precision(raw)) STORED,
            moment timestamptz GENERATED ALWAYS AS (sync.as_timestamptz_of_epoch(raw)) STORED,
            moment_day date GENERATED ALWAYS AS (sync.as_date_of_epoch(raw)) STORED,
            is_on boolean GENERATED ALWAYS AS (sync.as_boolean_of_number(raw)) STORED);
          """)
        _ = try connection.query("INSERT INTO public.one (raw) SELECT unnest($1::text[])::jsonb", [.texts(times)])
      }
      let changed = try await database.rows(
        """
        SELECT raw FROM public.one
        WHERE (at, day, number, moment, moment_day, is_on) IS DISTINCT FROM
          (sync.as_timestamptz(raw), sync.as_date(raw), sync.as_double_precision(raw),
           sync.as_timestamptz_of_epoch(raw), sync.as_date_of_epoch(raw), sync.as_boolean_of_number(raw))
        """)
      #expect(changed.rows == [])
      #expect(try await database.rows("SELECT count(at) > 15, count(day) > 25 FROM public.one").rows == [["t", "t"]])
    }
  }

  @Test("a member that does not fit its column is named by its path; one that is missing or null is not")
  func misfits() {
    let types = MemberTypes([
      .init(name: "id", path: ["id"], type: ColumnType(.bigint)),
      .init(name: "price", path: ["pricing", "amount"], type: ColumnType(.numeric)),
      .init(name: "currency", path: ["pricing", "currency"], type: ColumnType(.text)),
      .init(name: "tags", path: ["tags"], type: ColumnType(.text, isArray: true)),
    ])
    for (item, expected) in [
      (#"{"id":1,"pricing":{"amount":"1.50","currency":"EUR"},"tags":["a",null]}"#, []), ("{}", []),
      (#"{"id":null,"pricing":{"amount":null},"tags":null}"#, []),
      (
        #"{"id":1.5,"pricing":{"amount":"free","currency":{}},"tags":"a"}"#,
        ["id", "pricing.amount", "pricing.currency", "tags"]
      ),
      (#"{"pricing":[1],"tags":[["a"]]}"#, ["pricing", "tags"]),
    ] {
      #expect(types.findings(in: Array(item.utf8)).misfits.map(\.path) == expected, "\(item)")
    }
  }
}
