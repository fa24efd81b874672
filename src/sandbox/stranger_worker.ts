// Entry of a Worker that loads a stranger's check file: first what it must not have is taken away.

import "./prelude.ts";
import "./author_worker.ts";
