// A peer of tests/bench/server: fastify, which answers with the bytes of a file at /.
//   node fastify.mjs PACKAGES PORT BODY_FILE
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [packages, port, file] = process.argv.slice(2);
const fastify = createRequire(packages + "/")("fastify");
const body = readFileSync(file, "utf8");
const server = fastify({ logger: false, keepAliveTimeout: 600_000 });
server.get("/", (request, reply) => reply.type("application/json").send(body));
await server.listen({ port: Number(port), host: "127.0.0.1", backlog: 4096 });
