// The report's page: the views with the data that travel in it.

import { start } from "toolgym/app.js";
import { inlined, unpack } from "toolgym/source.js";

try {
  const data = await unpack(document.getElementById("data").textContent);
  start(inlined(data), document.querySelector(".brand").getAttribute("href"));
} catch (error) {
  document.getElementById("main").textContent = `This report could not be unpacked: ${error}`;
}
