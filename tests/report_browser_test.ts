// The report as a person sees it, in a real browser: what is hostile in it stays text, and what helps
// to read it works.

import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { htmlReport, type ReportContent } from "../src/report/html/page.ts";
import type { ScoreNode } from "../src/score/tree.ts";

const CHROMIUM = "/usr/bin/chromium";
const isHere = await Deno.stat(CHROMIUM).then(() => true, () => false);
if (!isHere) console.log("SKIPPED: the report in a browser, which takes Debian's chromium");

const ARGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

interface Opened {
  page: Page;
  /** What should not happen: dialogs, errors, requests. */
  incidents: string[];
}

/** One browser for all: it takes a second to start. */
async function withPages(work: (open: Open) => Promise<void>): Promise<void> {
  const { chromium } = await import("playwright-core");
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  const folder = await Deno.makeTempDir({ prefix: "rewardkit-test-" });
  let files = 0;
  try {
    await work(async (content, options = {}) => {
      const file = `${folder}/${files++}.html`;
      await Deno.writeTextFile(file, htmlReport({ ...CONTENT, ...content }));
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const incidents: string[] = [];
      page.on("dialog", async (dialog) => {
        incidents.push(`dialog: ${dialog.message()}`);
        await dialog.dismiss();
      });
      page.on("console", (message) => incidents.push(`console: ${message.text()}`));
      page.on("pageerror", (error) => incidents.push(`error: ${error.message}`));
      page.on("request", (request) => {
        if (!request.url().startsWith(`file://${file}`)) incidents.push(request.url());
      });
      await page.goto(`file://${file}`);
      return { page, incidents };
    });
  } finally {
    await browser.close();
    await Deno.remove(folder, { recursive: true });
  }
}

type Open = (
  content: Partial<ReportContent>,
  options?: { javaScriptEnabled?: boolean; viewport?: { width: number; height: number } },
) => Promise<Opened>;

function leaf(names: readonly string[], value = (index: number) => index % 2): ScoreNode {
  const criteria = names.map((name, index) => ({
    name,
    value: value(index),
    raw: value(index),
    weight: 1,
    reasoning: `reason ${index}`,
  }));
  return { score: 0.5, kind: "programmatic", criteria };
}

const CONTENT: ReportContent = {
  rewards: { reward: 0.5 },
  details: { reward: leaf(["alpha", "beta", "gamma"]) },
  errors: [],
  folders: [],
  workspace: "/app",
  testsDirs: ["/tests"],
  date: new Date(0),
  durationSec: 1,
  version: "0.0.0",
};

/** Would each run something, load something or change the page, if it were taken for markup. */
const ATTACKS = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "</style><script>alert(1)</script>",
  "</title><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)" autofocus onfocus="alert(1)',
  "' onclick='alert(1)",
  "<svg onload=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<a href='javascript:alert(1)'>x</a>",
  "<base href='https://evil.example/'>",
  "<link rel=stylesheet href='https://evil.example/x.css'>",
  "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
  "<form action='https://evil.example/'><input name=a autofocus></form>",
  "<style>*{display:none}</style>",
  "-->\u2028<script>alert(1)</script><!--",
  "\u202etxt.exe\u2066",
  "${alert(1)}`{{constructor.constructor('alert(1)')()}}",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
];

