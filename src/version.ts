// The version of this package, for the command line and for the details.

/** As in `deno.json`; a test holds the two together. */
export const VERSION = "0.1.0";
