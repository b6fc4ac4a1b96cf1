// The page with its modules beside it: a server's, one that lets nothing be changed, or a site of files.

import { start } from "toolgym/app.js";
import { published, served } from "toolgym/source.js";

const kind = document.documentElement.dataset.source;
start(kind === "site" ? published() : served({ writable: kind !== "read-only" }));
