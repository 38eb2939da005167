/**
 * JSON as the contract allows it, read strictly and written canonically (RFC 8785).
 *
 * `JSON.parse` would take the last of two members of one name, and round large numbers: both would let one text mean
 * two things. Here members differ, numbers are integers within ±(2^53 − 1), and text has no lone surrogates.
 * Objects have no prototype, so that no name of a member is special.
 */

import { Fault } from "./fault.js";

const WORDS = { true: true, false: false, null: null };
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The value of a JSON text, nested at most `depth` deep; a `Fault` with the place in the text for anything else. */
export function parse(text, depth = 64) {
  const reader = new Reader(text);
  const value = reader.value(depth);
  reader.end();
  return value;
}

/** The one canonical text of a value that `parse` gave (RFC 8785, for integers only). */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  // Without a comparison of its own, sort() goes by UTF-16 code units: the order that RFC 8785 asks for.
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.place = 0;
  }

  value(depth) {
    this.space();
    const mark = this.text[this.place];
    if (mark === "{") return this.object(depth);
    if (mark === "[") return this.array(depth);
    if (mark === '"') return this.string();
    const word = this.match(/true|false|null/y);
    return word ? WORDS[word] : this.number();
  }

  object(depth) {
    const members = Object.create(null);
    this.items("{", "}", depth, () => {
      this.space();
      const name = this.string();
      if (name in members) this.refuse("duplicate_member", { member: name });
      this.space();
      this.expect(":");
      members[name] = this.value(depth - 1);
    });
    return members;
  }

  array(depth) {
    const values = [];
    this.items("[", "]", depth, () => values.push(this.value(depth - 1)));
    return values;
  }

  items(opening, closing, depth, readItem) {
    if (depth === 0) this.refuse("nesting");
    this.expect(opening);
    this.space();
    if (this.accept(closing)) return;
    do {
      readItem();
      this.space();
    } while (this.accept(","));
    this.expect(closing);
  }

  string() {
    this.expect('"');
    let value = "";
    for (;;) {
      value += this.match(/[^"\\\u0000-\u001f]*/y);
      if (this.accept('"')) break;
      this.expect("\\");
      value += this.escape();
    }
    if (!value.isWellFormed()) this.refuse("lone_surrogate");
    return value;
  }

  escape() {
    const unit = this.match(/u[0-9A-Fa-f]{4}/y);
    if (unit) return String.fromCharCode(parseInt(unit.slice(1), 16));
    const letter = this.match(/["\\/bfnrt]/y);
    if (!letter) this.refuse("syntax");
    return ESCAPES[letter];
  }

  number() {
    const digits = this.match(/-?(?:0|[1-9][0-9]*)/y);
    if (!digits) this.refuse("syntax");
    const value = Number(digits);
    if (this.match(/[.eE]/y) || !Number.isSafeInteger(value)) this.refuse("number", { number: digits.slice(0, 40) });
    return value + 0; // -0 is 0
  }

  end() {
    this.space();
    if (this.place < this.text.length) this.refuse("syntax");
  }

  space() {
    this.match(/[ \t\n\r]*/y);
  }

  expect(mark) {
    if (!this.accept(mark)) this.refuse("syntax", { expected: mark });
  }

  accept(mark) {
    const isThere = this.text[this.place] === mark;
    this.place += Number(isThere);
    return isThere;
  }

  match(pattern) {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.place += found.length;
    return found;
  }

  refuse(code, details = {}) {
    throw new Fault(code, { ...details, place: this.place });
  }
}
