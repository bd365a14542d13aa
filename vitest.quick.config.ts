import { defineConfig } from 'vitest/config'
import whole, { everyTest, withService } from './vitest.config.ts'

const inTests = (path: string) => `packages/{server,django}/test/${path}.test.ts`

/** Tests that start or pack the program, hash passwords, read the repository, or try thousands of cases. */
const slow = [
  'cli/**/*',
  'crypto/{jwt-differential,password-hash-vectors,password-hasher,webauthn/hostile-input}',
  'deployment/**/*',
  'examples/**/*',
  'http/**/*',
  'library/**/*',
  'mount/routes',
  'package/**/*',
  'product/**/*',
  'repository/**/*',
  'server/team',
  'testing/{program,hostile,reset}',
  'types/**/*',
  'verify/keys',
]

/** Every endpoint again, for another setting. */
const again = ['http/{captcha,older-versions}']

/** The rules of requests, and one story of every feature. */
const stories = [
  'http/*',
  'http/answers/csrf',
  'product/{login,token,sweep}',
  'http/registration/register',
  'product/passwords/change',
  'product/jwt/refresh',
  'product/mfa/verify',
  'http/passkeys/login',
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
          exclude: again.map(inTests),
          ...withService,
          provide: { postgresUrl: null, poolerPort: null },
        },
      },
    ],
  },
})
