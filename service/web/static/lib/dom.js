// Elements out of values. Whatever is text stays text: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Properties that begin with "on" are listeners, `css` sets CSS properties, `ref` is called with the
 * element, true and false are attributes that are there or not; the rest are attributes. Children are nodes, texts,
 * numbers, lists of those, or null for nothing.
 */
export const h = (name, properties, ...children) => made(document.createElement(name), properties, children);

/** An SVG element, in the same way. */
export const s = (name, properties, ...children) => made(document.createElementNS(SVG, name), properties, children);

/** Puts children in place of those that an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

/** The element that a selector finds in `root`; an error where there is none, for that is our mistake. */
export function one(selector, root = document) {
  const found = root.querySelector(selector);
  if (found === null) throw new Error(`nothing is ${selector}`);
  return found;
}

function made(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) set(element, name, value);
  element.append(...nodes(children));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "css") {
    for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
  } else if (name === "ref") value(element);
  else if (typeof value === "function") element.addEventListener(name.slice(2), value);
  else element.setAttribute(name, value === true ? "" : value);
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}
