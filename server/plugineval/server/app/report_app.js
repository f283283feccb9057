"use strict";
// Speaks MCP Apps (2026-01-26) with the host around this frame: it is given a tool's result, and reads the page of the
// report that the result names. What comes is parsed as a document of its own, in which no script runs.
const PREFIX = "plugineval://reports/";
const waiting = new Map();
let last = 0;

function send(message) { window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*"); }

function ask(method, params) {
  const id = ++last;
  return new Promise((resolve, reject) => { waiting.set(id, { resolve, reject }); send({ id, method, params }); });
}

function tellSize() {
  const box = document.documentElement.getBoundingClientRect();
  send({ method: "ui/notifications/size-changed", params: { width: Math.ceil(box.width), height: Math.ceil(box.height) } });
}

function show(nodes) { document.body.replaceChildren(...nodes); tellSize(); }

function showText(text) {
  const main = document.createElement("main");
  for (const part of text.split("\n\n")) {
    const block = document.createElement("p");
    block.textContent = part;
    main.append(block);
  }
  show([main]);
}

async function showResult(result) {
  const said = (result.content || []).filter((block) => block.type === "text").map((block) => block.text).join("\n\n");
  const uri = (result.structuredContent || {}).report_uri || "";
  if (!uri.startsWith(PREFIX)) { showText(said); return; }
  showText("Reading the report…");
  try {
    const read = await ask("resources/read", { uri: `${uri}/html` });
    const page = new DOMParser().parseFromString(read.contents[0].text, "text/html");
    show([...page.querySelectorAll("main")].map((main) => document.importNode(main, true)));
  } catch (error) { showText(said); }
}

window.addEventListener("message", (event) => {
  const message = event.data;
  if (event.source !== window.parent || !message || message.jsonrpc !== "2.0") return;
  if (waiting.has(message.id) && !message.method) {
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) reject(message.error); else resolve(message.result);
  } else if (message.method === "ui/notifications/tool-result") {
    showResult(message.params || {});
  } else if (message.method === "ui/resource-teardown" && message.id !== undefined) {
    send({ id: message.id, result: {} });
  }
});
document.addEventListener("toggle", tellSize, true);
ask("ui/initialize", {
  protocolVersion: "2026-01-26", appCapabilities: {}, appInfo: { name: "plugineval-report", version: "1" },
}).then(() => { send({ method: "ui/notifications/initialized" }); tellSize(); });
