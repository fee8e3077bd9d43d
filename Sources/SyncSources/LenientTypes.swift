import Foundation

/// A number that fits its column, also as a string that holds only the number.
///
/// The decoder reports such a number as a fault of the whole item ("not valid JSON"); this keeps its path.
struct Fitting<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      value = try container.decode(Value.self)
    } catch let error as DecodingError {
      guard case .typeMismatch = error, let text = try? container.decode(String.self),
        let number = try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
      else { throw error }
      value = number
    } catch {
      // Foundation's own error, which only its outermost call turns into a `DecodingError`.
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the number does not fit \(Value.self)"))
    }
  }
}

/// Text, also as a number: PostgreSQL makes the text of it from the same document.
struct LenientText: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      _ = try container.decode(String.self)
    } catch {
      guard (try? container.decode(Double.self)) != nil else { throw error }
    }
  }
}

/// True or false, also as a string.
struct Flag: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      _ = try container.decode(Bool.self)
    } catch {
      guard let text = try? container.decode(String.self), text == "true" || text == "false" else { throw error }
    }
  }
}
