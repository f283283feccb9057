// The journey through version 2 of the TypeScript SDK, in the era of the protocol that it is told to negotiate.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { everyPage, journey } from "./journey.mjs";

const wanted = JSON.parse(process.argv[2]);
const client = new Client({ name: "sdk-v2", version: "1.0.0" }, { versionNegotiation: { mode: wanted.mode } });
const updates = [];
client.setNotificationHandler("notifications/resources/updated", (note) => void updates.push(note.params.uri));
const transport = wanted.url
  ? new StreamableHTTPClientTransport(new URL(wanted.url), { requestInit: { headers: wanted.headers } })
  : new StdioClientTransport({ ...wanted.stdio, stderr: "inherit" });
await client.connect(transport);
const modern = client.getProtocolEra() === "modern";

const seen = await journey({
  name: wanted.name,
  updates,
  capabilities: () => client.getServerCapabilities(),
  tools: () => everyPage((params) => client.listTools(params), "tools"),
  call: (name, given, options) => client.callTool({ name, arguments: given }, options),
  resources: () => everyPage((params) => client.listResources(params, { cacheMode: "refresh" }), "resources"),
  templates: () => everyPage((params) => client.listResourceTemplates(params), "resourceTemplates"),
  read: async (uri) => (await client.readResource({ uri })).contents[0].text,
  complete: (params) => client.complete(params),
  prompts: () => everyPage((params) => client.listPrompts(params), "prompts"),
  prompt: (params) => client.getPrompt(params),
  subscribe: async (uri) => {
    if (modern) {
      const listening = await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
      return () => listening.close();
    }
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  },
});
seen.server = client.getServerVersion();
seen.protocol = client.getNegotiatedProtocolVersion();
await client.close();
process.stdout.write(`${JSON.stringify(seen)}\n`);
