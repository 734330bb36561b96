// The report's page: shows the data that the page carries, filtered, in the language and colours of the reader. A
// finding's inside is built when it is opened, and the list in portions, so that thousands of findings cost nothing.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const kPortion = 100;

  // What the reader chose is kept where the browser allows it for files.
  const memory = {
    get(key) { try { return localStorage.getItem("pto-fix-" + key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem("pto-fix-" + key, value); } catch { /* not for files */ } },
  };
  let language = ["en", "zh"].includes(memory.get("language")) ? memory.get("language") : data.language;
  const darkByDefault = matchMedia("(prefers-color-scheme: dark)");
  let theme = ["light", "dark"].includes(memory.get("theme")) ? memory.get("theme") : null;

  const said = (pair) => (pair ? pair[language === "zh" ? 1 : 0] : "");
  const word = (id, values = {}) => {
    const pattern = said(data.words[id]) || id;
    return pattern.replace(/\{(\w+)(?::([^}|]*)\|([^}]*))?\}/g, (_, name, one, many) => {
      const value = values[name];
      if (one === undefined) return typeof value === "number" ? number(value) : String(value);
      return number(value) + " " + (value === 1 ? one : many);
    });
  };
  const number = (value) => value.toLocaleString("en-US");

  const placed = (place) => `${data.paths[place.path]}:${place.cell ? `cell ${place.cell}:` : ""}${place.line}`;
  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "class") made.className = value;
      else if (name === "style") Object.assign(made.style, value);
      else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return made;
  };

  // The model of a file: its top folder, below what all files have in common.
  const folders = data.findings.map((f) => data.paths[f.path].split("/").slice(0, -1));
  let common = folders.length ? folders[0].length : 0;
  for (const folder of folders) {
    let same = 0;
    while (same < common && folder[same] === folders[0][same]) ++same;
    common = same;
  }
  if (folders.length && folders.every((folder) => folder.length === common) && common > 0) --common;
  data.findings.forEach((finding, i) => {
    finding.model = folders[i][common] || "";
    finding.index = i;
    finding.fixKind = finding.fix ? finding.fix.applicability : "none";
    const texts = [data.paths[finding.path], finding.rule, data.rules[finding.rule].name, finding.function, ...finding.message];
    finding.haystack = texts.join("\n").toLowerCase();
  });
  const modelName = (model) => model || word("top");

  const kSeverities = ["error", "warning", "info"];
  const kFixes = ["safe", "unsafe", "suggestion", "none"];
  const kStates = ["new", "unchanged"];
  const filters = { q: "", rule: "", model: null, severity: "", fix: "", state: "" };
  let order = "place";
  let shown = kPortion;
  let matching = [];

  const matches = (finding, but = "") =>
    (but === "rule" || !filters.rule || finding.rule === filters.rule) &&
    (but === "model" || filters.model === null || finding.model === filters.model) &&
    (but === "severity" || !filters.severity || finding.severity === filters.severity) &&
    (!filters.fix || finding.fixKind === filters.fix) &&
    (!filters.state || finding.state === filters.state) &&
    (!filters.q || filters.q.split(/\s+/).every((part) => finding.haystack.includes(part)));

  const count = (key, but) => {
    const counts = new Map();
    for (const finding of data.findings) {
      if (matches(finding, but)) counts.set(finding[key], (counts.get(finding[key]) || 0) + 1);
    }
    return counts;
  };

  // ---- totals

  const total = (kind, value) =>
    element("li", { class: kind, "data-total": kind }, element("b", {}, number(value)), element("span", {}, word("total_" + kind)));

  const showTotals = () => {
    const having = (test) => data.findings.filter(test).length;
    const items = kSeverities.map((severity) => total(severity, having((f) => f.severity === severity)));
    items.push(total("safe", having((f) => f.fixKind === "safe")), total("unsafe", having((f) => f.fixKind === "unsafe")));
    items.push(total("files", data.checked));
    if (data.baseline) {
      items.push(total("new", having((f) => f.state === "new")), total("unchanged", having((f) => f.state === "unchanged")));
      items.push(total("gone", data.absent.length));
    }
    byId("totals").replaceChildren(...items);
    const notes = [];
    const list = (lines) => element("ul", {}, ...lines.map((line) => element("li", {}, line)));
    if (data.problems.length) {
      notes.push(element("div", { class: "note" }, word("problems", { count: data.problems.length }),
                         list(data.problems.map((p) => said(p)))));
    }
    if (data.absent.length) {
      notes.push(element("details", { class: "note" }, element("summary", {}, word("gone", { count: data.absent.length })),
                         list(data.absent.map((a) => `${a.path}:${a.line} ${a.rule} ${a.message}`))));
    }
    byId("notes").replaceChildren(...notes);
  };

  // ---- groups

  const group = (title, key, entries, current) => {
    const most = Math.max(1, ...entries.map((entry) => entry.count));
    const items = entries.map(({ value, name, hint, count }) =>
      element("li", {},
        element("button", {
          type: "button", "aria-pressed": String(current === value), title: hint, "data-group": key, "data-value": value,
          onclick: () => { filters[key] = current === value ? (key === "model" ? null : "") : value; changed(); },
        },
          element("span", { class: "name" }, name), element("span", { class: "number" }, number(count)),
          element("span", { class: "track", "aria-hidden": "true" }, element("i", { style: { width: (100 * count) / most + "%" } })))));
    return element("div", { class: "group" }, element("h3", {}, title), element("ul", {}, ...items));
  };

  const showGroups = () => {
    const entries = (key, name, hint) =>
      [...count(key, key)].sort((a, b) => b[1] - a[1] || String(a[0]).localeCompare(String(b[0])))
        .map(([value, n]) => ({ value, count: n, name: name(value), hint: hint ? hint(value) : null }));
    const severities = count("severity", "severity");
    // The button that has the focus is made anew: the focus goes with it.
    const focused = document.activeElement && document.activeElement.dataset;
    const key = focused && focused.group, value = focused && focused.value;
    byId("groups").replaceChildren(
      group(word("by_rule"), "rule", entries("rule", (id) => id + " " + data.rules[id].name, (id) => said(data.rules[id].summary)), filters.rule),
      group(word("by_model"), "model", entries("model", modelName), filters.model),
      group(word("by_severity"), "severity",
            kSeverities.filter((s) => severities.has(s)).map((s) => ({ value: s, count: severities.get(s), name: word("severity_" + s) })),
            filters.severity));
    if (key) {
      const again = [...document.querySelectorAll("[data-group]")].find((b) => b.dataset.group === key && b.dataset.value === value);
      if (again) again.focus();
    }
  };

  // ---- one finding

  const lines = (rows) =>
    element("pre", { tabindex: "0" }, element("code", {}, ...rows.map(([kind, text]) => {
      const sign = { added: "+ ", removed: "- ", same: "  ", hunk: "" }[kind];
      return element("span", { class: kind }, (sign + text) || " ");
    })));

  const kKinds = { "+": "added", "-": "removed", " ": "same", "@": "hunk" };
  const diff = (parts) => parts.flatMap((part) => [
    parts.length > 1 ? element("p", { class: "place" }, data.paths[part.path]) : null,
    lines(part.lines.map((line) => [kKinds[line[0]], line.slice(1)])),
  ]).filter(Boolean);

  const code = (frame) =>
    element("pre", { tabindex: "0" }, element("code", {}, ...frame.lines.map((text, i) => {
      const line = frame.first + i;
      const marked = line >= frame.marked[0] && line <= frame.marked[1];
      return element("span", { class: marked ? "marked" : "" }, element("span", { class: "number" }, String(line)), text || " ");
    })));

  const fixTitle = (fix) => word("fix_" + fix.applicability) + (language === "zh" ? "：" : ": ") + said(fix.description);

  const meter = (what, bytes, pool) => {
    if (bytes === null || bytes === undefined) return null;
    const over = bytes > pool.limit;
    // Room for what is beyond the limit, on one scale for both bars of the pool.
    const scale = Math.max(pool.limit, pool.before || 0, pool.after || 0);
    const percent = (value) => (100 * value) / scale + "%";
    const numbers = word("bytes_of", { bytes, limit: pool.limit, percent: Math.round((100 * bytes) / pool.limit) });
    return element("div", { class: "meter", "data-pool": pool.name, "data-when": what },
      element("span", { class: "what" }, word(what)),
      element("span", { class: "track" + (over ? " over" : ""), "aria-hidden": "true" },
        element("i", { style: { width: percent(bytes) } }),
        scale > pool.limit ? element("span", { class: "limit", style: { left: percent(pool.limit) } }) : null),
      element("span", { class: "numbers" + (over ? " over-text" : "") }, numbers + (over ? " " + word("over") : "")));
  };

  const estimate = (e) => {
    const out = [];
    const atLeast = (n, complete) => (complete ? number(n) : word("at_least", { count: n }));
    if (e.before !== null) {
      let text = word("operations", { kernel: e.kernel }) + atLeast(e.before, e.before_complete);
      if (e.after !== null && e.after !== undefined) {
        text += " \u2192 " + atLeast(e.after, e.after_complete);
        if (e.before > 0 && e.after !== e.before) text += ` (${e.after < e.before ? "\u2212" : "+"}${number(Math.round((100 * Math.abs(e.after - e.before)) / e.before))} %)`;
      }
      out.push(element("h3", {}, word("estimate")), element("p", { class: "estimate" }, text));
    }
    if (e.pools.length) {
      out.push(element("h3", {}, word("pools")));
      out.push(element("table", { class: "pools" }, element("tbody", {}, ...e.pools.map((pool) =>
        element("tr", {}, element("th", { scope: "row" }, pool.name),
                element("td", {}, ...[meter("before", pool.before, pool), meter("after", pool.after, pool)].filter(Boolean)))))));
    }
    return out;
  };

  const inside = (finding) => {
    const out = [];
    if (said(finding.why)) out.push(element("p", {}, said(finding.why)));
    out.push(element("h3", {}, word("code")), code(finding.code));
    if (finding.fix) out.push(element("h3", {}, fixTitle(finding.fix)), ...diff(finding.fix.diff));
    for (const other of finding.alternatives || []) {
      out.push(element("h3", {}, word("alternative") + " " + fixTitle(other)), ...diff(other.diff));
    }
    if (finding.blocked) {
      out.push(element("h3", {}, word(finding.blocked.line ? "blocked_at" : "blocked", { line: finding.blocked.line })),
               element("p", {}, said(finding.blocked.reason)));
    }
    if (finding.estimate) out.push(...estimate(finding.estimate));
    if (finding.related) {
      out.push(element("h3", {}, word("related")), element("ul", { class: "related" }, ...finding.related.map((place) =>
        element("li", {}, element("span", { class: "place" }, placed(place)), " ", said(place.words)))));
    }
    return element("div", { class: "body" }, ...out);
  };

  const opened = new Set();

  const row = (finding) => {
    const rule = data.rules[finding.rule];
    const chips = [
      element("span", { class: "chip " + finding.severity }, word("severity_" + finding.severity)),
      element("b", { title: said(rule.summary) }, finding.rule), element("span", { class: "name" }, rule.name),
      element("span", { class: "place" }, `${placed(finding)}:${finding.column}`),
      finding.fix ? element("span", { class: "chip " + (finding.fixKind === "suggestion" ? "quiet" : finding.fixKind) }, word("fix_" + finding.fixKind)) : null,
      finding.state ? element("span", { class: "chip quiet" }, word("state_" + finding.state)) : null,
    ];
    const details = element("details", { class: "finding " + finding.severity, "data-rule": finding.rule },
      element("summary", {}, element("span", { class: "head" }, ...chips.filter(Boolean)), element("span", { class: "message" }, said(finding.message))));
    const fill = () => {
      if (details.open && !details.querySelector(".body")) details.append(inside(finding));
      details.open ? opened.add(finding.index) : opened.delete(finding.index);
    };
    details.addEventListener("toggle", fill);
    if (opened.has(finding.index)) { details.open = true; fill(); }
    return element("li", {}, details);
  };

  // ---- the list

  const kRank = { error: 0, warning: 1, info: 2 };
  const kOrders = {
    place: (a, b) => a.index - b.index,
    severity: (a, b) => kRank[a.severity] - kRank[b.severity] || a.index - b.index,
    rule: (a, b) => a.rule.localeCompare(b.rule) || a.index - b.index,
    operations: (a, b) => operations(b) - operations(a) || a.index - b.index,
  };
  const operations = (finding) => (finding.estimate && finding.estimate.before) || 0;

  const showList = () => {
    const part = matching.slice(0, shown).map(row);
    if (!part.length) part.push(element("li", { class: "empty" }, word(data.findings.length ? "none_match" : "none")));
    byId("list").replaceChildren(...part);
    const left = matching.length - shown;
    byId("more").hidden = left <= 0;
    byId("more").textContent = word("more", { count: Math.min(left, kPortion), left });
    byId("count").textContent = word("count", { shown: Math.min(shown, matching.length), matching: matching.length, all: data.findings.length });
  };

  const select = (id, all, values, name, current) => {
    byId(id).replaceChildren(element("option", { value: "" }, all),
      ...values.map((value, i) => element("option", { value: "=" + value, selected: value === current }, name(value, i))));
    byId(id).value = current === null || current === "" && id !== "by-model" ? "" : "=" + current;
  };

  const showFilters = () => {
    const values = (key) => [...new Set(data.findings.map((f) => f[key]))];
    select("by-rule", word("all"), values("rule").sort(), (id) => id + " " + data.rules[id].name, filters.rule);
    select("by-model", word("all"), values("model").sort(), modelName, filters.model);
    select("by-severity", word("all"), kSeverities, (s) => word("severity_" + s), filters.severity);
    select("by-fix", word("all"), kFixes, (f) => word("fix_" + f), filters.fix);
    select("by-state", word("all"), kStates, (s) => word("state_" + s), filters.state);
    byId("state-label").hidden = !data.baseline;
    byId("order").replaceChildren(...Object.keys(kOrders).map((o) => element("option", { value: o, selected: o === order }, word("order_" + o))));
  };

  const changed = () => {
    shown = kPortion;
    matching = data.findings.filter((finding) => matches(finding)).sort(kOrders[order]);
    showGroups();
    showFilters();
    showList();
  };

  // ---- language and colours

  const showTheme = () => {
    const now = theme || (darkByDefault.matches ? "dark" : "light");
    document.documentElement.dataset.theme = now;
    byId("theme").textContent = word(now === "dark" ? "to_light" : "to_dark");
  };

  const showAll = () => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    document.title = word("title");
    for (const one of document.querySelectorAll("[data-word]")) one.textContent = word(one.dataset.word);
    for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", word(one.dataset.label));
    byId("language").textContent = language === "zh" ? "English" : "中文";
    byId("language").lang = language === "zh" ? "en" : "zh-CN";
    byId("version").textContent = data.version;
    byId("about").textContent = word("about", { files: data.checked, findings: data.findings.length });
    byId("footer").textContent = word("footer");
    showTheme();
    showTotals();
    changed();
  };

  byId("language").addEventListener("click", () => {
    language = language === "zh" ? "en" : "zh";
    memory.set("language", language);
    const kept = shown;
    showAll();
    shown = kept;
    showList();
  });
  byId("theme").addEventListener("click", () => {
    theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    memory.set("theme", theme);
    showTheme();
  });
  darkByDefault.addEventListener("change", showTheme);
  let waiting = 0;
  byId("q").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { filters.q = byId("q").value.trim().toLowerCase(); changed(); }, data.findings.length > 500 ? 120 : 0);
  });
  for (const key of ["rule", "model", "severity", "fix", "state"]) {
    byId("by-" + key).addEventListener("change", (event) => {
      const value = event.target.value;
      filters[key] = value === "" ? (key === "model" ? null : "") : value.slice(1);
      changed();
    });
  }
  byId("order").addEventListener("change", (event) => { order = event.target.value; changed(); });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    byId("q").value = "";
    Object.assign(filters, { q: "", rule: "", model: null, severity: "", fix: "", state: "" });
    order = "place";
    changed();
  });
  byId("more").addEventListener("click", () => {
    const first = shown;
    shown += kPortion;
    showList();
    const next = byId("list").children[first];
    if (next) next.querySelector("summary").focus();
  });
  const setAll = (open) => { for (const one of byId("list").querySelectorAll("details.finding")) one.open = open; };
  byId("open-all").addEventListener("click", () => setAll(true));
  byId("close-all").addEventListener("click", () => setAll(false));
  showAll();
})();
