// Stand-in for the services that run models: Anthropic's Messages, and OpenAI's Chat Completions
// and Responses. Speaks by a script, on 127.0.0.1 only.
//
// As a program: deno run -A tests/model_server.ts [--port=0] [--script=script.json]

/** One scripted answer. Without `status`, `raw` or a fault, it is a success with `text`. */
export interface Reply {
  /** Only for requests whose JSON holds this. */
  match?: string;
  /** Answers any number of requests; otherwise one. */
  repeat?: boolean;
  /** What the model says. */
  text?: string;
  /** Anthropic only: content blocks in place of `text`. */
  content?: unknown[];
  /** A call of a tool in place of `text`. */
  tool?: { name: string; input: unknown };
  /** The model declines. */
  refusal?: boolean;
  stop_reason?: string;
  finish_reason?: string;
  /** In the shape of the API that is asked. */
  usage?: Record<string, unknown>;
  /** Anything but 200 is an error in the shape of the API. */
  status?: number;
  message?: string;
  error_type?: string;
  headers?: Record<string, string | number>;
  /** The body as it is sent. */
  raw?: string;
  /** Seconds before the answer. */
  delay?: number;
  /** `hang`: never answers. `close`: breaks off within the body. `flood`: sends without end. */
  fault?: "hang" | "close" | "flood";
}

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

const USAGE = {
  messages: { input_tokens: 100, output_tokens: 20 },
  chat: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  responses: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
};

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
    const body = status === 200 ? success(api, seen.body, reply) : failure(api, status, reply);
    return Response.json(body, { status, headers });
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

type Api = "messages" | "chat" | "responses";

function apiOf(path: string): Api | null {
  if (path.endsWith("/messages")) return "messages";
  if (path.endsWith("/chat/completions")) return "chat";
  return path.endsWith("/responses") ? "responses" : null;
}

function success(api: Api, body: { model?: unknown }, reply: Reply): unknown {
  const id = crypto.randomUUID().slice(0, 12);
  const usage = reply.usage ?? USAGE[api];
  const text = reply.text ?? "";
  switch (api) {
    case "messages": {
      const tool = reply.tool && { type: "tool_use", id: `toolu_${id}`, ...reply.tool };
      return {
        id: `msg_${id}`,
        type: "message",
        role: "assistant",
        model: body.model,
        content: reply.refusal ? [] : reply.content ?? [tool ?? { type: "text", text }],
        stop_reason: reply.stop_reason ??
          (reply.refusal ? "refusal" : tool ? "tool_use" : "end_turn"),
        stop_sequence: null,
        usage,
      };
    }
    case "chat":
      return {
        id: `chatcmpl-${id}`,
        object: "chat.completion",
        created: 1_800_000_000,
        model: body.model,
        choices: [{
          index: 0,
          message: reply.refusal
            ? { role: "assistant", content: null, refusal: "declined" }
            : { role: "assistant", content: text },
          finish_reason: reply.finish_reason ?? "stop",
        }],
        usage,
      };
    case "responses": {
      const part = reply.refusal
        ? { type: "refusal", refusal: "declined" }
        : { type: "output_text", text, annotations: [] };
      const isCut = reply.finish_reason === "length";
      return {
        id: `resp_${id}`,
        object: "response",
        created_at: 1_800_000_000,
        status: isCut ? "incomplete" : "completed",
        model: body.model,
        output: [{
          type: "message",
          id: `msg_${id}`,
          status: "completed",
          role: "assistant",
          content: [part],
        }],
        incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
        error: null,
        usage,
      };
    }
  }
}

function failure(api: Api, status: number, reply: Reply): unknown {
  const message = reply.message ?? `scripted ${status}`;
  const type = reply.error_type ?? (status >= 500 ? "server_error" : "invalid_request_error");
  const error = { type, message };
  return api === "messages" ? { type: "error", error } : { error: { ...error, param: null } };
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
