import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

/** Clears the screen, rings the bell, reverses a line, hides letters, ends a line, and uses C1 codes. */
const NASTY = 'A\u001b[2J\u0007\u202egnp\u200b\u2028\r\nB\u009b31m\u00ad\u{e0041}'
const SPELLED =
  'A\\u001b[2J\\u0007\\u202egnp\\u200b\\u2028\\u000d\\u000aB\\u009b31m\\u00ad\\udb40\\udc41'
/** In a file of data, with the line break. */
const DATA = 'A\\u001b[2J\\u0007\u202egnp\u200b\u2028\\u000d\nB\\u009b31m\u00ad\u{e0041}'

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** Of all control characters only line breaks may be printed. */
const unseenIn = (text: string) => UNSEEN.exec(text.replaceAll('\n', ''))

async function startWithNasty() {
  const cli = await newCli()
  await cli.createAda('--email', 'ada@example.com')
  await cli.inDatabase(async ({ db }) => {
    const names = { first_name: NASTY, last_name: NASTY, username: NASTY, email: NASTY }
    await db.updateTable('users').set(names).execute()
    const details = JSON.stringify({ name: NASTY })
    await db.updateTable('audit_events').set({ event: NASTY, details }).execute()
    const times = { created_at: 0, due_at: 0 }
    const mail = { id: NASTY, user_id: 1, sealed_letter: '', state: 'dead', attempts: 9 } as const
    await db
      .insertInto('outbox')
      .values({ ...mail, ...times })
      .execute()
  })
  return cli
}

test.each([
  [['user', 'show', '--pk', '1']],
  [['user', 'list']],
  [['mail', 'list']],
  [['user', 'deactivate', '--pk', '1']],
])('%j spells out what could deceive the reader', async (args) => {
  const { run } = await startWithNasty()
  const { code, stdout } = await run(args)
  expect(code).toBe(0)
  expect(stdout).toContain(SPELLED)
  expect(unseenIn(stdout)).toBeNull()
})

test('a line break in a name makes no new row', async () => {
  const { run } = await startWithNasty()
  expect((await run(['user', 'list'])).stdout.trimEnd().split('\n')).toHaveLength(2)
})

test('programs get the very characters, in spellings of JSON', async () => {
  const { run } = await startWithNasty()
  for (const args of [['show', '--pk', '1'], ['list']]) {
    const { stdout } = await run(['user', ...args, '--json'])
    expect(unseenIn(stdout)).toBeNull()
    expect([JSON.parse(stdout)].flat()).toMatchObject([{ username: NASTY, first_name: NASTY }])
  }
})

test('a file of CSV keeps all but what could control a terminal behind a pipe', async () => {
  const { run } = await startWithNasty()
  const list = ['user', 'list', '--csv']
  expect((await run(list)).stdout).toContain(`"${DATA}"`)
  const { stdout } = await run(list, { isTerminal: true })
  // A line break is one, also within quotes.
  expect(stdout).toContain(`"${SPELLED.replace('\\u000a', '\n')}"`)
  expect(unseenIn(stdout)).toBeNull()
})

test('refusals and questions are spelled out, too', async () => {
  const { run } = await startWithNasty()
  const asked = await run(['user', 'delete', '--pk', '1'], { input: 'n\n' })
  expect(asked.stderr).toContain('\\u001b[2J')
  const unknown = await run(['user', 'show', NASTY.replaceAll('A', 'z')])
  expect(unknown.code).toBe(1)
  const wrong = await run([`user\u001b[2J`])
  for (const { stderr } of [asked, unknown, wrong]) expect(unseenIn(stderr)).toBeNull()
})
