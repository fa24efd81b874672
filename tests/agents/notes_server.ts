// A tool server that an agent can be given: it has one tool, and notes what it is asked.
// Argument: a file for the notes.

const [notes] = Deno.args;

const TOOL = {
  name: "read_note",
  description: "Reads the note of the author.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
};

function answerTo(method: string, params: { protocolVersion?: string }): unknown {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "notes", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: [TOOL] };
    case "tools/call":
      return { content: [{ type: "text", text: "NOTE-OF-THE-AUTHOR" }] };
    default:
      return {};
  }
}

let buffer = "";
for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  buffer += chunk;
  for (let end = buffer.indexOf("\n"); end >= 0; end = buffer.indexOf("\n")) {
    const { id, method, params } = JSON.parse(buffer.slice(0, end));
    buffer = buffer.slice(end + 1);
    Deno.writeTextFileSync(notes!, `${method}\n`, { append: true });
    if (id !== undefined) {
      console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answerTo(method, params ?? {}) }));
    }
  }
}
