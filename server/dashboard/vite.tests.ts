// Bundles the unit tests for node's own runner.
import {readdirSync} from 'node:fs';
import {defineConfig} from 'vite';

export default defineConfig({
  publicDir: false,
  esbuild: {jsx: 'automatic', jsxImportSource: 'preact'},
  build: {
    ssr: true,
    target: 'node18',
    outDir: 'out/tests',
    emptyOutDir: true,
    rollupOptions: {
      input: readdirSync('tests')
        .filter(name => name.endsWith('.test.ts'))
        .map(name => `tests/${name}`),
    },
  },
});
