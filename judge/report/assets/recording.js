// A recording with its waveform, and what the recogniser heard beside what was said.
//
// The waveform is drawn from `peaks` that come with the data, so that nothing is read from the file but its sound;
// where it cannot be drawn, the browser's own player is there all the same.

import { el, faint, known } from "toolgym/dom.js";

/** The player of a spoken message. */
export function recording(message) {
  const sound = el("audio", { controls: true, preload: "none", src: message.audio,
    "aria-label": `recording${message.seconds ? ` of ${message.seconds.toFixed(1)} s` : ""}` });
  const wave = el("div", { class: "wave", "aria-hidden": "true" });
  const box = el("div", { class: "recording" }, wave, sound);
  if (message.peaks) draw(wave, sound, message);
  else wave.remove();
  const missed = message.missed || [];
  if (message.spoken && message.spoken !== message.text) box.append(line("spoken", message.spoken));
  if (known(message.heard)) box.append(line("heard", message.heard, missed.length ? el("span", { class: "bad" },
    ` missed: ${missed.join(", ")}`) : null));
  return box;
}

const line = (name, text, ...more) => el("p", { class: `heard ${name}` }, faint(`${name}: `), text, ...more);

async function draw(wave, sound, message) {
  try {
    const { default: WaveSurfer } = await import("toolgym/vendor/wavesurfer.js");
    const style = getComputedStyle(document.documentElement);
    WaveSurfer.create({
      container: wave, media: sound, peaks: [message.peaks], duration: message.seconds, height: 36, barWidth: 2, barGap: 1,
      waveColor: style.getPropertyValue("--quiet").trim(), progressColor: style.getPropertyValue("--accent").trim(),
        cursorColor: style.getPropertyValue("--ink").trim(),
    });
  } catch { wave.remove(); }
}
