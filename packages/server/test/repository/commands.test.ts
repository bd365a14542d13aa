import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCli } from '../cli/support/cli.ts'
import { commandOf, requestOf, shownIn } from './support/commands.ts'
import { examplesIn, settingsIn } from './support/documents.ts'

/** Each page whose commands are run as they stand, and how many answers it shows. */
const PAGES = [
  ['README.md', 2],
  ['docs/start.md', 7],
  ['docs/recipes/mobile.md', 4],
] as const

/** Commands that install and start Latchkey itself. */
const INSTALLS = /^npm /

test.each(PAGES)('the commands of %s give the answers that it shows', async (page, count) => {
  const { cwd, run, serve } = await newCli()
  const [settings] = page.startsWith('docs/recipes/') ? settingsIn(page) : []
  if (settings) {
    await writeFile(join(cwd, 'latchkey.config.json'), JSON.stringify(settings))
    const ada = ['--username', 'ada', '--email', 'ada@example.com', '--verified']
    await run(['user', 'create', ...ada, '--password-stdin'], { input: 'correct horse battery' })
  }
  const { url } = await serve()
  const variables: Record<string, string> = {}

  async function execute(line: string): Promise<unknown> {
    const { words, input } = commandOf(line, variables)
    const [program, ...args] = words
    if (program === 'npx' && args[0] === 'latchkey') {
      const { code, stderr } = await run(args.slice(1), { input })
      return expect({ line, code, stderr }).toMatchObject({ line, code: 0 })
    }
    if (program !== 'curl') throw new Error(`Cannot be run here: ${line}`)
    const here = args.map((word) => word.replace('http://localhost:8000/auth/', url))
    const answer = (await (await fetch(requestOf(here))).json()) as Record<string, unknown>
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value === 'string') variables[name.toUpperCase()] = value
    }
    return answer
  }

  let compared = 0
  for (const { language, text } of examplesIn(page)) {
    const isRun = language === 'sh' && /localhost:8000/.test(text)
    for (const { line, answer } of isRun ? shownIn(text) : []) {
      if (INSTALLS.test(line)) continue
      const given = await execute(line)
      if (answer === undefined) continue
      expect(given, line).toEqual(expected(answer))
      compared += 1
    }
  }
  expect(compared).toBe(count)
})

/** The answer that a document shows; three dots stand for any text. */
const expected = (answer: string): unknown =>
  JSON.parse(answer, (_, value) => (value === '…' ? expect.any(String) : value))

test('a command is read as a shell reads it', () => {
  const line = `curl -s -X PATCH http://localhost/ -H "A: b $KEY" -d '{"a": "b c"}'`
  const { words } = commandOf(line, { KEY: 'k' })
  expect(words).toEqual([
    'curl',
    '-s',
    '-X',
    'PATCH',
    'http://localhost/',
    '-H',
    'A: b k',
    '-d',
    '{"a": "b c"}',
  ])
  expect(commandOf(`printf 'x y' | npx latchkey version`, {}).input).toBe('x y')
  expect(() => commandOf('curl $LOST', {})).toThrow('$LOST')
  expect(() => requestOf(['--silent'])).toThrow('--silent')
})
