// Answers of the service that a reader has to stay for: nothing is asked while steps rush by.

/** How long a reader rests on a step before it is asked about, in milliseconds. */
export const REST = 150;

/**
 * Answers to `ask(...values)`, kept by their values. `want(values, show)` calls `show` with `{value}` or `{error}`: at
 * once where the answer is known, else with null and once more when it is there, unless something else is wanted by
 * then. `leave()` wants nothing any more; `forget()` also drops what is known. Errors are not kept, and of the answers
 * the last `most`.
 */
export function asked(ask, most = 200) {
  let known = new Map();
  let timer = null;
  let wanted = null;

  const answer = async (key, values) => {
    const mine = known;
    const found = ask(...values).then(
      (value) => ({ value }),
      (error) => ({ error }),
    );
    mine.set(key, found);
    const settled = await found;
    if (settled.error === undefined) mine.set(key, settled);
    else mine.delete(key);
    if (mine.size > most) mine.delete(mine.keys().next().value);
  };

  const leave = () => {
    clearTimeout(timer);
    wanted = null;
  };

  return {
    want(values, show) {
      leave();
      const key = values.join("/");
      const before = known.get(key);
      if (before !== undefined && !(before instanceof Promise)) return show(before);
      const mine = (wanted = {});
      show(null);
      timer = setTimeout(async () => {
        if (!known.has(key)) answer(key, values);
        const found = await known.get(key);
        if (wanted === mine) show(found);
      }, REST);
    },
    leave,
    forget() {
      leave();
      known = new Map();
    },
  };
}
