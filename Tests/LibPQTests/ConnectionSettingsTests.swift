import LibPQ
import Testing

extension LibPQTests {
  @Suite struct ConnectionSettingsTests {
    @Test(
      arguments: [
        ("postgresql://", [:]), ("postgresql:///mirror", ["dbname": "mirror"]),
        ("postgres://app@h/db", ["user": "app", "host": "h", "dbname": "db"]),
        ("postgresql://h:5433", ["host": "h", "port": "5433"]),
        ("postgresql://[::1]:5433/db", ["host": "::1", "port": "5433", "dbname": "db"]),
        ("postgresql://[fe80::1%25eth0]/db", ["host": "fe80::1%eth0", "dbname": "db"]),
        ("postgresql://a:1,b,[::1]:3/db", ["host": "a,b,::1", "port": "1,,3", "dbname": "db"]),
        ("postgresql://%2Frun%2Fpg:99/d%20b", ["host": "/run/pg", "port": "99", "dbname": "d b"]),
        ("postgresql:///db?host=/run/pg&sslmode=disable", ["dbname": "db", "host": "/run/pg", "sslmode": "disable"]),
        ("postgresql://h?application_name=a%26b%3D%C3%A9", ["host": "h", "application_name": "a&b=é"]),
        ("postgresql://h/?ssl=true", ["host": "h", "sslmode": "require"]),
        (" \tpostgresql://h/db\r\n", ["host": "h", "dbname": "db"]),
      ] as [(String, [String: String])])
    func urlsAreRead(url: String, keywords: [String: String]) throws {
      #expect(try ConnectionSettings.parse(url: url) == ConnectionSettings(keywords: keywords))
    }

    @Test func passwordsAreReadAndHidden() throws {
      for url in ["postgresql://app:S3c%40r%2Ft@h/db", "postgresql://app@h/db?password=S3c%40r%2Ft"] {
        let settings = try ConnectionSettings.parse(url: url)
        #expect(settings.password?.reveal() == "S3c@r/t")
        #expect(settings["password"] == nil)
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(settings)", String(reflecting: settings), dumped, settings.redactedDescription] {
          #expect(!text.contains("S3c"))
        }
        #expect(settings.redactedDescription == "host=h dbname=db user=app password=***")
      }
    }

    @Test(arguments: [
      "http://app:S3cr3t@h/db", "postgresql:/app:S3cr3t@h/db", "postgresql://app:S3cr3t@[::1/db",
      "postgresql://app:S3c%zzt@h/db", "postgresql://app:S3c/r3t@h/db", "postgresql://app:S3c@r3t@h/db",
      "postgresql://app:S3c?r3t@h/db", "postgresql://app:S3c%00r3t@h/db", "postgresql://app:S3c%FFr3t@h/db",
      "postgresql://app:x@h:S3cr3t/db", "postgresql://h:0/S3cr3t", "postgresql://h:65536/S3cr3t",
      "postgresql://h/db?S3cr3t=1", "postgresql://h/db?S3cr3t", "postgresql://h/db?password=S3cr3t%",
      "postgresql://app:123/S3cr3t@h/db", "postgresql://app:1?host=S3cr3t@h/db", "postgresql://app:1?user=S3cr3t@h/db",
      "postgresql://app:1,b:2/S3cr3t@h/db", "postgresql://app:1/db?password=x&user=S3cr3t@h/db",
      "postgresql://app:S3cr3t%4@h/db", "postgresql://[::1]S3cr3t/db", "postgresql://a%2CS3cr3t/db",
      "postgresql://h/S3cr3t\n?connect_timeout=1", "postgresql://app:S3c\tr3t@h/db", "postgresql://h/\u{7F}S3cr3t",
    ])
    func complaintsQuoteNothing(url: String) throws {
      let error = #expect(throws: PostgresError.self) { try ConnectionSettings.parse(url: url) }
      let text = error.map { "\($0)" } ?? ""
      #expect(error?.code == .settings)
      #expect(!text.contains("S3c") && !text.contains("r3t"))
    }

    @Test func sqlStatesAreFiveCharacters() {
      #expect(SQLState("23505") == .uniqueViolation)
      #expect(SQLState.uniqueViolation.description == "23505" && SQLState.uniqueViolation.classCode == "23")
      for text in ["", "2350", "235055", "2350a", "2350é", "23 05"] { #expect(SQLState(text) == nil) }
    }
  }
}
