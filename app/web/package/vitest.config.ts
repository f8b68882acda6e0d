import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One after the other: some look at the process's memory.
    fileParallelism: false,
    reporters: ['verbose'],
    pool: 'forks',
    execArgv: ['--expose-gc'],
  },
})
