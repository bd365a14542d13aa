import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const ADA = { username: 'ada', password: 'a-good-password' }

test('a user is shown with factors, logins, accounts and mails', async () => {
  const { createAda, run, serve } = await newCli()
  await createAda('--email', 'ada@example.com', '--verified')
  const { logIn } = await serve()
  expect((await logIn(ADA)).status).toBe(200)
  const shown = JSON.parse((await run(['user', 'show', 'ada', '--json'])).stdout)
  expect(shown).toMatchObject({
    pk: 1,
    has_password: true,
    mfa: false,
    second_factor: { mfa_enabled: false, recovery_codes_left: 0 },
    logins: [{}, {}],
    passkeys: [],
    social_accounts: [],
    mails: [],
    history: [{ event: 'user_created' }],
  })
  expect(shown.logins).toContainEqual(
    expect.objectContaining({ id: '1', method: 'password', address: '127.0.0.1' }),
  )

  const { stdout } = await run(['user', 'show', 'ada'])
  expect(stdout).toMatch(/^passkeys +-$/m)
  expect(stdout).toMatch(/^second_factor\nmfa_enabled +no\n/m)
  expect(stdout).toMatch(/^logins\nid +method +created_at /m)
  expect(stdout).toMatch(/^1 +password +20\S+Z /m)
})

test('an operator mails a reset, and the user alone learns the link', async () => {
  const { createAda, run } = await newCli()
  await createAda('--email', 'ada@example.com')
  expect(await run(['user', 'send-reset', 'ada'])).toEqual({
    code: 0,
    stdout: 'ada (pk 1) gets a mail with a link to set a new password.\n',
    stderr: '',
  })
  const [mail, ...others] = JSON.parse((await run(['mail', 'list', '--json'])).stdout)
  expect(mail).toMatchObject({ to: 'ada@example.com', letter: 'reset-password' })
  expect(others).toEqual([])
  const { history } = JSON.parse((await run(['user', 'show', 'ada', '--json'])).stdout)
  expect(history[0]).toMatchObject({ event: 'password_reset_sent', details: { operator: 'grace' } })
})

test('an operator changes an address, and vouches for it', async () => {
  const { createAda, run } = await newCli()
  await createAda()
  const show = async () => JSON.parse((await run(['user', 'show', 'ada', '--json'])).stdout)
  expect(await run(['user', 'mark-verified', 'ada'])).toMatchObject({ code: 1, stdout: '' })
  expect(await run(['user', 'set', 'ada', 'email=ada@example.com'])).toMatchObject({ code: 0 })
  expect(await show()).toMatchObject({ email: 'ada@example.com', email_verified: false })
  expect(await run(['user', 'mark-verified', 'ada'])).toEqual({
    code: 0,
    stdout: 'The address of ada (pk 1) is verified.\n',
    stderr: '',
  })
  expect(await show()).toMatchObject({ email_verified: true })
  await run(['user', 'set', 'ada', 'email=ada@example.net', 'verified=true'])
  expect(await show()).toMatchObject({ email: 'ada@example.net', email_verified: true })
})

test('a field of the deployment hides nothing of ours, except the language', async () => {
  const { createAda, cwd, run } = await newCli()
  const text = { type: 'string' }
  const USER_FIELDS = { mfa: text, history: text, fields: text, language: text, plan: text }
  await writeFile(join(cwd, 'latchkey.config.json'), JSON.stringify({ USER_FIELDS }))
  await createAda()
  const given = ['mfa=a', 'history=b', 'fields=c', 'language=Latin', 'plan=free']
  await run(['user', 'set', 'ada', ...given])
  const common = {
    mfa: false,
    language: 'Latin',
    plan: 'free',
    fields: { mfa: 'a', history: 'b', fields: 'c' },
  }
  const { stdout: shown } = await run(['user', 'show', 'ada', '--json'])
  const history = [{ event: 'user_changed' }, { event: 'user_created' }]
  expect(JSON.parse(shown)).toMatchObject({ ...common, history })
  const { stdout: list } = await run(['user', 'list', '--json'])
  expect(JSON.parse(list)).toMatchObject([common])
  expect(JSON.parse(list)[0]).not.toHaveProperty('history')
})
