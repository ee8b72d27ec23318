// A program by the types that openapi-typescript makes of the description: right calls compile, and
// wrong ones must not.
import type { components, paths } from "./schema";

type Call<P extends keyof paths> = paths[P]["post"];
type Request<P extends keyof paths> = NonNullable<Call<P>["requestBody"]>;
type Body<P extends keyof paths> = Request<P>["content"]["application/json"];
type Answer<P extends keyof paths> = Call<P>["responses"][200]["content"]["application/json"];
type Problem = components["schemas"]["Problem"];

type Path = keyof paths;

async function call<P extends Path>(path: P, body: Body<P>, key: string): Promise<Answer<P>> {
  const told = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  if (!told.ok) throw new Error(((await told.json()) as Problem).detail);
  return (await told.json()) as Answer<P>;
}

export async function handles(key: string): Promise<string[]> {
  const found = await call("/v1/microblog/search", { q: "climate", since: "7d", limit: 2 }, key);
  return found.data.map((post) => post.author.handle ?? post.id);
}

export async function markdown(key: string): Promise<string> {
  const read = await call("/v1/scrape/markdown", { url: "https://example.com/tide-gauges" }, key);
  return read.data?.markdown ?? "";  // null: a dry run
}

export async function balance(key: string): Promise<number> {
  return (await call("/v1/account/show", {}, key)).data?.balance ?? 0;
}

export function wrong(key: string) {
  // @ts-expect-error: an unknown parameter
  void call("/v1/microblog/search", { q: "climate", sinse: "7d" }, key);
  // @ts-expect-error: a number as text
  void call("/v1/microblog/search", { q: "climate", limit: "2" }, key);
  // @ts-expect-error: what is required is missing
  void call("/v1/scrape/markdown", {}, key);
  // @ts-expect-error: no such endpoint
  void call("/v1/microblog/serch", {}, key);
}
