// The live page: the same views as the report, with the server's data.

import { start } from "toolgym/app.js";
import { served } from "toolgym/source.js";

start(served());
