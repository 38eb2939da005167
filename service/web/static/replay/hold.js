// A button that does its work again and again while it is held.

const FIRST = 400; // ms before it begins to repeat
const AGAIN = 90;

/** Listeners for a button, as properties of `h`: `run` at once, and again while the pointer holds it. */
export function held(run) {
  let timer = null;
  let isHeld = false; // so that the click at the end of a hold does nothing more

  const stop = () => {
    clearTimeout(timer);
    timer = null;
  };
  const again = () => {
    isHeld = true;
    run();
    timer = setTimeout(again, AGAIN);
  };
  const start = ({ button }) => {
    if (button !== 0) return;
    stop();
    isHeld = false;
    timer = setTimeout(again, FIRST);
  };
  const click = ({ detail }) => {
    stop();
    if (!isHeld || detail === 0) run(); // 0: by a key
    isHeld = false;
  };
  return { onpointerdown: start, onpointerup: stop, onpointerleave: stop, onpointercancel: stop, onclick: click };
}
