import SyncCore

extension StreamImport {
  /// The start of an incremental walk if the manifest takes it from an option without a default.
  private static let usualStart = "2020-01-01T00:00:00Z"

  /// Reads the names that the interval's values have in expressions.
  mutating func readInterval() {
    guard let cursor = stream.member("incremental_sync") else { return }
    interval = (
      cursor.member("partition_field_start")?.text ?? ImportedText.usualInterval.start,
      cursor.member("partition_field_end")?.text ?? ImportedText.usualInterval.end
    )
  }

  /// Reads the rules of incremental walks. The parameters of the requests must have been read.
  mutating func readIncremental() {
    guard let cursor = stream.member("incremental_sync") else {
      return removeInterval(startParameter == nil && endParameter == nil, at: stream.line)
    }
    guard let type = cursor.type, ["DatetimeBasedCursor", "IncrementingCountCursor"].contains(type) else {
      let shown = Excerpt.of(cursor.className ?? cursor.type ?? "unknown", scalars: 100)
      leaveOut("incremental_sync (\(shown))", at: cursor.line, "each run reads the whole list")
      return removeInterval(true, at: cursor.line)
    }
    let start = optionParameter(cursor, ["start_time_option", "start_value_option"], isStart: true) ?? startParameter
    let end = optionParameter(cursor, ["end_time_option"], isStart: false) ?? endParameter

    if let reason = reasonAgainst(cursor, start: start) {
      leaveOut("incremental_sync, because \(reason)", at: cursor.line, "each run reads the whole list")
      return removeInterval(true, at: cursor.line)
    }
    guard let field = cursorPath(cursor) else { return }
    resource.incremental = [FlowMember("cursor_path", ImportedResource.path(field))]
    if let start { resource.incremental.append(FlowMember("start_param", .text(start))) }
    // The engine sets these parameters.
    resource.parameters.removeAll { [start, end].contains($0.name) }
    readWindow(cursor, end: end)
    readLag(cursor)
    noteEnd(cursor)
  }

  /// Removes the texts with the interval, because the walks are not incremental.
  /// - Parameter isSilent: Whether no remark is needed if no text has the interval.
  private mutating func removeInterval(_ isSilent: Bool, at line: Int) {
    let marker = Self.intervalMarker
    let names = resource.parameters.filter { $0.value.contains(marker) }.map(\.name)
    resource.parameters.removeAll { $0.value.contains(marker) }
    let isInBody = resource.body?.contains(marker) ?? false
    resource.body = resource.body?.without(marker)
    guard !names.isEmpty || isInBody || !isSilent else { return }
    let places = names.map { "the parameter \($0)" } + (isInBody ? ["the body"] : [])
    let shown = places.isEmpty ? "the parameters" : places.joined(separator: " and ")
    leaveOut("the interval in \(shown)", at: line, "write it by hand if the service needs it")
  }

  /// Returns the parameter that an option names; `nil` for another place. Writes the interval into a JSON body.
  private mutating func optionParameter(_ cursor: ManifestPart, _ names: [String], isStart: Bool) -> String? {
    guard let option = names.lazy.compactMap({ cursor.member($0) }).first else { return nil }
    switch option.member("inject_into")?.text {
    case "request_parameter", nil: return optionPath(option).first
    case "body_json" where resource.isPOST && !optionPath(option).isEmpty:
      let placeholder = isStart ? Self.intervalPlaceholders.start : Self.intervalPlaceholders.end
      resource.body = (resource.body ?? .mapping([])).setting(optionPath(option)[...], to: .text(placeholder))
      intervalInTexts.hasStart = intervalInTexts.hasStart || isStart
      intervalInTexts.hasEnd = intervalInTexts.hasEnd || !isStart
      hasIntervalInBody = true
    default: hasUnreadInterval = true
    }
    return nil
  }

  /// The path that a `RequestOption` names.
  mutating func optionPath(_ option: ManifestPart) -> [String] {
    let path = option.member("field_path")?.elements.compactMap(\.text) ?? []
    return path.isEmpty ? plain(option.member("field_name")).map { [$0] } ?? [] : path
  }

  /// Returns why the walks cannot be incremental; `nil` if they can.
  private mutating func reasonAgainst(_ cursor: ManifestPart, start: String?) -> String? {
    switch router {
    case .values, .parent: return "a resource with several lists has none"
    case .none: break
    }
    if hasUnreadInterval { return "the interval is where a declaration cannot have it" }
    guard start != nil || intervalInTexts.hasStart else { return "no parameter has the start of the interval" }
    guard cursorPath(cursor) != nil else { return "its cursor is computed by a transformation" }
    if intervalInTexts.hasEnd, window(cursor) == nil { return "a text has the end of the interval, which has no step" }
    return formatProblem(cursor)
  }

