import { defineConfig } from 'vitest/config'
import whole, { everyTest, withService } from './vitest.config.ts'

const inTests = (path: string) => `packages/{server,django}/test/${path}.test.ts`

/** Tests that start or pack the program, read the repository, or try thousands of cases, are slow. */
const slow = [
  'cli/**/*',
  'crypto/{jwt-differential,password-hash-vectors}',
  'deployment/**/*',
  'examples/**/*',
  'http/**/*',
  'library/**/*',
  'package/**/*',
  'product/**/*',
  'repository/**/*',
  'types/**/*',
  'verify/keys',
]

/** The rules of requests, and one story of every feature. */
const stories = [
  'http/*',
  'http/answers/csrf',
  'product/{login,logout,session,token,sweep}',
  'product/registration/register',
  'product/passwords/change',
  'product/jwt/refresh',
  'product/mfa/verify',
  'product/passkeys/login',
  'product/social/code',
]

export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: everyTest,
          exclude: slow.map(inTests),
        },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: stories.map(inTests),
          ...withService,
          provide: { postgresUrl: null, poolerPort: null },
        },
      },
    ],
  },
})
