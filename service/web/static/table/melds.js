// Melds: the claimed tile lies on its side, where it lies tells who threw it.

import { h } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { placeOf } from "./places.js";
import { HIDDEN, nameOf, tile } from "./tiles.js";

/** Where the claimed tile lies among three or four, by the place of who threw it, seen from the owner's. */
const TURNED = { left: () => 0, top: () => 1, right: (length) => length - 1 };

/**
 * A meld of `seat` as one picture: the frame's, with `isNew` where the step has made it and the name of who threw its
 * tile as `by`. `roles(code)` says whether a kind is gold or stand-in.
 */
export function meld(one, { seat, players, roles }) {
  const options = (code) => ({ ...roles(code), label: null });
  const label = labelOf(one);
  const place = placeOf(one.from ?? seat, seat, players);
  const art = one.kind === "concealed" ? concealed(one, options) : claimed(one, place, options);
  return h(
    "span",
    { class: one.isNew ? "meld is-new" : "meld", role: "img", "aria-label": label, title: label },
    art,
    one.isNew ? h("span", { class: "new-sign" }, "●") : null,
  );
}

// The two in the middle lie on their faces, where their owner's tiles are open at all.
const concealed = ({ tiles }, options) =>
  tiles.map((code, at) => (at === 1 || at === 2 ? tile(HIDDEN, { label: null }) : tile(code, options(code))));

function claimed({ kind, tiles }, place, options) {
  const [taken, ...rest] = kind === "added" ? tiles.slice(0, -1) : tiles;
  const turned = (code) => tile(code, { ...options(code), turned: true });
  const on = kind === "added" ? [turned(tiles.at(-1))] : [];
  const lying = h("span", { class: "lying" }, on, turned(taken));
  const standing = rest.map((code) => tile(code, options(code)));
  return standing.toSpliced(TURNED[place]?.(tiles.length - on.length) ?? 0, 0, lying);
}

function labelOf({ kind, tiles, by, isNew }) {
  const isSame = tiles.every((code) => code === tiles[0]);
  const names = isSame ? [nameOf(tiles[0])] : tiles.toSorted().map(nameOf);
  const made = t("table.row", { label: t(`table.meld_${kind}`), tiles: names.join(t("table.comma")) });
  const told = by === null ? made : t("table.meld_from", { meld: made, name: by });
  return isNew ? t("table.meld_new", { meld: told }) : told;
}
