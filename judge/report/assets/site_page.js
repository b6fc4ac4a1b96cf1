// A site's page: the same views as the live page, with files that were written beforehand.

import { start } from "toolgym/app.js";
import { published } from "toolgym/source.js";

start(published());
