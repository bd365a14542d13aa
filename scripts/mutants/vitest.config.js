import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { withService } from '../../vitest.config.ts'
import { edited } from '../torture/edit-product.js'
import { ROUND, withMutants } from './find-mutants.js'

/** What `run-mutants.js` wants to know. */
const plan = JSON.parse(readFileSync(process.env.MUTANTS_PLAN, 'utf8'))

/** A query or a server that was made without the mutant would hide it. */
const FORGETFUL = [
  {
    file: 'packages/server/src/storage/query.ts',
    from: "values.map(formOf).join(' ') : ''",
    to: `values.map(formOf).join(' ') + ${ROUND} : String(${ROUND})`,
  },
  {
    file: 'packages/server/test/support/kept-app.ts',
    from: "key === null ? '' : routesOf(service, endpoints, key)",
    to: `key === null ? '' : routesOf(service, endpoints, key) + ${ROUND}`,
  },
]

export default defineConfig({
  root: plan.root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform(code, id) {
        const source = plan.sources.find(({ path }) => id === path)
        if (source) return { code: withMutants(code, source.firstId).code, map: null }
        const edit = FORGETFUL.find(({ file }) => id === `${plan.root}/${file}`)
        return edit ? { code: edited(code, edit), map: null } : null
      },
    },
  ],
  test: {
    include: ['scripts/mutants/try-mutants.js'],
    ...withService,
    provide: { postgresUrl: null, poolerPort: null, mutants: plan },
    // A mutant that waits for ever is found out.
    testTimeout: 30_000,
    isolate: false,
    maxWorkers: 1,
    // Its last lines would name every test that has noticed a mutant.
    reporters: [{}],
    silent: true,
    dangerouslyIgnoreUnhandledErrors: true,
  },
})
