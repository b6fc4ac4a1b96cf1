// A microphone whose words the server's recogniser writes down, and the other side's words spoken. What is recorded is
// made into 16 kHz mono WAV here and kept nowhere.

import { el } from "toolgym/dom.js";

const RATE = 16000, LONGEST = 120; // seconds, as long as an utterance may be

/** 16-bit PCM in a WAV file. */
function wav(samples) {
  const long = 2 * samples.length, sound = Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32767));
  const header = new Uint32Array([36 + long, 16, 1 | (1 << 16), RATE, 2 * RATE, 2 | (16 << 16), long]); // form 1, one channel; 2 bytes, 16 bits a sample
  return new Blob(["RIFF", header.slice(0, 1), "WAVEfmt ", header.slice(1, 6), "data", header.slice(6), sound]);
}

/** A recording in whatever form the browser makes as 16 kHz mono. */
async function converted(blob) {
  const context = new AudioContext(), sound = await context.decodeAudioData(await blob.arrayBuffer());
  await context.close();
  const offline = new OfflineAudioContext(1, Math.max(1, Math.ceil(sound.duration * RATE)), RATE), from = offline.createBufferSource();
  from.buffer = sound;
  from.connect(offline.destination);
  from.start();
  return wav((await offline.startRendering()).getChannelData(0));
}

/** A button that records; `use` is told the words. `missing` says why there is no recogniser. */
export function microphone(source, missing, use) {
  const button = el("button", { type: "button", id: "microphone", "aria-pressed": "false" }, "Speak"),
    said = el("span", { class: "quiet", role: "status", id: "heard" }), box = el("span", { class: "microphone" }, button, said);
  if (missing || !navigator.mediaDevices?.getUserMedia) {
    button.disabled = true;
    said.textContent = missing || "The browser gives a page a microphone only at this machine's own address or over https.";
    return box;
  }
  let recorder = null, end = null;
  const rest = () => { button.textContent = "Speak"; button.setAttribute("aria-pressed", "false"); clearTimeout(end); recorder = null; };
  async function record() {
    let stream;
    try { stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
      } catch (error) { said.textContent = `There is no microphone to use (${error.message}).`; return; }
    const parts = [];
    recorder = new MediaRecorder(stream);
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = async () => {
      const type = recorder.mimeType;
      rest();
      stream.getTracks().forEach((track) => track.stop());
      said.textContent = "Listening to it…";
      try {
        const found = await source.sent("/play/hear", await converted(new Blob(parts, { type })));
        said.textContent = `Heard: ${found.text}`;
        use(found.text);
      } catch (error) { said.textContent = error.message; }
    };
    recorder.start();
    button.textContent = "Stop and use it";
    button.setAttribute("aria-pressed", "true");
    said.textContent = "Recording…";
    end = setTimeout(() => recorder?.stop(), 1000 * (LONGEST - 1));
  }
  button.addEventListener("click", () => (recorder ? recorder.stop() : record()));
  return box;
}

/** A box to tick, and `speak(place)`, which speaks a message of the other side while it is ticked. */
export function player(source, missing, id) {
  if (missing) return { node: null, speak: () => {} };
  const aloud = el("input", { type: "checkbox", id: "aloud" }), sound = el("audio", { id: "voice", hidden: true }), waiting = [];
  const next = () => { const place = waiting.shift(); if (place !== undefined) { sound.src = `api/play/voice?${new URLSearchParams({ id, message: place })}`;
    sound.play().catch(() => {}); } };
  sound.addEventListener("ended", next);
  sound.addEventListener("error", next);
  return {
    node: el("label", { class: "quiet" }, aloud, " speak the other side's words", sound),
    speak: (place) => { if (!aloud.checked) return; waiting.push(place); if (sound.paused || sound.ended || !sound.src) next(); },
  };
}
