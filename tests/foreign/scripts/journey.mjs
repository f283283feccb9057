// What any host does with PluginEval, through a `host` that hides which SDK speaks; returns what it saw.
// Structured content is checked by the SDK itself against the tool's output schema: a call that breaks it throws.

export async function journey(host) {
  const seen = { tools: (await host.tools()).map((tool) => tool.name) };
  seen.plugins = (await host.call("plugin_list", {})).structuredContent.plugins.map((plugin) => plugin.name);
  const begun = await host.call("benchmark_build", { plugins: ["counting"], name: host.name, size: 6, wait_s: 0 });
  const job = begun.structuredContent;
  seen.begun = job.state;

  const unsubscribe = await host.subscribe(job.resource);
  seen.cancelled = await aborted(host, job.job_id);
  const waited = { job_id: job.job_id, wait_s: 45 };
  const progress = [];
  let ended = (await host.call("job_get", waited, { onprogress: (step) => progress.push(step) })).structuredContent;
  while (ended.state === "running") ended = (await host.call("job_get", waited)).structuredContent;
  seen.progress = progress;
  seen.built = { state: ended.state, error: ended.error, result: ended.result };
  await heard(host, job.resource);
  await unsubscribe();
  seen.updates = [...new Set(host.updates)];

  const benchmark = ended.result.benchmark_id;
  const models = ["baseline:lexical", "degenerate:never-call"];
  const run = await host.call("evaluation_run", { benchmark_id: benchmark, models, repeats: 1, wait_s: 45 });
  seen.run = run.structuredContent.state;
  const runId = run.structuredContent.result.run_id;
  const report = await host.call("report_get", { run_id: runId });
  seen.links = report.content.filter((block) => block.type === "resource_link").map((block) => block.uri);
  seen.report = await host.read(`plugineval://reports/${runId}`);
  seen.runId = runId;

  seen.listed = (await host.resources()).map((resource) => resource.uri);
  seen.templates = (await host.templates()).map((template) => template.uriTemplate);
  const bad = await host.call("report_get", { run_id: "no-such-run" });
  seen.refused = { isError: bad.isError, text: bad.content[0].text };
  seen.completed = await completed(host, benchmark);
  seen.prompts = await prompts(host);
  return seen;
}

// Gives up waiting in the middle of a call: the job must not notice.
async function aborted(host, jobId) {
  const control = new AbortController();
  const call = host.call("job_get", { job_id: jobId, wait_s: 45 }, { signal: control.signal });
  setTimeout(() => control.abort(), 500);
  const ended = await call.then(
    () => "answered",
    () => "rejected",
  );
  const state = (await host.call("job_get", { job_id: jobId, wait_s: 0 })).structuredContent.state;
  return { call: ended, job: state };
}

async function heard(host, uri) {
  const until = Date.now() + 10_000;
  while (!host.updates.includes(uri) && Date.now() < until) await new Promise((done) => setTimeout(done, 50));
}

async function completed(host, benchmark) {
  if (!host.capabilities().completions) return null;
  const ref = { type: "ref/resource", uri: "plugineval://benchmarks/{benchmark_id}" };
  const argument = { name: "benchmark_id", value: benchmark.slice(0, 4) };
  return (await host.complete({ ref, argument })).completion.values;
}

async function prompts(host) {
  if (!host.capabilities().prompts) return null;
  const texts = {};
  for (const prompt of await host.prompts()) {
    const given = Object.fromEntries((prompt.arguments ?? []).map((each) => [each.name, "counting"]));
    const told = await host.prompt({ name: prompt.name, arguments: given });
    texts[prompt.name] = told.messages.map((message) => message.content.text ?? message.content.type).join("\n");
  }
  return texts;
}

export async function everyPage(list, key) {
  const items = [];
  let cursor;
  do {
    const page = await list(cursor === undefined ? {} : { cursor });
    items.push(...page[key]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}
