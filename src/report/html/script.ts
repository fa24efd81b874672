// What the report does beyond being read: searching, filtering, moving by keys. It is no module: a
// file that is opened from a disk may not load any.

/** The page's script. Must not hold the characters of a closing script tag. */
export const SCRIPT = `
"use strict";
{
  const by = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const tools = by("tools"), search = by("search"), count = by("count"), open = by("open");
  const criteria = all(".criterion");
  // What is searched is read once, when it is needed.
  let texts = null;
  const textOf = (index) => (texts ??= criteria.map((it) => it.textContent.toLowerCase()))[index];

  const shown = () => document.querySelector("input[name=show]:checked").value;
  const fits = (outcome, wanted) =>
    wanted === "all" || outcome === wanted || (wanted === "failed" && outcome === "error");

  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const wanted = shown();
    let left = 0;
    criteria.forEach((it, index) => {
      const isShown = fits(it.dataset.outcome, wanted) &&
        words.every((word) => textOf(index).includes(word));
      it.hidden = !isShown;
      if (isShown) left++;
    });
    const isFiltered = words.length > 0 || wanted !== "all";
    for (const node of all(".node, .folder").reverse()) {
      node.hidden = isFiltered && !node.querySelector(".criterion:not([hidden])");
    }
    count.textContent = isFiltered ? left + " of " + criteria.length : criteria.length + " criteria";
    by("nothing").hidden = !isFiltered || left > 0;
    try {
      const state = new URLSearchParams();
      if (search.value) state.set("q", search.value);
      if (wanted !== "all") state.set("show", wanted);
      history.replaceState(null, "", "#" + state);
    } catch { /* Some viewers keep the address to themselves. */ }
  };

  const restore = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    search.value = state.get("q") ?? "";
    const wanted = all("input[name=show]").find((it) => it.value === state.get("show"));
    if (wanted) wanted.checked = true;
  };

  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 80);
  });
  for (const choice of all("input[name=show]")) choice.addEventListener("change", apply);

  let isOpen = false;
  const openAll = (value) => {
    isOpen = value;
    for (const it of criteria) if (!it.hidden) it.open = value;
    open.textContent = value ? "Close all" : "Open all";
  };
  open.addEventListener("click", () => openAll(!isOpen));

  const THEMES = ["", "light", "dark"];
  const theme = by("theme");
  const paint = (name) => {
    document.documentElement.dataset.theme = name;
    theme.textContent = name === "" ? "Theme: system" : "Theme: " + name;
  };
  theme.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % 3];
    paint(next);
  });

  const move = (step) => {
    const lines = all("#tree summary").filter((it) => it.checkVisibility());
    const at = lines.indexOf(document.activeElement);
    lines[at === -1 ? 0 : Math.min(lines.length - 1, Math.max(0, at + step))]?.focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === search) {
      if (event.key === "Escape") { search.value = ""; apply(); search.blur(); }
      if (event.key === "ArrowDown") { event.preventDefault(); move(1); }
      return;
    }
    if (event.target.matches("input")) return;
    const keys = {
      "/": () => search.focus(),
      f: () => { by("tools").querySelector("[value=failed]").click(); },
      a: () => { by("tools").querySelector("[value=all]").click(); },
      j: () => move(1),
      k: () => move(-1),
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });

  // On paper nothing can be opened.
  addEventListener("beforeprint", () => {
    for (const it of criteria) if (it.dataset.outcome !== "passed") it.open = true;
  });

  tools.hidden = false;
  theme.hidden = false;
  paint("");
  restore();
  apply();
}
`;
