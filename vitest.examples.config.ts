import { defineConfig } from 'vitest/config'
import whole from './vitest.config.ts'

/** Every example, also the one that installs its own packages. */
export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    projects: [
      {
        extends: true,
        test: { name: 'examples', include: ['packages/server/test/examples/*.test.ts'] },
      },
    ],
  },
})
