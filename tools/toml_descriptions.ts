// What the keys of judge TOMLs and reward.toml mean, for editors to show.

/** A key, by its path; `*` stands for a name of the author's choice. */
export type Descriptions = Readonly<Record<string, string>>;

const SCORING: Descriptions = {
  aggregation: "How the scores combine. Default weighted-mean.",
  threshold: "What the weighted mean has to reach, with threshold. Default 0.5.",
  pass: "Least score that counts as passed, with all-pass, any-pass and required-pass. Default: " +
    "any score above 0.",
};

/** The keys of a judge TOML. */
export const JUDGE_DESCRIPTIONS: Descriptions = {
  judge: "Who judges, and what it is shown.",
  "judge.judge": "A model as service/model, claude-code, codex, or an agent that a script adds. " +
    "Default anthropic/claude-opus-5-5.",
  "judge.files": "Files, folders and globs of the workspace that a model is shown.",
  "judge.reference": "A file or folder to compare with; a relative path starts at the workspace.",
  "judge.atif-trajectory": "Path of the agent's trajectory in ATIF.",
  "judge.mode": "batched: all criteria in one call; individual: a call for each. Default batched.",
  "judge.samples": "How often each question is asked; the median counts. Default 1.",
  "judge.guard": "Whether to look for a submission that speaks to the judge, and what follows: " +
    "flag reports it, penalize scores 0. Default off.",
  "judge.timeout": "Seconds for one answer, retries included; 0 is without limit. Default 300.",
  "judge.reasoning_effort": "How much a model thinks. Default medium for models, the agent's own " +
    "choice for agents.",
  "judge.prompt_template": "A .md or .txt file beside this one, with {criteria} in it.",
  "judge.weight": "Weight among the scores of its folder. Default 1.",
  "judge.model": "The model of an agent.",
  "judge.version": "The exact version of an agent's program, such as 2.1.197.",
  "judge.isolated": "Whether each run of an agent gets a throw-away view of the workspace. " +
    "Default false.",
  "judge.cwd": "The folder that an agent works in. Default: the workspace.",
  "judge.mcp_servers": "Tool servers that an agent may use.",
  "judge.mcp_servers.name": "Its name.",
  "judge.mcp_servers.transport": "How it is reached; http is streamable-http. Default sse.",
  "judge.mcp_servers.url": "Its address; $NAME is replaced from the environment.",
  "judge.mcp_servers.command": "The program of a stdio server.",
  "judge.mcp_servers.args": "The program's arguments; $NAME is replaced from the environment.",
  "judge.mcp_servers.allowed_tools": "The tools that may be used. Default: all of them.",
  scoring: "How the criteria combine.",
  ...below("scoring", SCORING),
  criterion: "A question to the judge.",
  "criterion.name": "Its name in the results. Default: made from the description.",
  "criterion.description": "The question.",
  "criterion.type": "How it is answered: yes or no, a number of points, a number in a range, or " +
    "one of several levels. Default binary.",
  "criterion.points": "Highest answer of likert. Default 5.",
  "criterion.min": "Least answer of numeric. Default 0.",
  "criterion.max": "Highest answer of numeric; more than min. Default 1.",
  "criterion.levels": "The answers of rubric, from worst to best.",
  "criterion.weight": "Weight among the criteria of this judge. Default 1.",
  "criterion.negate": "Turns the score around. Default false.",
  "criterion.optional": "Does not count for required-pass. Default false.",
  "criterion.files": 'Files of this criterion alone; needs mode = "individual".',
  "criterion.id": "A key of your own, for the results.",
  "criterion.annotations": "Notes of your own, for the results.",
};

/** The keys of reward.toml. */
export const REWARD_DESCRIPTIONS: Descriptions = {
  reward: "How the scores of a folder combine; below the tests folder at most one.",
  "reward.name": "The name of the score: needed in the tests folder itself, refused below it.",
  ...below("reward", SCORING),
  "reward.weights": "Weights of files and folders, by file name without extension, or folder name.",
  "reward.weights.*": "A weight. Default 1, or the judge's own.",
  scoring: "How the criteria of each check file combine.",
  "scoring.*": "The check file of this name, without its extension.",
  ...below("scoring.*", SCORING),
};

function below(path: string, descriptions: Descriptions): Descriptions {
  return Object.fromEntries(
    Object.entries(descriptions).map(([key, text]) => [`${path}.${key}`, text]),
  );
}
