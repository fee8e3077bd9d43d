import LibPQ
import SyncTestKit
import Testing

extension LibPQTests {
  @Suite struct StatementTests {
    @Test func valuesOfEveryTypeArriveAndReturn() async throws {
      let (_, connection) = try await connectToNewDatabase()
      try await connection.withConnection { connection in
        let result = try connection.query(
          "SELECT $1::text, $2, $3, $4, $5, $6->>'a', $7::text, pg_typeof($2)::text",
          [
            .text("日本"), .int(.min), .bool(true), .double(0.1), .bytes([0, 255, 92]), .jsonb(Array(#"{"a":"é"}"#.utf8)),
            .null,
          ])
        #expect(try result.text(row: 0, column: 0) == "日本")
        #expect(try result.int(row: 0, column: 1) == .min)
        #expect(try result.bool(row: 0, column: 2) == true)
        #expect(try result.double(row: 0, column: 3) == 0.1)
        #expect(try result.bytea(row: 0, column: 4) == [0, 255, 92])
        #expect(try result.text(row: 0, column: 5) == "é")
        #expect(try result.text(row: 0, column: 6) == nil)
        #expect(try result.text(row: 0, column: 7) == "bigint")
        #expect(result.bytes(row: 0, column: 2) == [UInt8(ascii: "t")])
        #expect(result.rowCount == 1 && result.columnCount == 8)
        #expect(result.columnNames.first == "text")
      }
    }

    @Test("a streamed query gives each row by itself, the columns even without rows, and errors after rows")
    func stream() async throws {
      let (_, connection) = try await connectToNewDatabase()
      try await connection.withConnection { connection in
        var rows: [[String?]] = []
        var sizes: [Int] = []
        try connection.stream("SELECT n, nullif(n, 2) AS m FROM generate_series(1, $1) n", [.int(3)]) { result in
          #expect(result.columnNames == ["n", "m"])
          sizes.append(result.rowCount)
          rows += try result.map { [try $0.text(0), try $0.text(1)] }
        }
        #expect(rows == [["1", "1"], ["2", nil], ["3", "3"]] && sizes == [1, 1, 1, 0])

        var count = 0
        let error = #expect(throws: PostgresError.self) {
          try connection.stream("SELECT 1 / (3 - n) FROM generate_series(1, 5) n") { count += $0.rowCount }
        }
        #expect(error?.sqlState == .init("22012") && count == 2)
        var calls = 0
        #expect(throws: CancellationError.self) {
          try connection.stream("SELECT generate_series(1, 5)") { _ in
            calls += 1
            if calls == 1 { throw CancellationError() }
          }
        }
        #expect(calls == 1)
        #expect(try connection.query("SELECT 7").int(row: 0, column: 0) == 7)
      }
    }

