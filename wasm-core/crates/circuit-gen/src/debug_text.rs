//! Parser of the text that derived `Debug` implementations print, on one line or on many.

use crate::gen_error::GenError;

/// Nesting beyond this is refused; constraints nest below 40.
const MAX_DEPTH: usize = 256;

/// A printed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A number, a string or another word, as printed.
    Word(&'a str),
    /// `Name { field: value, … }`; the name may be empty.
    Record(&'a str, Vec<(&'a str, Value<'a>)>),
    /// `Name(value, …)`; the name of a plain tuple is empty.
    Tuple(&'a str, Vec<Value<'a>>),
    /// `[value, …]`.
    List(Vec<Value<'a>>),
}

impl<'a> Value<'a> {
    /// Reads the whole text as one value.
    ///
    /// # Errors
    /// When the text is not one value, or nests too deep.
    pub fn parse(text: &'a str) -> Result<Self, GenError> {
        let mut parser = Parser { text, position: 0 };
        let value = parser.value(0)?;
        parser.skip_space();
        if parser.position != text.len() {
            return Err(parser.error("trailing text"));
        }
        Ok(value)
    }

    /// A field of a record.
    ///
    /// # Errors
    /// When this is no record or has no such field.
    pub fn field(&self, name: &str) -> Result<&Value<'a>, GenError> {
        let Self::Record(_, fields) = self else {
            return Err(GenError::new(format!(
                "no record with a field {name}: {}",
                self.kind()
            )));
        };
        fields
            .iter()
            .find_map(|(field, value)| (*field == name).then_some(value))
            .ok_or_else(|| GenError::new(format!("no field {name}")))
    }

    /// The items of a list.
    ///
    /// # Errors
    /// When this is no list.
    pub fn items(&self) -> Result<&[Value<'a>], GenError> {
        match self {
            Self::List(items) => Ok(items),
            other => Err(GenError::new(format!("no list: {}", other.kind()))),
        }
    }

    /// The items of a tuple with this name.
    ///
    /// # Errors
    /// When this is no such tuple.
    pub fn tuple(&self, name: &str) -> Result<&[Value<'a>], GenError> {
        match self {
            Self::Tuple(found, items) if *found == name => Ok(items),
            other => Err(GenError::new(format!("no tuple {name}: {}", other.kind()))),
        }
    }

    /// A word.
    ///
    /// # Errors
    /// When this is something else.
    pub fn word(&self) -> Result<&'a str, GenError> {
        match self {
            Self::Word(word) => Ok(word),
            other => Err(GenError::new(format!("no word: {}", other.kind()))),
        }
    }

    /// A decimal number.
    ///
    /// # Errors
    /// When this is something else.
    pub fn number<T: core::str::FromStr>(&self) -> Result<T, GenError> {
        let word = self.word()?;
        word.parse()
            .map_err(|_| GenError::new(format!("no number: {word}")))
    }

    /// A field element, printed as 64 digits with the highest first, as 32 bytes with the lowest first.
    ///
    /// # Errors
    /// When this is something else.
    pub fn field_element(&self) -> Result<[u8; 32], GenError> {
        let word = self.word()?;
        let digits = word
            .strip_prefix("0x")
            .filter(|digits| digits.len() == 64 && digits.is_ascii())
            .ok_or_else(|| GenError::new(format!("no field element: {word}")))?;
        let mut bytes = [0u8; 32];
        for (index, byte) in bytes.iter_mut().rev().enumerate() {
            *byte =
                u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).map_err(GenError::new)?;
        }
        Ok(bytes)
    }

    fn kind(&self) -> String {
        match self {
            Self::Word(word) => format!("word {word}"),
            Self::Record(name, _) => format!("record {name}"),
            Self::Tuple(name, _) => format!("tuple {name}"),
            Self::List(_) => "list".to_owned(),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Parser<'a> {
    fn value(&mut self, depth: usize) -> Result<Value<'a>, GenError> {
        if depth > MAX_DEPTH {
            return Err(self.error("nested too deep"));
        }
        self.skip_space();
        if self.eat(b'[') {
            return Ok(Value::List(self.values(b']', depth)?));
        }
        if self.peek() == Some(b'"') {
            return self.string();
        }
        let name = self.name();
        self.skip_space();
        if self.eat(b'(') {
            return Ok(Value::Tuple(name, self.values(b')', depth)?));
        }
        if self.eat(b'{') {
            return Ok(Value::Record(name, self.fields(depth)?));
        }
        if name.is_empty() {
            return Err(self.error("no value"));
        }
        Ok(Value::Word(name))
    }

    fn values(&mut self, end: u8, depth: usize) -> Result<Vec<Value<'a>>, GenError> {
        let mut values = Vec::new();
        loop {
            self.skip_space();
            if self.eat(end) {
                return Ok(values);
            }
            values.push(self.value(depth + 1)?);
            self.separator(end)?;
        }
    }

    fn fields(&mut self, depth: usize) -> Result<Vec<(&'a str, Value<'a>)>, GenError> {
        let mut fields = Vec::new();
        loop {
            self.skip_space();
            if self.eat(b'}') {
                return Ok(fields);
            }
            let name = self.name();
            self.skip_space();
            if !self.eat(b':') {
                return Err(self.error("no colon"));
            }
            fields.push((name, self.value(depth + 1)?));
            self.separator(b'}')?;
        }
    }

    fn separator(&mut self, end: u8) -> Result<(), GenError> {
        self.skip_space();
        if self.eat(b',') || self.peek() == Some(end) {
            return Ok(());
        }
        Err(self.error("no comma"))
    }

    /// Strings in this text never hold quotes or escapes.
    fn string(&mut self) -> Result<Value<'a>, GenError> {
        let start = self.position + 1;
        let length = self.text[start..]
            .find('"')
            .ok_or_else(|| self.error("open string"))?;
        self.position = start + length + 1;
        Ok(Value::Word(&self.text[start..start + length]))
    }

    fn name(&mut self) -> &'a str {
        let rest = &self.text[self.position..];
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))
            .unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.position += 1;
        }
        found
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.position += 1;
        }
    }

    fn error(&self, what: &str) -> GenError {
        let rest: String = self.text[self.position..].chars().take(40).collect();
        GenError::new(format!("{what} at byte {}: {rest:?}", self.position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_and_many_lines_read_alike() {
        let flat = r#"Key { name: "a b", list: [(1, Rotation(-1)), (2, Rotation(0))], none: [] }"#;
        let tall = "Key {\n name: \"a b\",\n list: [\n(\n1,\nRotation(\n-1,\n),\n), (2, Rotation(0,),),],\nnone: [],\n}\n";
        let value = Value::parse(flat).unwrap();
        assert_eq!(value, Value::parse(tall).unwrap());
        assert_eq!(value.field("name").unwrap().word(), Ok("a b"));
        let pair = value.field("list").unwrap().items().unwrap()[0]
            .tuple("")
            .unwrap();
        assert_eq!(pair[1].tuple("Rotation").unwrap()[0].number(), Ok(-1));
        assert!(value.field("other").is_err());
    }

    #[test]
    fn damaged_text_is_refused() {
        for text in [
            "",
            "{",
            "[1",
            "A { b 1 }",
            "A(1 2)",
            "[1] x",
            "\"open",
            "[,]",
        ] {
            assert!(Value::parse(text).is_err(), "{text}");
        }
        assert!(Value::parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn field_elements_are_turned_around() {
        let text = format!("0x{}01", "00".repeat(31));
        let mut expected = [0u8; 32];
        expected[0] = 1;
        assert_eq!(Value::parse(&text).unwrap().field_element(), Ok(expected));
        assert!(Value::Word("0x01").field_element().is_err());
    }
}
