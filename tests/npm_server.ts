// Stand-in for the npm registry, on 127.0.0.1 only.

import { createHash } from "node:crypto";
import { dirname } from "node:path";

/** A package that it has. */
export interface NpmPackage {
  /** Fields of its `package.json`; `name` and `version` are needed. */
  manifest: { name: string; version: string } & Record<string, unknown>;
  /** Content by path; none is executable. */
  files?: Readonly<Record<string, string>>;
  /** When it was published. Default: the registry does not say. */
  time?: Date;
}

/** A running stand-in. */
export class NpmServer implements AsyncDisposable {
  /** Paths that were asked for. */
  readonly requests: string[] = [];
  /** Called before each answer, which waits for it; may answer in its place. */
  onRequest: (path: string) => undefined | Response | Promise<undefined | Response> = () =>
    undefined;
  readonly #ending = new AbortController();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #packages: readonly NpmPackage[];
  readonly #served = new Map<string, Uint8Array<ArrayBuffer>>();
  /** Name of the file → its bytes. */
  readonly #archives = new Map<string, Uint8Array<ArrayBuffer>>();

  constructor(packages: readonly NpmPackage[]) {
    this.#packages = packages;
    for (const it of packages) this.#archives.set(archiveName(it), archiveOf(it));
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {}, signal: this.#ending.signal },
      (request) => this.#handle(request),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  /** How often a package's archive was asked for. */
  downloads(name: string): number {
    const archives = this.#packages.filter(({ manifest }) => manifest.name === name)
      .map(archiveName);
    return this.requests.filter((path) => archives.includes(path)).length;
  }

  /** Serves other bytes than those that the registry vouches for. */
  replace(archive: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.#served.set(archive, bytes);
  }

  async #handle(request: Request): Promise<Response> {
    const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
    this.requests.push(path);
    const answer = await this.onRequest(path);
    if (answer !== undefined) return answer;
    const archive = this.#served.get(path) ?? this.#archives.get(path);
    if (archive !== undefined) return new Response(archive);
    const versions = this.#packages.filter(({ manifest }) => manifest.name === path);
    if (versions.length === 0) return Response.json({ error: "Not found" }, { status: 404 });
    return Response.json({
      name: path,
      "dist-tags": { latest: versions.at(-1)!.manifest.version },
      versions: Object.fromEntries(versions.map((it) => [it.manifest.version, this.#entry(it)])),
      ...(versions.some(({ time }) => time !== undefined) && {
        time: Object.fromEntries(versions.map(({ manifest, time }) => [manifest.version, time])),
      }),
    });
  }

  #entry(it: NpmPackage): Record<string, unknown> {
    const bytes = this.#archives.get(archiveName(it))!;
    return {
      ...it.manifest,
      hasInstallScript: "scripts" in it.manifest,
      dist: {
        tarball: `${this.url}${archiveName(it)}`,
        shasum: createHash("sha1").update(bytes).digest("hex"),
        integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#server.finished;
  }
}

function fileName(name: string): string {
  return name.replace("@", "").replace("/", "-");
}

function archiveName({ manifest: { name, version } }: NpmPackage): string {
  return `${fileName(name)}-${version}.tgz`;
}

function archiveOf({ manifest, files }: NpmPackage): Uint8Array<ArrayBuffer> {
  const folder = Deno.makeTempDirSync();
  try {
    for (
      const [path, content] of Object.entries({
        ...files,
        "package.json": JSON.stringify(manifest),
      })
    ) {
      const file = `${folder}/package/${path}`;
      Deno.mkdirSync(dirname(file), { recursive: true });
      Deno.writeTextFileSync(file, content);
    }
    const tar = new Deno.Command("tar", { args: ["-cz", "-C", folder, "package"] }).outputSync();
    if (!tar.success) throw new Error(new TextDecoder().decode(tar.stderr));
    return tar.stdout;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
