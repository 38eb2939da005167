// Questions to the service one at a time: each is work for a process of its own, and it has few places.

/** How often a service that is busy is asked again, and the longest wait before it is, in seconds. */
const TRIES = 6;
const WAIT = 2;

/** Runs `run(...values)` one call at a time; of those that wait the newest first, for it is what the reader looks at. */
export function inTurn(run) {
  const waiting = [];
  let isBusy = false;

  async function next() {
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    const { values, resolve, reject } = waiting.pop();
    await run(...values).then(resolve, reject);
    isBusy = false;
    next();
  }

  return (...values) =>
    new Promise((resolve, reject) => {
      waiting.push({ values, resolve, reject });
      next();
    });
}

/** The answer of `ask()`, which is asked again while the service has no place for it. */
export async function patient(ask) {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await ask();
    } catch (error) {
      if (error.code !== "BUSY" || left <= 1) throw error;
      await rest(Math.min(error.retry ?? WAIT, WAIT));
    }
  }
}

const rest = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
