import Testing

@testable import RestSource

@Suite("Incremental walks of manifests")
struct ImportIncrementalTests {
  private static func stream(_ cursor: String, requester: String = "", retriever: String = "", path: String = "/items")
    throws -> ManifestImport
  {
    let lines = cursor.split(separator: "\n").joined(separator: "\n  ")
    return try ImportedManifest.stream(
      requester: requester, retriever: retriever,
      stream: "primary_key: id\nincremental_sync:\n  type: DatetimeBasedCursor\n  \(lines)", path: path)
  }

  private static let since = "start_time_option: { inject_into: request_parameter, field_name: since }"
  private static let until = "end_time_option: { inject_into: request_parameter, field_name: until }"

  @Test("a cursor in a parameter, with a lag and a start")
  func parameter() throws {
    let result = try Self.stream(
      """
      cursor_field: updated_at
      datetime_format: "%Y-%m-%dT%H:%M:%SZ"
      start_datetime: "2021-05-06"
      lookback_window: P1D
      \(Self.since)
      """)
    #expect(
      try result.line("incremental")
        == "{ cursor_path: updated_at, start_param: since, initial_value: \"2021-05-06T00:00:00Z\", lag: 1d }")
    #expect(result.messages == [])
    _ = try result.accepted()
  }

  @Test("windows, with a start that the user must replace")
  func windows() throws {
    let result = try Self.stream(
      """
      cursor_field: created
      datetime_format: "%s"
      start_datetime: { datetime: "{{ config['account'] }}", datetime_format: "%Y-%m-%d" }
      end_datetime: { datetime: "{{ now_utc().strftime('%s') }}" }
      step: P1M
      cursor_granularity: PT1S
      \(Self.since)
      \(Self.until)
      """)
    #expect(
      try result.line("incremental")
        == "{ cursor_path: created, start_param: since, initial_value: \"1577836800\", end_param: until, window: 30d }")
    #expect(
      result.messages == [
        "manifest.yaml:10: items: initial_value is 1577836800, in place of start_datetime; write the time of the earliest change"
      ])
    _ = try result.accepted()
  }

  @Test("the interval in request_parameters is that of the cursor, also with other names")
  func requestParameters() throws {
    let result = try Self.stream(
      """
      cursor_field: updated_at
      datetime_format: "%Y-%m-%d"
      start_datetime: "2021-01-01"
      step: P7D
      partition_field_start: from
      """,
      requester: """
        request_parameters: { since: "{{ stream_slice['from'] }}", to: "{{ stream_interval.end_time }}", a: 1 }
        """)
    #expect(
      try result.line("incremental")
        == "{ cursor_path: updated_at, start_param: since, initial_value: \"2021-01-01\", end_param: to, window: 7d }"
    )
    #expect(try result.line("params") == "{ a: 1 }")
    _ = try result.accepted()
  }

  @Test("the interval within a text of a parameter, with windows")
  func texts() throws {
    let cursor = """
      cursor_field: updated
      datetime_format: "%Y-%m-%dT%H:%M:%SZ"
      start_datetime: "2021-01-01"
      step: P1W
      """
    let filter = "and(gte(updated,{{ stream_interval.start_time }}),lte(updated,{{ stream_interval.end_time }}))"
    let result = try Self.stream(cursor, requester: "request_parameters: { filter: \"\(filter)\" }")
    #expect(
      try result.line("params")
        == "{ filter: \"and(gte(updated,{incremental.start_value}),lte(updated,{incremental.end_value}))\" }")
    #expect(
      try result.line("incremental")
        == "{ cursor_path: updated, initial_value: \"2021-01-01T00:00:00Z\", window: 7d }")
    #expect(result.messages == [])
    _ = try result.accepted()

    let endless = try Self.stream(
      "cursor_field: updated", requester: "request_parameters: { filter: \"\(filter)\", sort: id }")
    #expect(try endless.line("params") == "{ sort: id }")
    #expect(endless.messages.contains { $0.contains("left out: the interval in the parameter filter; ") })
    _ = try endless.accepted()
  }

  @Test("the interval in a JSON body is a number if the cursor is one")
  func bodies() throws {
    let result = try Self.stream(
      """
      cursor_field: updated
      datetime_format: "%s"
      start_datetime: "2021-01-01"
      step: P1D
      start_time_option: { inject_into: body_json, field_path: [filter, from] }
      """,
      requester: """
        http_method: POST
        request_body_json: { filter: { to: "{{ stream_interval.end_time }}" }, limit: 5 }
        """)
    #expect(
      try result.line("json")
        == "{ filter: { to: \"{incremental.end_value}\", from: \"{incremental.start_value}\" }, limit: 5 }")
    #expect(try result.line("incremental") == "{ cursor_path: updated, initial_value: 1609459200, window: 1d }")
    #expect(result.messages == [])
    #expect(try result.accepted().resources.first?.incremental?.isNumber == true)
  }

  @Test(
    "a cursor that a declaration cannot have is left out, and each run reads the whole list",
    arguments: [
      ("cursor_field: a", "no parameter has the start of the interval"),
      (
        "cursor_field: a\nstart_time_option: { inject_into: body_json, field_name: since }",
        "the interval is where a declaration cannot have it"
      ),
      (
        "cursor_field: a\ndatetime_format: \"%Y-%m-%d\"\ncursor_datetime_formats: [\"%s\"]\n\(since)",
        "the service writes %s and expects %Y-%m-%d"
      ),
    ])
  func leftOut(cursor: String, reason: String) throws {
    let result = try Self.stream(cursor)
    #expect(try result.line("incremental") == nil)
    #expect(
      result.messages == [
        "manifest.yaml:6: items: left out: incremental_sync, because \(reason); each run reads the whole list"
      ])
    _ = try result.accepted()
  }

  @Test("a resource with several lists is not incremental")
  func lists() throws {
    let result = try Self.stream(
      "cursor_field: a\n\(Self.since)",
      retriever: "partition_router: { type: ListPartitionRouter, values: [x, y], cursor_field: kind }",
      path: "/{{ stream_partition.kind }}")
    #expect(try result.line("incremental") == nil)
    #expect(result.messages.contains { $0.contains("because a resource with several lists has none") })
    _ = try result.accepted()
  }

  @Test("a cursor of another format of dates is sent as the service writes it")
  func otherFormat() throws {
    let result = try Self.stream(
      """
      cursor_field: a
      datetime_format: "%Y-%m-%d"
      cursor_datetime_formats: ["%Y-%m-%dT%H:%M:%SZ"]
      start_datetime: "2021-01-01"
      \(Self.since)
      """)
    #expect(try result.line("incremental")?.hasPrefix("{ cursor_path: a, start_param: since") == true)
    #expect(result.messages.contains { $0.contains("is sent as the service writes it (%Y-%m-%dT%H:%M:%SZ)") })
  }

  @Test("a count is a cursor, too")
  func counts() throws {
    let result = try ImportedManifest.stream(
      stream: """
        primary_key: id
        incremental_sync:
          type: IncrementingCountCursor
          cursor_field: version
          start_value: 5
          start_value_option: { inject_into: request_parameter, field_name: min }
        """)
    #expect(
      try result.line("incremental") == "{ cursor_path: version, start_param: min, initial_value: \"5\" }")
    _ = try result.accepted()
  }
}
