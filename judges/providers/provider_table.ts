// The services that judges may name, and where their addresses and keys are found.

/** How a service is spoken to. */
export type Api = "anthropic" | "openai-chat" | "openai-responses";

/** A service. */
export interface Provider {
  /** Stands before the slash of a judge; as people know it from LiteLLM. */
  prefix: string;
  /** For messages. */
  title: string;
  api: Api;
  /** Variables with another address, the first that is set counts. */
  baseVariables: readonly string[];
  /** Address without one of them; absent: it has to be given. */
  base?: string;
  /** Variables with the key, the first that is set counts; empty: it takes none. */
  keyVariables: readonly string[];
  /** Whether it works without a key. */
  isKeyOptional?: boolean;
  /** Beginnings of models that are meant when a judge names no service. */
  bareModels?: RegExp;
}

/** Every service by its prefix. */
export const PROVIDERS: readonly Provider[] = [
  {
    prefix: "anthropic",
    title: "Anthropic",
    api: "anthropic",
    baseVariables: ["ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"],
    base: "https://api.anthropic.com",
    keyVariables: ["ANTHROPIC_API_KEY"],
    bareModels: /^claude/,
  },
  {
    prefix: "openai",
    title: "OpenAI",
    api: "openai-chat",
    baseVariables: ["OPENAI_BASE_URL", "OPENAI_API_BASE"],
    base: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    bareModels: /^(?:gpt-|chatgpt-|o\d)/,
  },
  compatible("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
  compatible(
    "gemini",
    "Google Gemini",
    "https://generativelanguage.googleapis.com/v1beta/openai",
    ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  ),
  compatible("groq", "Groq", "https://api.groq.com/openai/v1"),
  compatible("mistral", "Mistral", "https://api.mistral.ai/v1"),
  compatible("deepseek", "DeepSeek", "https://api.deepseek.com/v1"),
  compatible("together_ai", "Together AI", "https://api.together.xyz/v1", [
    "TOGETHER_AI_API_KEY",
    "TOGETHERAI_API_KEY",
    "TOGETHER_API_KEY",
  ]),
  compatible("fireworks_ai", "Fireworks AI", "https://api.fireworks.ai/inference/v1", [
    "FIREWORKS_AI_API_KEY",
    "FIREWORKS_API_KEY",
  ]),
  compatible("xai", "xAI", "https://api.x.ai/v1"),
  {
    ...compatible("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
    isKeyOptional: true,
  },
  // The address is that of the resource: https://NAME.openai.azure.com/openai/v1
  compatible("azure", "Azure OpenAI"),
  { ...compatible("hosted_vllm", "vLLM"), isKeyOptional: true },
];

/** A service that speaks OpenAI's chat completions; its variables are named after its prefix. */
function compatible(
  prefix: string,
  title: string,
  base?: string,
  keyVariables: readonly string[] = [`${prefix.toUpperCase()}_API_KEY`],
): Provider {
  return {
    prefix,
    title,
    api: "openai-chat",
    baseVariables: [`${prefix.toUpperCase()}_API_BASE`],
    ...(base !== undefined && { base }),
    keyVariables,
  };
}
