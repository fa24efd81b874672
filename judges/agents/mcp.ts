// Tool servers that an agent may use.

import { ConfigError } from "../../src/errors.ts";
import type { McpServer } from "../../src/judge_config.ts";
import type { Environment } from "./agent.ts";

const VARIABLE_REGEXP = /\$(?:(\$)|\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

/**
 * Replaces `$NAME` and `${NAME}` in commands, arguments and addresses; `$$` is a dollar sign.
 *
 * @throws {ConfigError} If a variable is not set.
 *
 * @example
 * ```ts
 * import { withVariables } from "./mcp.ts";
 * import assert from "node:assert/strict";
 *
 * const [server] = withVariables(
 *   [{ name: "web", transport: "sse", url: "http://$HOST/sse", args: [], allowedTools: [] }],
 *   { HOST: "localhost" },
 * );
 * assert.equal(server?.url, "http://localhost/sse");
 * ```
 */
export function withVariables(
  servers: readonly McpServer[],
  environment: Environment,
): McpServer[] {
  return servers.map((server) => {
    const expand = (text: string) =>
      text.replace(VARIABLE_REGEXP, (_, dollar, braced, bare) => {
        if (dollar !== undefined) return dollar;
        const name: string = braced ?? bare;
        const value = environment[name];
        if (value !== undefined) return value;
        throw new ConfigError(`the tool server "${server.name}" needs ${name}, which is not set`, {
          hint: "Set it in the environment or with --judge-env; a dollar sign itself is $$",
        });
      });
    return {
      ...server,
      args: server.args.map(expand),
      ...(server.command !== undefined && { command: expand(server.command) }),
      ...(server.url !== undefined && { url: expand(server.url) }),
    };
  });
}
