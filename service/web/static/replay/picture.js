// All that is drawn of a place: table, line, controls, timeline, panels, hands; and the sentence for those who listen.

import { say } from "../lib/shell.js";
import { t } from "../lib/words.js";
import { controls } from "./controls.js";
import { drawLine, spoken } from "./line.js";
import { scoreTable } from "./score-table.js";
import { sentence } from "./sentence.js";
import { stage as staged } from "./stage.js";
import { measured, speaker } from "./timing.js";
import { timeline } from "./timeline.js";

/**
 * The picture in the parts that `laidOut` gave. `does` are what controls do, and `links`. Gives `show(place, isPlaying)`,
 * `playing(isOn)`, `speed(value)`, and `speak(sentence)`.
 */
export function picture(roots, { source, head, found, level, does }) {
  const speak = speaker(say);
  const bar = roots.choices && controls(roots, { head, found, does });
  const along = { head, level: level + 1, slid: (step) => does.go({ step }, false), jumped: (step) => does.go({ step }) };
  const line = roots.timeline && timeline(roots.timeline, along);
  const hands = { head, level: level + 1, opened: (hand) => does.go({ hand }), settled: does.toPayment };
  const index = roots.index && scoreTable(roots.index, hands);
  let stage = null;
  let eyes; // the viewpoint that is drawn

  function restage() {
    line?.forget();
    stage?.end();
    stage = staged({ board: roots.board, aside: roots.aside, source, head, go: (step) => does.go({ step }) });
  }

  function tell(place, isPlaying) {
    const told = sentence(place.hand.events[place.index], place.hand.frames[place.index], head);
    const findings = place.hand.findings.filter(({ seq }) => seq === place.step);
    drawLine(roots.line, { place, told, findings, level: level + 1 });
    const more = { sentence: told.text, findings: spoken(findings) };
    speak(findings.length === 0 ? told.text : t("replay.said_with_findings", more), { isPlaying });
  }

  function draw(place, isPlaying) {
    if (eyes !== place.seat) restage();
    eyes = place.seat;
    stage.show(place);
    tell(place, isPlaying);
    for (const part of [bar, line, index]) part?.show(place);
  }

  return {
    show: (place, isPlaying) => measured("step", () => draw(place, isPlaying)),
    /** Shows the controls as they were: what was asked for could not be done. */
    reset: (place) => place !== null && bar?.show(place),
    playing: (isOn) => bar?.playing(isOn),
    speed: (value) => bar?.speed(value),
    speak: (text) => speak(text, { isPlaying: false }),
  };
}
