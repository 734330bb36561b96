"use strict";

/**
 * What the server is told, from the settings of the editor.
 *
 * @param {(key: string) => unknown} get reads one setting of "pto-fix"
 * @param {string} locale of the editor: "zh-cn", "en"
 */
function serverSettings(get, locale) {
  const lang = get("lang");
  return {
    lang: lang === "zh" || lang === "en" ? lang : locale.startsWith("zh") ? "zh" : "en",
    soc: get("soc") ?? "",
    select: get("select") ?? [],
    ignore: get("ignore") ?? [],
    inlayHints: get("inlayHints") ?? true,
    codeLens: get("codeLens") ?? true,
  };
}

/**
 * The text of the status bar.
 *
 * @param {"starting" | "running" | "stopped"} state
 * @param {number} findings in the file that is shown
 */
function statusText(state, findings) {
  if (state === "starting") return "$(sync~spin) pto-fix";
  if (state === "stopped") return "$(error) pto-fix";
  return findings === 0 ? "$(check) pto-fix" : `$(warning) pto-fix ${findings}`;
}

module.exports = { serverSettings, statusText };
