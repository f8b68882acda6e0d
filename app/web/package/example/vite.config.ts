// The examples as pages: npx vite --config example/vite.config.ts, or built by script/web.
import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const here = import.meta.dirname
export default defineConfig({
  root: here,
  base: './',
  resolve: {
    // An app of yours needs no lines like these: it installs the package.
    alias: [
      { find: /^gyre-fluid\/model$/, replacement: resolve(here, '../dist/model.js') },
      { find: /^gyre-fluid$/, replacement: resolve(here, '../dist/index.js') },
    ],
  },
  worker: { format: 'es' },
  server: { headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' } },
  build: {
    outDir: resolve(here, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rollupOptions: { input: ['index.html', 'bench.html', 'plain.html', 'smoke.html', 'water.html'].map((page) => resolve(here, page)) },
  },
})
