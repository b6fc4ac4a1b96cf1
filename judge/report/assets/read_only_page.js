// The live page of a server that lets nothing be changed.

import { start } from "toolgym/app.js";
import { served } from "toolgym/source.js";

start(served({ writable: false }));
