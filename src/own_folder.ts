// Where this copy of Reward Kit lies: a checkout, a registry, or a bundle.

import { pathOfFileUrl } from "./path.ts";

/** Whether it is a bundle, which has no TypeScript in it. */
export const IS_BUNDLE = import.meta.url.endsWith(".js");

/** A bundle's files all lie in one folder. */
const ROOT = new URL(IS_BUNDLE ? "./" : "../", import.meta.url);

/** The folder with all of it, without a slash at its end; `null` if it lies in a registry. */
export const OWN_FOLDER: string | null = ROOT.protocol === "file:"
  ? pathOfFileUrl(ROOT.href).replace(/\/$/, "")
  : null;
