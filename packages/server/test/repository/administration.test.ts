import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformWithOxc } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Auth, createAuth, OperationRefused } from '../../src/index.ts'
import { fileIn } from './support/documents.ts'

// The functions of docs/administration.md, as they stand there.
const PAGE = 'docs/administration.md'

type Functions = Record<string, (auth: Auth, ...rest: unknown[]) => Promise<unknown>>

async function functionsIn(name: string): Promise<Functions> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-administration-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { code } = await transformWithOxc(fileIn(PAGE, name), name)
  const file = join(folder, name.replace('.ts', '.mjs'))
  // The example imports one value of the package: the class of its errors.
  const global = 'globalThis.latchkeyOfTheExample'
  await writeFile(
    file,
    code.replace(/import \{(.+)\} from ['"]latchkey['"];/, `const {$1} = ${global};`),
  )
  vi.stubGlobal('latchkeyOfTheExample', { OperationRefused })
  onTestFinished(() => void vi.unstubAllGlobals())
  return import(pathToFileURL(file).href)
}

async function newAuth(): Promise<Auth> {
  const auth = await createAuth(
    {
      DATABASE_URL: 'sqlite::memory:',
      SECRET_KEY: 'a secret key for tests only, long enough',
      EMAIL_URL: 'console:',
      LOG_LEVEL: 'silent',
    },
    { mail: { send: async () => {} } },
  )
  onTestFinished(() => auth.close())
  return auth
}

test('the seed script makes accounts once', async () => {
  const auth = await newAuth()
  const { seed } = await functionsIn('seed.ts')
  await seed?.(auth)
  await seed?.(auth)
  const { results } = await auth.admin.users.find({ sort: 'username' })
  expect(results).toMatchObject([
    { username: 'demo', has_password: true, is_superuser: false },
    { username: 'root', has_password: false, is_superuser: true },
  ])
})

test('the billing job deactivates in its own name, and never the last superuser', async () => {
  const auth = await newAuth()
  const { pk: ada } = await auth.admin.users.create({ username: 'ada' })
  const { pk: root } = await auth.admin.users.create({ username: 'root', is_superuser: true })
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const { deactivateUnpaid } = await functionsIn('deactivate-unpaid.ts')
  expect(await deactivateUnpaid?.(auth, [Number(ada), Number(root), 999])).toEqual([ada])
  expect(warned.mock.calls).toEqual([[`${root}: last_superuser`], ['999: not_found']])
  const { results } = await auth.admin.audit.find({ operator: 'billing job' })
  expect(results.map(({ event, user, reason }) => ({ event, user, reason }))).toEqual([
    { event: 'operation_refused', user: root, reason: 'Three unpaid invoices' },
    { event: 'user_deactivated', user: ada, reason: 'Three unpaid invoices' },
  ])
})

test('the support tool finds and helps, and the history names the member', async () => {
  const auth = await newAuth()
  const account = { username: 'ada', email: 'ada@example.com', verified: true }
  const { pk } = await auth.admin.users.create(account)
  const { search, lostPhone } = await functionsIn('support-tool.ts')
  expect(await search?.(auth, 'ADA@')).toMatchObject([{ pk, mfa: false }])
  expect(await lostPhone?.(auth, 'grace', pk, 'Ticket 7')).toMatchObject([
    { event: 'password_reset_sent', operator: { kind: 'host', name: 'grace' }, reason: 'Ticket 7' },
    { event: 'user_created', operator: { kind: 'host', name: 'host' } },
  ])
  const wrong = auth.admin.users.create({ username: 'no spaces', email: 'x' })
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    code: 'invalid_fields',
    fields: { username: [expect.any(String)], email: ['Enter a valid email address.'] },
  })
})
