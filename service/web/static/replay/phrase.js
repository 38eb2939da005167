// Sentences with tiles in them: as text, and as what is drawn.

import { listed, t } from "../lib/words.js";
import { nameOf, tile } from "../table/tiles.js";

/**
 * The words of a key with values in their places: {text, nodes}. A value is a text, a number, or itself such a pair.
 * `count` chooses the form, as with `t`.
 */
export function phrase(key, values = {}) {
  const words = values.count === undefined ? t(key) : t(key, { count: values.count });
  const pieces = words.split(/\{(\w+)\}/).map((piece, at) => (at % 2 === 0 ? piece : (values[piece] ?? "")));
  const text = pieces.map((piece) => piece.text ?? piece).join("");
  return { text, nodes: pieces.flatMap((piece) => piece.nodes ?? [String(piece)]) };
}

/** Tiles by their codes, as part of a phrase; gold ones look so where `golds` names them. */
export const drawn = (codes, golds = []) => ({
  text: listed(codes.map(nameOf)),
  nodes: codes.map((code) => tile(code, { size: "small", gold: golds.includes(code) })),
});