    @Test func arraysKeepEmptinessAndNulls() async throws {
      let (_, connection) = try await connectToNewDatabase()
      try await connection.withConnection { connection in
        let rows = try connection.query(
          """
          SELECT a, b, c, d::jsonb->>'k', e FROM unnest($1, $2, $3, $4, $5) AS u (a, b, c, d, e)
          """,
          [
            .ints([1, -2, .max]), .texts(["", nil, "a,\"{}\\NULL"]), .byteas([[], nil, [0, 1]]),
            .jsons([Array(#"{"k":"v"}"#.utf8), nil, Array("{}".utf8)]), .optionalInts([nil, 7, nil]),
          ]
        ).map { row in
          let parts: [String?] = [
            try row.int(0).map { String($0) }, try row.text(1), try row.bytea(2).map { "\($0)" }, try row.text(3),
            try row.int(4).map { String($0) },
          ]
          return parts
        }
        #expect(
          rows == [
            ["1", "", "[]", "v", nil], ["-2", nil, nil, nil, "7"],
            [String(Int64.max), "a,\"{}\\NULL", "[0, 1]", nil, nil],
          ])
        let empty = try connection.query(
          "SELECT $1 = '{}', $2 = '{}', $3 = '{}', $4 = '{}', cardinality($1)",
          [.ints([]), .texts([]), .byteas([]), .jsons([])])
        for column in 0..<4 { #expect(try empty.bool(row: 0, column: column) == true) }
        #expect(try empty.int(row: 0, column: 4) == 0)
      }
    }

    @Test(arguments: [UInt64](0..<8)) func parametersRoundTrip(number: UInt64) async throws {
      let seed = testSeed &+ number
      let (_, connection) = try await connectToNewDatabase()
      var generator = SeededGenerator(seed: seed)
      var texts: [String?] = []
      var byteas: [[UInt8]?] = []
      var ints: [Int64?] = []
      for _ in 0..<200 * testFactor {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
          let limit: UInt32 = [0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &generator) ?? 0x80
          if let scalar = Unicode.Scalar(UInt32.random(in: 1..<limit, using: &generator)) { scalars.append(scalar) }
        }
        texts.append(Int.random(in: 0..<10, using: &generator) == 0 ? nil : String(scalars))
        let count = Int.random(in: 0...20, using: &generator)
        byteas.append((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        ints.append(
          Int.random(in: 0..<10, using: &generator) == 0 ? nil : .random(in: .min ... .max, using: &generator))
      }
      let (sentTexts, sentByteas, sentInts) = (texts, byteas, ints)
      try await connection.withConnection { connection in
        let result = try connection.query(
          "SELECT t, b, i FROM unnest($1, $2, $3) WITH ORDINALITY AS u (t, b, i, n) ORDER BY n",
          [.texts(sentTexts), .byteas(sentByteas), .optionalInts(sentInts)])
        try #require(result.rowCount == sentTexts.count)
        for row in 0..<result.rowCount {
          let text = try result.text(row: row, column: 0)
          #expect(text.map { Array($0.utf8) } == sentTexts[row].map { Array($0.utf8) })
          #expect(try result.bytea(row: row, column: 1) == sentByteas[row])
          #expect(try result.int(row: row, column: 2) == sentInts[row])
        }
        for case let text? in sentTexts.prefix(100) {
          let single = try connection.query("SELECT $1::text, $2", [.text(text), .bytes(Array(text.utf8))])
          #expect(single.bytes(row: 0, column: 0) == Array(text.utf8))
          #expect(try single.bytea(row: 0, column: 1) == Array(text.utf8))
        }
      }
      tellTorture("\(3 * texts.count) values of seed \(seed) to PostgreSQL and back")
    }

    @Test func equalLookingTextsStayTwoRows() async throws {
      let (_, connection) = try await connectToNewDatabase()
      let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
      #expect(composed == decomposed, "Swift compares by meaning; the database by bytes")
      try await connection.withConnection { connection in
        try connection.script("CREATE TABLE word (word text PRIMARY KEY)")
        let inserted = try connection.query("INSERT INTO word SELECT unnest($1)", [.texts([composed, decomposed])])
          .affectedRows
        #expect(inserted == 2)
        let words = try connection.query("SELECT word FROM word ORDER BY octet_length(word)").map {
          try $0.text(0).map { Array($0.utf8) }
        }
        #expect(words == [Array(composed.utf8), Array(decomposed.utf8)])
      }
    }

    @Test func nulIsRefusedBeforeItCutsText() async throws {
      let (_, connection) = try await connectToNewDatabase()
      for parameter in [PGParameter.text("x\0y"), .texts([nil, "x\0y"])] {
        let error = try await postgresError {
          try await connection.withConnection { _ = try $0.query("SELECT $1::text[]::text", [parameter]) }
        }
        #expect(error.code == .nulInText && error.isSafeToRetry)
      }
      try await postgresError(.nulInText) {
        try await connection.withConnection { _ = try $0.escapedIdentifier("x\0y") }
      }
      try await postgresError(.nulInText) {
        try await connection.withConnection { _ = try $0.query("SELECT 1 -- \0 DROP") }
      }
      #expect(await connection.isUsable)
    }

    @Test func tooManyParametersAreRefused() async throws {
      let (_, connection) = try await connectToNewDatabase()
      let error = try await postgresError {
        try await connection.withConnection { _ = try $0.query("SELECT 1", Array(repeating: .int(1), count: 65_536)) }
      }
      #expect(error.code == .tooManyParameters && error.isSafeToRetry)
      #expect(await connection.isUsable)
    }

    @Test func serverErrorsCarryTheirFields() async throws {
      let (_, connection) = try await connectToNewDatabase()
      try await connection.withConnection { try $0.script("CREATE TABLE t (id int CONSTRAINT only_once PRIMARY KEY)") }
      let error = try await postgresError {
        try await connection.withConnection { _ = try $0.query("INSERT INTO t VALUES (4711), (4711)") }
      }
      #expect(error.code == .server && error.sqlState == .uniqueViolation && error.sqlState?.classCode == "23")
      #expect(error.message.contains("only_once") && error.server?.detail?.contains("4711") == true)
      #expect(error.isSafeToRetry && !error.isConnectionLost)
      #expect(!"\(error)".contains("4711"))
      let syntax = try await postgresError { try await connection.withConnection { _ = try $0.query("SELEC 1") } }
      #expect(syntax.sqlState == SQLState("42601") && syntax.server?.position == 1)
    }

    @Test func wrongReadsAreErrorsNotCrashes() async throws {
      let (_, connection) = try await connectToNewDatabase()
      try await postgresError(.invalidValue) {
        try await connection.withConnection { _ = try $0.query("SELECT 'x'").int(row: 0, column: 0) }
      }
      try await connection.withConnection {
        let result = try $0.query("SELECT 'NaN'::float8, '-Infinity'::float8, ''")
        #expect(try result.double(row: 0, column: 0)?.isNaN == true)
        #expect(try result.double(row: 0, column: 1) == -.infinity)
        #expect(try result.text(row: 0, column: 2) == "")
        let empty = try $0.query("")
        #expect(empty.rowCount == 0)
      }
    }

    @Test func copyGivesTheConnectionUp() async throws {
      let (_, connection) = try await connectToNewDatabase()
      try await postgresError(.usage) {
        try await connection.withConnection { _ = try $0.query("COPY (SELECT 1) TO STDOUT") }
      }
      #expect(await !connection.isUsable)
    }

    @Test func namesAreQuoted() async throws {
      let (_, connection) = try await connectToNewDatabase()
      try await connection.withConnection {
        let quoted = try $0.escapedIdentifier("a\"b")
        #expect(quoted == "\"a\"\"b\"")
        #expect($0.serverVersion >= 130_000)
        #expect($0.backendPID > 0)
        #expect($0.parameterStatus("server_encoding") == "UTF8")
      }
    }
  }
}