  /// The seconds of a window; `nil` without a step.
  private mutating func window(_ cursor: ManifestPart) -> Int? {
    plain(cursor.member("step")).flatMap(ISODuration.seconds).map { max($0, 60) }
  }

  /// The path of the cursor in the stored documents.
  private mutating func cursorPath(_ cursor: ManifestPart) -> [String]? {
    plain(cursor.member("cursor_field")).flatMap { addedFields.stored([$0]) }
  }

  /// Returns why the service would not understand its own cursor. syncctl sends the cursor as the service wrote it.
  private mutating func formatProblem(_ cursor: ManifestPart) -> String? {
    guard cursor.type == "DatetimeBasedCursor", let sent = plain(cursor.member("datetime_format")) else { return nil }
    let formats = cursor.member("cursor_datetime_formats")?.elements.compactMap(\.text) ?? []
    guard !formats.isEmpty, !formats.contains(sent) else { return nil }
    guard formats.contains(where: { StrftimeFormat.isEpoch($0) == StrftimeFormat.isEpoch(sent) }) else {
      return "the service writes \(formats[0]) and expects \(sent)"
    }
    remarks.add(
      cursor.line, name, "the cursor is sent as the service writes it (\(formats[0])), not as \(sent)",
      "remove incremental if the service refuses it")
    return nil
  }

  // MARK: Windows

  /// Reads the start of the first walk, and the windows.
  private mutating func readWindow(_ cursor: ManifestPart, end: String?) {
    let window = end != nil || intervalInTexts.hasEnd ? window(cursor) : nil
    if let initial = initialValue(cursor, isNeeded: window != nil || intervalInTexts.hasStart) {
      let isNumber = hasIntervalInBody && RequestBody.isNumber(initial)
      resource.incremental.append(FlowMember("initial_value", isNumber ? .literal(initial) : .text(initial)))
    }
    guard let window else {
      guard let end else { return }
      leaveOut(
        "the parameter \(end) with the end of the interval", at: cursor.line, "a walk reads to the end of the list")
      return
    }
    if let end { resource.incremental.append(FlowMember("end_param", .text(end))) }
    resource.incremental.append(FlowMember("window", .literal(Duration.seconds(window).configured)))
  }

  /// - Parameter isNeeded: Whether a declaration needs the value, because it has windows or a cursor within a text.
  private mutating func initialValue(_ cursor: ManifestPart, isNeeded: Bool) -> String? {
    if cursor.type == "IncrementingCountCursor" { return plain(cursor.member("start_value")) }
    let format = plain(cursor.member("datetime_format")) ?? "%Y-%m-%dT%H:%M:%SZ"
    guard let part = cursor.member("start_datetime") else { return nil }
    let value = part.isMapping ? part.member("datetime") : part
    guard let value else { return nil }

    let written = text(value, in: part.isMapping ? part : cursor)
    if let plain = written.plain, !plain.isEmpty { return ManifestDate(plain)?.text(format) ?? plain }
    guard !written.isAbsent || isNeeded else { return nil }
    guard isNeeded || Self.isOption(written) else {
      leaveOut("start_datetime", at: value.line, "the first run reads the whole list")
      return nil
    }
    let start = ManifestDate(Self.usualStart)?.text(format) ?? Self.usualStart
    remarks.add(
      value.line, name, "initial_value is \(start), in place of start_datetime", "write the time of the earliest change"
    )
    return start
  }

  /// Whether the text is an option of the user, perhaps in another format.
  private static func isOption(_ text: ImportedText) -> Bool {
    switch text.single {
    case .option?: true
    case .other(let expression, _)?: expression.contains { $0.first == "config" }
    default: false
    }
  }

  private mutating func readLag(_ cursor: ManifestPart) {
    guard let part = cursor.member("lookback_window") else { return }
    guard let text = plain(part), let seconds = ISODuration.seconds(text) else {
      leaveOut("lookback_window", at: part.line, "write lag: 1d in incremental")
      return
    }
    guard seconds > 0 else { return }
    resource.incremental.append(FlowMember("lag", .literal(Duration.seconds(min(seconds, 366 * 86_400)).configured)))
  }

  /// Notes an end of the interval that is not the time of the run.
  private mutating func noteEnd(_ cursor: ManifestPart) {
    guard let part = cursor.member("end_datetime") else { return }
    let value = part.isMapping ? part.member("datetime") ?? part : part
    let end = text(value, in: part.isMapping ? part : cursor)
    if case .moment(let moment)? = end.single, moment.offset == 0 { return }
    guard !end.isAbsent else { return }
    leaveOut("end_datetime", at: part.line, "a walk reads to the end of the list")
  }
}
