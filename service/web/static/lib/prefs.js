// What a reader has chosen, kept in this browser alone. Where nothing may be kept, choices last as long as the page.

const memory = new Map();

/** The choice of a name, `otherwise` where there is none. */
export function chosen(name, otherwise = null) {
  try {
    return localStorage.getItem(`mingpai.${name}`) ?? memory.get(name) ?? otherwise;
  } catch {
    return memory.get(name) ?? otherwise;
  }
}

/** Keeps a choice. */
export function choose(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(`mingpai.${name}`, value);
  } catch {
    // Private windows and embedded pages may refuse; the memory above has it.
  }
}
