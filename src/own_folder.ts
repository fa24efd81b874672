// Where this copy of Reward Kit lies: in a checkout, in a registry, or in a bundle.

import { pathOfFileUrl } from "./path.ts";

/** A bundle has no TypeScript in it, and all of it lies in one folder. */
const IS_BUNDLE = import.meta.url.endsWith(".js");
const ROOT = new URL(IS_BUNDLE ? "./" : "../", import.meta.url);
const IS_FOLDER = ROOT.protocol === "file:";

/** What kind of copy it is. */
export const OWN_PLACE: "checkout" | "registry" | "bundle" = IS_BUNDLE
  ? "bundle"
  : IS_FOLDER
  ? "checkout"
  : "registry";

/** The folder with all of it, without a slash at its end; `null` if it lies in a registry. */
export const OWN_FOLDER: string | null = IS_FOLDER
  ? pathOfFileUrl(ROOT.href).replace(/\/$/, "")
  : null;
