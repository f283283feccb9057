// Long work as tasks, through the official client of the tasks extension on top of version 2 of the TypeScript SDK.
// The SDK knows no task results: ext-tasks wants a way to the wire that goes round it, one for each transport.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createTaskSessionFromClient } from "@modelcontextprotocol/ext-tasks/client";

const wanted = JSON.parse(process.argv[2]);
const clientInfo = { name: "ext-tasks", version: "1.0.0" };
const version = "2026-07-28";
let last = 0;

// Over stdio every connection starts a server of its own.
async function connected() {
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: version } } });
  const transport = wanted.url
    ? new StreamableHTTPClientTransport(new URL(wanted.url), { requestInit: { headers: wanted.headers } })
    : new StdioClientTransport({ ...wanted.stdio, stderr: "inherit" });
  await client.connect(transport);
  const send = wanted.url ? overHttp : overStdio(transport);
  const rawDispatch = async (request) => {
    const answer = await send({ jsonrpc: "2.0", id: `task-${++last}`, ...request });
    return answer.error ? { kind: "error", error: answer } : { kind: "result", result: answer.result };
  };
  const v2RequestFraming = { protocolVersion: version, clientInfo, clientCapabilities: {} };
  const options = { endpointId: "plugineval", rawDispatch, v2RequestFraming };
  return { client, session: createTaskSessionFromClient(client, options) };
}

function overStdio(transport) {
  const waiting = new Map();
  const told = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const answer = waiting.get(message.id);
    if (answer) answer(message);
    else told?.(message, extra);
  };
  return (message) =>
    new Promise((done, broken) => {
      waiting.set(message.id, done);
      transport.send(message).catch(broken);
    });
}

async function overHttp(message) {
  const headers = {
    ...wanted.headers,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": version,
    "Mcp-Method": message.method,
    "Mcp-Name": message.params.name ?? message.params.taskId,
  };
  const text = await (await fetch(wanted.url, { method: "POST", headers, body: JSON.stringify(message) })).text();
  const sent = text.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []));
  return (sent.length ? sent : [text]).map((each) => JSON.parse(each)).find((each) => each.id === message.id);
}

const build = (session, name) =>
  session.callTool("benchmark_build", { plugins: ["counting"], name, size: 6, wait_s: 45 });

const seen = {};
const { client, session } = await connected();
const followed = await build(session, "followed");
seen.kind = followed.kind;
seen.taskId = followed.handle.taskId;
const states = [];
const settled = await followed.settle({ onEvent: (event) => void states.push(event.task?.status ?? event.type) });
seen.states = [...new Set(states)];
seen.outcome = settled.outcome;

const stopped = await build(session, "stopped");
await stopped.cancel();
const waited = { name: "job_get", arguments: { job_id: stopped.handle.taskId, wait_s: 20 } };
const job = (await client.callTool(waited)).structuredContent.state;
seen.stopped = { outcome: (await stopped.result()).status, job };

// The client goes away as it is: closing its session would cancel what it owns.
const reference = (await build(session, "left")).serializeReference();
await client.close();
const again = await connected();
const found = await (await again.session.resumeTask(reference)).result();
seen.found = { status: found.status, state: found.result?.structuredContent?.state };
await again.session.close();
await again.client.close();
process.stdout.write(`${JSON.stringify(seen)}\n`);
process.exit(0);
