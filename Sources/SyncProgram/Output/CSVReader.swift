/// Reads CSV as defined by RFC 4180. LF without CR also ends a record.
struct CSVReader {
  struct Record: Equatable {
    var line: Int
    var fields: [String?]
    var isBroken = false
  }

  private var record = Record(line: 1, fields: [])
  private var field = String.UnicodeScalarView()
  private var isQuoted = false
  private var isInQuotes = false
  private var line = 1
  private var records: [Record] = []

  static func records(_ text: String) -> [Record] {
    var reader = CSVReader()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      reader.take(scalar, after: previous)
      previous = scalar
    }
    if reader.isInQuotes { reader.record.isBroken = true }
    reader.endRecord()
    return reader.records
  }

  private mutating func take(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) {
    if isInQuotes {
      if scalar == "\n" { line += 1 }
      if scalar == "\"" { isInQuotes = false } else { field.append(scalar) }
      return
    }
    switch scalar {
    case "\"" where isQuoted && previous == "\"":
      field.append(scalar)
      isInQuotes = true
    case "\"" where field.isEmpty && !isQuoted: (isQuoted, isInQuotes) = (true, true)
    case ",": endField()
    case "\n":
      line += 1
      endRecord()
    case "\r": break
    default:
      if isQuoted { record.isBroken = true }
      field.append(scalar)
    }
  }

  private mutating func endField() {
    record.fields.append(field.isEmpty && !isQuoted ? nil : String(field))
    field = .init()
    isQuoted = false
  }

  private mutating func endRecord() {
    if !record.fields.isEmpty || !field.isEmpty || isQuoted {
      endField()
      records.append(record)
    }
    record = Record(line: line, fields: [])
    isInQuotes = false
  }
}
