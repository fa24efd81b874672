// What a reader of JUnit files would say of one.

import { XmlDocument, XmlLibError, XsdValidator } from "libxml2-wasm";

const SCHEMA = await Deno.readTextFile(new URL("../fixtures/junit.xsd", import.meta.url));

/** Why a text is no XML, or not what the schema allows; `null`: it is right. */
export function junitProblem(text: string): string | null {
  using schema = XmlDocument.fromString(SCHEMA);
  using validator = XsdValidator.fromDoc(schema);
  try {
    using document = XmlDocument.fromString(text);
    validator.validate(document);
    return null;
  } catch (error) {
    if (error instanceof XmlLibError) return error.message;
    throw error;
  }
}
