import { expect, test } from 'vitest'
import { newCli } from '../../cli/support/cli.ts'
import { startAdmin } from '../../support/admin.ts'
import { KEY } from '../../support/answers.ts'
import {
  challengeOf,
  codeOf,
  createUserWithMfa,
  offerOf,
  verify,
  wrongCode,
} from '../../support/mfa.ts'
import { registered } from '../../support/passkeys.ts'
import { PASSWORD, type StartedAuth, startAuth } from '../../support/start-auth.ts'

/** The output of a command that runs beside the running service. */
async function runCommand({ settings }: StartedAuth, ...args: string[]) {
  const { DATABASE_URL, SECRET_KEY, MODULES } = settings
  const env = { DATABASE_URL, SECRET_KEY: SECRET_KEY ?? '', MODULES: MODULES.join(',') }
  return (await newCli()).run(args, { env })
}

test('everything that happens to the second factor is written down, without a secret', async () => {
  const auth = await startAuth({}, { shared: true })
  const key = await auth.createUserWithToken('eve')
  const { activation_token } = await offerOf(auth, { token: key })
  await auth.request.post('mfa/totp/activate/', { activation_token, code: 'x' }, { token: key })
  const eve = JSON.parse((await runCommand(auth, 'user', 'show', 'eve', '--json')).stdout)
  expect(eve.history).toMatchObject([
    { event: 'mfa_refused', details: { reason: 'wrong_code', purpose: 'activate' } },
  ])

  const { secret, codes, token } = await createUserWithMfa(auth, 'ada')
  const code = codeOf(auth, secret)
  await verify(auth, await challengeOf(auth, 'ada'), wrongCode(auth, secret))
  await verify(auth, await challengeOf(auth, 'ada'), code)
  await verify(auth, await challengeOf(auth, 'ada'), code)
  await verify(auth, await challengeOf(auth, 'ada'), codes[0])
  const regenerated = await auth.request.post('mfa/recovery-codes/regenerate/', {}, { token })
  const [fresh] = (regenerated.body as { codes: string[] }).codes
  await auth.request.post('mfa/totp/deactivate/', { code: fresh }, { token })

  const shown = await runCommand(auth, 'user', 'show', 'ada', '--json')
  expect(shown.code).toBe(0)
  const address = '127.0.0.1'
  expect(JSON.parse(shown.stdout).history.toReversed()).toMatchObject([
    { event: 'mfa_activated', details: {}, at: '2030-01-01T12:00:00.000Z' },
    { event: 'mfa_refused', details: { reason: 'wrong_code', purpose: 'login', address } },
    { event: 'mfa_verified', details: { first: 'password', second: 'totp', address } },
    { event: 'mfa_refused', details: { reason: 'spent_code', purpose: 'login', address } },
    { event: 'recovery_code_used', details: { left: 9 } },
    { event: 'mfa_verified', details: { first: 'password', second: 'recovery_code', address } },
    { event: 'recovery_codes_regenerated', details: {} },
    { event: 'recovery_code_used', details: { left: 9 } },
    { event: 'mfa_deactivated', details: { by: 'recovery_code' } },
  ])
  const { stdout: text } = await runCommand(auth, 'user', 'show', 'ada')
  expect(text).toMatch(/^\S+Z {2}mfa_verified +first=password second=totp address=127.0.0.1$/m)
})

test('the lock is recorded once, even if it refuses many codes', async () => {
  const auth = await startAuth({ ACCOUNT: { RATE_LIMITS: { mfa_failed: '2/15m/user' } } })
  const { secret } = await createUserWithMfa(auth, 'ada')
  const challenge = await challengeOf(auth, 'ada')
  for (let i = 0; i < 10; i++) await verify(auth, challenge, wrongCode(auth, secret))
  const rows = await auth.db.selectFrom('audit_events').select('event').orderBy('id').execute()
  expect(rows.map(({ event }) => event)).toEqual([
    'mfa_activated',
    'mfa_refused',
    'mfa_refused',
    'mfa_locked',
  ])
})

test('an operator resets MFA for somebody who has lost everything', async () => {
  const auth = await startAuth({}, { shared: true })
  const { token } = await createUserWithMfa(auth, 'ada')
  const { code, stdout } = await runCommand(auth, 'user', 'reset-mfa', 'ada@example.com')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'MFA of ada (pk 1) is off now, and all their devices are logged out.\n',
  })
  const shown = await runCommand(auth, 'user', 'show', 'ada')
  expect(shown.stdout).toMatch(/mfa_deactivated +operator=grace host=console by=operator$/m)
  expect((await auth.request.get('user/', { token })).status).toBe(401)
  const reply = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
  expect(reply).toMatchReply(200, KEY)
  const templates = await auth.mail.templates()
  expect(templates).toContain('mfa-deactivated')

  const again = await runCommand(auth, 'user', 'reset-mfa', 'ada')
  expect(again).toMatchObject({ code: 0, stdout: 'MFA of ada (pk 1) was already off.\n' })
  const nobody = await runCommand(auth, 'user', 'reset-mfa', 'nobody')
  expect(nobody).toMatchObject({ code: 1, stdout: '' })
})

test('the command says so if it removes the passkeys of an operator instead', async () => {
  const auth = await startAdmin({}, { shared: true })
  await auth.createOperator('ada')
  const { body } = await auth.request.post('login/', { username: 'ada', password: PASSWORD })
  await registered(auth.request, (body as { key: string }).key)
  const lost = await runCommand(auth, 'user', 'reset-mfa', 'ada')
  expect(lost.stdout).toBe(
    'The passkeys of ada (pk 1) for the admin pages are removed, and all their devices are logged out.\n',
  )
  const again = await runCommand(auth, 'user', 'reset-mfa', 'ada')
  expect(again.stdout).toBe('MFA of ada (pk 1) was already off.\n')
})
