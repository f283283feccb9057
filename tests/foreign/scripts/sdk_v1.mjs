// The journey through version 1 of the TypeScript SDK, which speaks 2025-11-25 and older.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { everyPage, journey } from "./journey.mjs";

const wanted = JSON.parse(process.argv[2]);
const client = new Client({ name: "sdk-v1", version: "1.0.0" });
const updates = [];
client.setNotificationHandler(ResourceUpdatedNotificationSchema, (note) => void updates.push(note.params.uri));
const transport = wanted.url
  ? new StreamableHTTPClientTransport(new URL(wanted.url), { requestInit: { headers: wanted.headers } })
  : new StdioClientTransport({ ...wanted.stdio, stderr: "inherit" });
await client.connect(transport);

const seen = await journey({
  name: wanted.name,
  updates,
  capabilities: () => client.getServerCapabilities(),
  tools: () => everyPage((params) => client.listTools(params), "tools"),
  call: (name, given, options) => client.callTool({ name, arguments: given }, undefined, options),
  resources: () => everyPage((params) => client.listResources(params), "resources"),
  templates: () => everyPage((params) => client.listResourceTemplates(params), "resourceTemplates"),
  read: async (uri) => (await client.readResource({ uri })).contents[0].text,
  complete: (params) => client.complete(params),
  prompts: () => everyPage((params) => client.listPrompts(params), "prompts"),
  prompt: (params) => client.getPrompt(params),
  subscribe: async (uri) => {
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  },
});
seen.server = client.getServerVersion();
seen.protocol = wanted.url ? transport.protocolVersion : "2025-11-25";
await client.close();
process.stdout.write(`${JSON.stringify(seen)}\n`);
