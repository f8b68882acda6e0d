import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { shelf, worker } from './plugin/shelf.ts'

// The package as it was built. GYRE_PACKAGE: another folder of the same form.
const built = resolve(import.meta.dirname, process.env.GYRE_PACKAGE ?? '../package/dist')
const find = (name: string): string => {
  const found = [`${name}.js`, `${name}.ts`].map((n) => resolve(built, n)).find((p) => existsSync(p))
  if (!found) throw new Error(`${built}/${name}.js is not there: build app/web/package first`)
  return found
}

export default defineConfig({
  base: './',
  plugins: [shelf(), worker()],
  resolve: { alias: [{ find: /^gyre-fluid\/model$/, replacement: find('model') }, { find: /^gyre-fluid$/, replacement: find('index') }] },
  worker: { format: 'es' },
  build: {
    outDir: process.env.GYRE_OUT ?? 'dist', emptyOutDir: true, target: 'es2022',
    modulePreload: { polyfill: false }, assetsInlineLimit: 0, chunkSizeWarningLimit: 900,
  },
})
