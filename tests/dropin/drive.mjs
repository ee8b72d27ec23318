// Calls the peers' JavaScript clients for the tests: one JSON object a line in, one a line out.
// {client, options, method, args} becomes {value} or {error: {class, message, status, code}}.
import { createInterface } from "node:readline";
import { Firecrawl } from "firecrawl";
import { tavily } from "@tavily/core";

const made = new Map();

function clientOf({ client, options }) {
  const name = JSON.stringify([client, options]);
  const make = client === "tavily" ? tavily : (given) => new Firecrawl(given);
  if (!made.has(name)) made.set(name, make(options));
  return made.get(name);
}

async function answer(asked) {
  try {
    return { value: await clientOf(asked)[asked.method](...asked.args) };
  } catch (error) {
    const { message, status, code } = error;
    return { error: { class: error.constructor.name, message, status, code } };
  }
}

console.log(JSON.stringify({ value: "ready" }));
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(line))));
}
