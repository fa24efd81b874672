// Stand-in for the services that run models: Anthropic's Messages, and OpenAI's Chat Completions
// and Responses. Speaks by a script, on 127.0.0.1 only.
//
// As a program: deno run -A tests/model_server.ts [--port=0] [--script=script.json]

import { apiOf, failure, type Reply, streamed, success } from "./model_answers.ts";

export type { Reply };

/** A request that came in. */
export interface SeenRequest {
  path: string;
  headers: Record<string, string>;
  // deno-lint-ignore no-explicit-any -- whatever was sent; tests look into it
  body: any;
  /** Milliseconds since the server was started. */
  at: number;
}

/** Answers a request itself, in place of a script. */
export type Answerer = (request: SeenRequest) => Reply;

/** A running stand-in. */
export class ModelServer implements AsyncDisposable {
  readonly requests: SeenRequest[] = [];
  /** Most requests that were open at the same time. */
  mostAtOnce = 0;
  readonly #script: Reply[] | Answerer;
  readonly #started = performance.now();
  readonly #ending = new AbortController();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #open = 0;

  constructor(script: readonly Reply[] | Answerer, port = 0) {
    this.#script = typeof script === "function" ? script : [...script];
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port, onListen: () => {}, signal: this.#ending.signal },
      (request) => this.#handle(request),
    );
  }

  /** Without `/v1`. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Variables that lead every judge of Anthropic and OpenAI here, with keys. */
  get environment(): Record<string, string> {
    return {
      ANTHROPIC_BASE_URL: this.url,
      ANTHROPIC_API_KEY: "test-key-anthropic",
      OPENAI_BASE_URL: `${this.url}/v1`,
      OPENAI_API_KEY: "test-key-openai",
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#server.finished;
  }

  async #handle(request: Request): Promise<Response> {
    this.#open++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#open);
    try {
      return await this.#answer(request);
    } finally {
      this.#open--;
    }
  }

  async #answer(request: Request): Promise<Response> {
    // A client that looks whether anybody is there.
    if (request.method === "HEAD") return new Response(null);
    const arrived = performance.now() - this.#started;
    const path = new URL(request.url).pathname;
    const text = await request.text();
    const seen: SeenRequest = {
      path,
      headers: Object.fromEntries(request.headers),
      body: parsed(text),
      at: arrived,
    };
    this.requests.push(seen);
    const api = apiOf(path);
    if (api === null) return Response.json({ error: { message: "no such path" } }, { status: 404 });
    const reply = typeof this.#script === "function" ? this.#script(seen) : this.#take(text, seen);
    // From the arrival on: the stand-in's own work is no part of the answer's time.
    const late = (performance.now() - this.#started - arrived) / 1000;
    if (reply.delay !== undefined) await this.#wait(Math.max(0, reply.delay - late));
    if (reply.fault !== undefined) return await this.#fail(reply.fault);
    const headers = Object.entries(reply.headers ?? {}).map((
      [name, value],
    ): [string, string] => [name, String(value)]);
    if (reply.raw !== undefined) {
      const all = new Headers([["content-type", "application/json"]]);
      for (const [name, value] of headers) all.set(name, value);
      return new Response(reply.raw, { status: reply.status ?? 200, headers: all });
    }
    const status = reply.status ?? 200;
    if (status !== 200) return Response.json(failure(api, status, reply), { status, headers });
    const body = success(api, seen.body, reply);
    return seen.body.stream === true ? streamed(api, body) : Response.json(body, { headers });
  }

  #take(text: string, { body }: SeenRequest): Reply {
    // As JSON text: letters are not escaped in it, whatever the client does.
    const plain = typeof body === "object" ? JSON.stringify(body) : text;
    const script = this.#script as Reply[];
    const index = script.findIndex(({ match }) => match === undefined || plain.includes(match));
    if (index === -1) return { status: 400, message: "the script has no more replies" };
    const reply = script[index]!;
    if (reply.repeat !== true) script.splice(index, 1);
    return reply;
  }

  #wait(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#ending.signal.removeEventListener("abort", done);
        resolve();
      };
      // A timer fires up to a millisecond late, and the answer takes another half to arrive.
      const timer = setTimeout(done, seconds * 1000 - 1);
      this.#ending.signal.addEventListener("abort", done);
    });
  }

  async #fail(fault: NonNullable<Reply["fault"]>): Promise<Response> {
    const headers = { "content-type": "application/json" };
    if (fault === "hang") {
      await this.#wait(1e6);
      return new Response(null, { status: 500 });
    }
    if (fault === "close") {
      const body = new ReadableStream({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode('{"id": "'));
          await new Promise((resolve) => setTimeout(resolve, 10));
          controller.error(new Error("broken off"));
        },
      });
      return new Response(body, { headers: { ...headers, "content-length": "1000" } });
    }
    const chunk = new TextEncoder().encode(" ".repeat(1 << 16));
    let left = 1e9;
    const body = new ReadableStream({
      pull(controller) {
        left -= chunk.length;
        if (left > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    return new Response(body, { headers });
  }
}

/** Starts a stand-in. */
export function startModelServer(script: readonly Reply[] | Answerer, port = 0): ModelServer {
  return new ModelServer(script, port);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

if (import.meta.main) {
  const option = (name: string) =>
    Deno.args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const file = option("script");
  const script: Reply[] = file === undefined
    ? [{ text: '{"reasoning": "fine", "score": "yes"}', repeat: true }]
    : JSON.parse(Deno.readTextFileSync(file));
  console.log(startModelServer(script, Number(option("port") ?? 0)).url);
}
