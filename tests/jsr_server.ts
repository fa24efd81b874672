// Stand-in for JSR, on 127.0.0.1 only. `deno publish` fills it through the registry's own interface,
// so it serves just what would be published: the files of the package and no other, with the names of
// an import map written out.

import { parentOf } from "../src/path.ts";

/** A file as a package's manifest lists it. */
interface ManifestEntry {
  size: number;
  checksum: string;
}

/** A version that was published. */
interface Version {
  /** By path, with a slash in front. */
  files: Map<string, Uint8Array<ArrayBuffer>>;
  manifest: Record<string, ManifestEntry>;
  exports: Record<string, string>;
  published: Date;
}

const UPLOAD_REGEXP = /^\/api\/scopes\/([^/]+)\/packages\/([^/]+)\/versions\/([^/]+)$/;
const PACKAGE_REGEXP = /^\/api\/scopes\/[^/]+\/packages\/[^/]+$/;
const META_REGEXP = /^\/(@[^/]+\/[^/]+)\/meta\.json$/;
const VERSION_META_REGEXP = /^\/(@[^/]+\/[^/]+)\/([^/]+)_meta\.json$/;
const FILE_REGEXP = /^\/(@[^/]+\/[^/]+)\/([^/]+)(\/.+)$/;

/** A running stand-in. */
export class JsrServer implements AsyncDisposable {
  /** Paths that were asked for. */
  readonly requests: string[] = [];
  readonly #ending = new AbortController();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  /** By `@scope/name`, then by number. */
  readonly #packages = new Map<string, Map<string, Version>>();

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {}, signal: this.#ending.signal },
      (request) => this.#handle(request),
    );
  }

  /** What `JSR_URL` is to be. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  /** Paths of a version's files, sorted. */
  files(name: string, version: string): string[] {
    return [...this.#version(name, version)?.files.keys() ?? []].sort();
  }

  async #handle(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const path = decodeURIComponent(pathname);
    this.requests.push(path);
    if (request.method === "POST") return await this.#publish(path, searchParams, request);
    if (path.startsWith("/api/publish_status/")) return Response.json(TASK);
    // Every scope and package is there already, and open to whoever publishes; no version is.
    if (PACKAGE_REGEXP.test(path)) return Response.json({});
    return this.#answer(path) ?? new Response("Not found", { status: 404 });
  }

  #answer(path: string): Response | undefined {
    const [, listed] = META_REGEXP.exec(path) ?? [];
    const versions = listed === undefined ? undefined : this.#packages.get(listed);
    if (versions !== undefined) {
      const [scope, name] = listed!.slice(1).split("/");
      const entries = [...versions].map(([number, { published }]) => [
        number,
        { createdAt: published.toISOString() },
      ]);
      const latest = [...versions.keys()].at(-1);
      return Response.json({ scope, name, latest, versions: Object.fromEntries(entries) });
    }
    const [, described, number] = VERSION_META_REGEXP.exec(path) ?? [];
    const version = this.#version(described, number);
    if (version !== undefined) {
      return Response.json({ manifest: version.manifest, exports: version.exports });
    }
    const [, owner, of, file] = FILE_REGEXP.exec(path) ?? [];
    const bytes = this.#version(owner, of)?.files.get(file!);
    if (bytes === undefined) return undefined;
    const type = file!.endsWith(".ts") ? "text/typescript" : "application/octet-stream";
    return new Response(bytes, {
      headers: { "content-type": file!.endsWith(".js") ? "text/javascript" : type },
    });
  }

  #version(name: string | undefined, number: string | undefined): Version | undefined {
    return this.#packages.get(name ?? "")?.get(number ?? "");
  }

  async #publish(path: string, parameters: URLSearchParams, request: Request): Promise<Response> {
    const [, scope, name, number] = UPLOAD_REGEXP.exec(path) ?? [];
    if (number === undefined) return new Response("Not found", { status: 404 });
    const files = await unpack(request.body!);
    const config = files.get(parameters.get("config")!)!;
    const { exports } = JSON.parse(new TextDecoder().decode(config));
    const manifest: Record<string, ManifestEntry> = {};
    for (const [file, bytes] of files) {
      const checksum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
      manifest[file] = { size: bytes.length, checksum: `sha256-${checksum}` };
    }
    const key = `@${scope}/${name}`;
    const versions = this.#packages.get(key) ?? new Map<string, Version>();
    this.#packages.set(key, versions);
    versions.set(number, {
      files,
      manifest,
      exports: typeof exports === "string" ? { ".": exports } : exports,
      // Deno may be told to pass by what is younger than a day.
      published: new Date("2026-01-01"),
    });
    return Response.json(TASK);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#server.finished;
  }
}

/** An upload that has been dealt with. */
const TASK = { id: "00000000-0000-0000-0000-000000000000", status: "success", error: null };

/** The files of a compressed archive, by path with a slash in front. */
async function unpack(
  archive: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  try {
    const tar = new Deno.Command("tar", { args: ["-xz", "-C", folder], stdin: "piped" }).spawn();
    await archive.pipeTo(tar.stdin);
    if (!(await tar.status).success) throw new Error("tar cannot unpack what was uploaded");
    const files = new Map<string, Uint8Array<ArrayBuffer>>();
    const visit = async (path: string) => {
      for await (const { name, isDirectory } of Deno.readDir(`${folder}${path}`)) {
        const entry = `${path}/${name}`;
        if (isDirectory) await visit(entry);
        else files.set(entry, await Deno.readFile(`${folder}${entry}`));
      }
    };
    await visit("");
    return files;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * A stand-in that has this project.
 *
 * @param version Default: that of `deno.json`.
 */
export async function publishedHere(...versions: string[]): Promise<JsrServer> {
  const server = new JsrServer();
  try {
    for (const version of versions.length === 0 ? [null] : versions) {
      await publish(server, version);
    }
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

async function publish(server: JsrServer, version: string | null): Promise<void> {
  const root = parentOf(parentOf(new URL(import.meta.url).pathname));
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["publish", "--quiet", "--allow-dirty", "--no-check", "--no-provenance", "--token=none"],
      ...(version === null ? [] : [`--set-version=${version}`]),
    ],
    cwd: root,
    env: { JSR_URL: server.url, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (!success) throw new Error(`deno publish: ${new TextDecoder().decode(stderr)}`);
}

if (import.meta.main) {
  const server = await publishedHere(...Deno.args);
  console.log(server.url);
}
