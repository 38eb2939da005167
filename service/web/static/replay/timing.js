// How long a step takes to show, and how often a listener is spoken to.

/** Runs `draw` and leaves a performance measure of this name that ends when the browser has drawn it. */
export function measured(name, draw) {
  const start = performance.now();
  draw();
  requestAnimationFrame(() => setTimeout(() => performance.measure(name, { start, end: performance.now() })));
}

const PAUSE = 3000; // ms between two sentences while playing; the one that came last is said

/** Speaks to listeners by `say`: every sentence, or while playing one now and then. */
export function speaker(say) {
  let last = -Infinity;
  let timer = null;
  const now = (text) => {
    last = performance.now();
    say(text);
  };
  return (text, { isPlaying }) => {
    clearTimeout(timer);
    const rest = isPlaying ? last + PAUSE - performance.now() : 0;
    if (rest <= 0) now(text);
    else timer = setTimeout(() => now(text), rest);
  };
}