Deno.test({
  name: "the report in a browser",
  ignore: !isHere,
  // The browser's process and its pipes belong to the steps.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: (t) =>
    withPages(async (open) => {
      await t.step("hostile texts are shown, and do nothing", async () => {
        const text = ATTACKS.join("\n");
        const node: ScoreNode = {
          score: 0.5,
          kind: "agent",
          criteria: ATTACKS.map((attack) => ({
            ...{ name: attack, value: 0, raw: { [attack]: [attack, { [attack]: 1 }] }, weight: 1 },
            ...{ description: attack, reasoning: text, error: attack, model: attack, id: attack },
            ...{ expected: attack, found: text, samples: [attack] },
          })),
          warnings: ATTACKS,
          errors: ATTACKS.map((attack) => ({ file: attack, message: attack })),
          judge: Object.fromEntries(ATTACKS.map((attack) => [attack, attack])),
          usage: { [text]: text },
          judge_output: text,
          judge_logs: ATTACKS,
          guard: { said: text },
          permissions: { custom: { read: ATTACKS } },
          isolation: text,
        };
        const names = ATTACKS.map((attack, at) => `v${at}${attack}`);
        const { page, incidents } = await open({
          rewards: Object.fromEntries(names.map((name) => [`${name}/${text}`, 0.5])),
          details: Object.fromEntries(names.map((name) => [`${name}/${text}`, node])),
          errors: ATTACKS.map((attack) => ({ file: attack, criterion: attack, message: attack })),
          folders: names,
          workspace: text,
          testsDirs: ATTACKS,
        });
        await page.click("#open");
        await page.hover(".criterion summary");
        await page.waitForTimeout(200);
        assert.deepEqual(incidents, []);
        const counts = await page.evaluate(`({
          scripts: document.scripts.length,
          strangers: document.querySelectorAll("img, iframe, a, base, link, form, object").length,
          forged: document.querySelectorAll("[onclick], [onfocus], [onmouseover], [style]").length,
        })`);
        assert.deepEqual(counts, { scripts: 1, strangers: 0, forged: 0 });
        const shown = await page.locator("body").innerText();
        for (const attack of ATTACKS.filter((it) => !/[\u2028\u202e]/.test(it))) {
          assert.ok(shown.includes(attack), attack);
        }
      });

      await t.step("search and filter leave what fits", async () => {
        const { page, incidents } = await open({});
        const visible = () => page.locator(".criterion:visible .name").allInnerTexts();
        await page.fill("#search", "reason 1");
        await page.locator("output", { hasText: /^1 of 3$/ }).waitFor();
        assert.deepEqual(await visible(), ["beta"]);
        await page.fill("#search", "");
        await page.check("input[value=failed]");
        assert.deepEqual(await visible(), ["alpha", "gamma"]);
        await page.fill("#search", "nothing like it");
        await page.waitForSelector("#nothing:visible");
        assert.deepEqual(await visible(), []);
        assert.deepEqual(incidents, []);
      });

      await t.step("keys search, filter, move and open", async () => {
        const { page } = await open({});
        const focused = () => page.evaluate<string>("document.activeElement.textContent");
        await page.keyboard.press("/");
        assert.equal(await page.evaluate("document.activeElement.id"), "search");
        await page.keyboard.press("Escape");
        for (const key of ["j", "j", "ArrowDown", "k"]) await page.keyboard.press(key);
        assert.match(await focused(), /alpha/);
        await page.keyboard.press("Enter");
        assert.ok(await page.locator(".criterion[open] .reasoning:visible").count() === 1);
        await page.keyboard.press("f");
        assert.equal(await page.locator(".criterion:visible").count(), 2);
      });

      await t.step("without scripts everything can be read", async () => {
        const { page } = await open({}, { javaScriptEnabled: false });
        assert.equal(await page.locator(".criterion:visible").count(), 3);
        assert.equal(await page.locator("#tools:visible, #theme:visible").count(), 0);
        await page.locator(".criterion summary").first().click();
        assert.equal(await page.locator(".reasoning:visible").count(), 1);
      });

      await t.step("nothing is wider than a phone", async () => {
        const long = "a-very-long-name/".repeat(30);
        const details = { [long]: leaf([long, "x"]), reward: leaf(["y"]) };
        const viewport = { width: 360, height: 700 };
        const { page } = await open({ details, workspace: long, testsDirs: [long] }, { viewport });
        await page.click("#open");
        const width = await page.evaluate<number>("document.documentElement.scrollWidth");
        assert.ok(width <= 360, `${width} pixels`);
      });

      await t.step("5,000 criteria can be searched", async () => {
        const names = Array.from({ length: 5000 }, (_, at) => `criterion ${at}`);
        const { page, incidents } = await open({ details: { reward: leaf(names) } });
        await page.fill("#search", "criterion 4321");
        await page.locator("output", { hasText: /^1 of 5000$/ }).waitFor();
        assert.deepEqual(await page.locator(".criterion:visible .name").allInnerTexts(), [
          "criterion 4321",
        ]);
        assert.deepEqual(incidents, []);
      });
    }),
});
