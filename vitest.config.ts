import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { closingReporter } from './packages/server/test/support/closing-reporter.ts'
import { SlowFirst } from './packages/server/test/support/slow-first.ts'

export const everyTest = ['packages/{server,django}/test/**/*.test.ts']
/** Tests whose result could depend on the database run on both. */
const product = ['packages/{server,django}/test/product/**/*.test.ts']
/** They need packages that `npm ci` does not install: `npm run examples`. */
const apart = ['packages/server/test/examples/{next,playwright}.test.ts']

export const withService = {
  globalSetup: [
    'packages/server/test/support/browser-folder.ts',
    'packages/server/test/support/stale-folders.ts',
  ],
  setupFiles: ['packages/server/test/support/matchers.ts'],
}

/** Newer ones do not know all options of V8, and refuse to start with one that is unknown. */
const isNode20 = process.versions.node.startsWith('20.')

const isShared = process.env.CI === 'true'

// Not in the checkout, which may be read-only.
const cacheDir = join(tmpdir(), `latchkey-vitest-${process.getuid?.() ?? 0}`)

export default defineConfig({
  cacheDir,
  test: {
    // Both projects, and later runs, compile a file once.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(cacheDir, 'modules') },
    // The built program is what it is. To transform it takes seconds.
    server: { deps: { external: [/\/packages\/server\/dist\//] } },
    // Collecting garbage and optimising code less often saves time: most code runs a few times.
    execArgv: ['--max-semi-space-size=64', ...(isNode20 ? ['--interrupt-budget=1000000'] : [])],
    // For the compilers that tests start: one ends before it needs to collect garbage.
    env: { GOGC: 'off' },
    // What takes longer hangs. A machine that is shared can stand still for a minute.
    testTimeout: isShared ? 120_000 : 30_000,
    hookTimeout: isShared ? 180_000 : 60_000,
    // One flaky test must not cost a run. The last lines of a run name it, so that it gets mended.
    retry: isShared ? 1 : 0,
    // One more than cores: a worker often waits for PostgreSQL, a browser or a program.
    maxWorkers: availableParallelism() + 1,
    // Tests share nothing that they change. Loading the program again for each file takes time.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', closingReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: [...everyTest, 'packages/{client,ui}/test/**/*.test.ts'],
          exclude: apart,
          ...withService,
          provide: { postgresUrl: null, poolerPort: null },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: product,
          ...withService,
          globalSetup: [
            ...withService.globalSetup,
            'packages/server/test/support/start-postgres.ts',
          ],
        },
      },
    ],
  },
})
