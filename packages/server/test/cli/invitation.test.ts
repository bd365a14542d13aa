import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

const INVITED = ['--set', 'ACCOUNT.SIGNUP=invited']

test('an operator invites, lists, sends again and revokes', async () => {
  const { run, inDatabase, createAda } = await newCli()
  await createAda()
  const made = await run(['invite', 'Bob@example.com', '--group', 'editors', ...INVITED])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toMatch(/^bob@example\.com is invited until \d{4}-\S+Z\.\n$/)

  const { stdout: list } = await run(['invitation', 'list', ...INVITED])
  expect(list).toMatch(
    /^ID +ADDRESS +GROUPS +INVITED BY +EXPIRES\n1 +bob@example\.com +editors +an operator /,
  )
  expect((await run(['invitation', 'resend', '1', ...INVITED])).code).toBe(0)
  for (const verb of ['resend', 'revoke']) {
    expect(await run(['invitation', verb, '2', ...INVITED])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no invitation "2". "latchkey invitation list" lists all.\n',
    })
  }
  expect(await run(['invitation', 'revoke', '1', ...INVITED])).toMatchObject({
    code: 0,
    stdout: 'Invitation 1 is revoked.\n',
  })
  expect(JSON.parse((await run(['invitation', 'list', '--json', ...INVITED])).stdout)).toEqual([])

  const audit = await inDatabase(({ db }) =>
    db.selectFrom('audit_events').selectAll().orderBy('id').execute(),
  )
  const found = audit.filter(({ event }) => event.startsWith('invitation_'))
  expect(found.map(({ event, operator_name }) => [event, operator_name])).toEqual([
    ['invitation_sent', 'grace'],
    ['invitation_sent', 'grace'],
    ['invitation_revoked', 'grace'],
  ])
  expect(JSON.stringify(audit)).not.toContain('bob@')
})

test('where sign-up is open, there is nothing to invite to', async () => {
  const { run, createAda } = await newCli()
  await createAda()
  const refused = await run(['invite', 'bob@example.com'])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Set ACCOUNT.SIGNUP to "invited" first.')
})
