import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { deserialize, serialize } from 'node:v8'
import { expect, test } from 'vitest'
import { forwardLines } from '../../src/server/team/forward-lines.ts'
import { pauseAfter } from '../../src/server/team/supervisor.ts'
import { createTeamMetrics } from '../../src/server/team/team-metrics.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { newCli } from '../cli/support/cli.ts'
import { newFolder, PROGRAM, printedAddress, startProgram } from '../cli/support/program.ts'

test('settings arrive unchanged in another process', () => {
  const settings = resolveSettings({
    WORKERS: 'auto',
    USER_FIELDS: { plan: { type: 'string', choices: ['free', 'paid'], default: 'free' } },
    WEBHOOKS: [{ url: 'https://hooks.example/', secret: `whsec_${btoa('x'.repeat(32))}` }],
  })
  expect(deserialize(serialize(settings))).toEqual(settings)
})

test('the pause before a worker is replaced grows, and is never longer than 30 seconds', () => {
  expect([1, 2, 3, 9, 10, 1000].map(pauseAfter)).toEqual([100, 200, 400, 25_600, 30_000, 30_000])
})

test('only whole lines are passed on, and the last one even without its end', async () => {
  const from = new PassThrough()
  const written: string[] = []
  forwardLines(from, (lines) => written.push(lines))
  for (const chunk of ['{"a":', '1}\n{"b":2}\n{"', 'c":3}', '\nlast']) from.write(chunk)
  from.end()
  await new Promise((resolve) => from.once('close', resolve))
  expect(written).toEqual(['{"a":1}\n{"b":2}\n', '{"c":3}\n', 'last\n'])
})

test('what an ended worker has counted stays in the sum, but its gauges go', async () => {
  const team = createTeamMetrics()
  const snapshot = (worker: number, count: number) =>
    [
      {
        name: 'n_total',
        help: 'n',
        type: 'counter',
        aggregator: 'sum',
        values: [{ value: count, labels: {} }],
      },
      {
        name: 'memory',
        help: 'm',
        type: 'gauge',
        aggregator: 'first',
        values: [{ value: 5, labels: { worker } }],
      },
    ] as never
  team.note(1, snapshot(1, 10))
  team.note(2, snapshot(2, 4))
  const ended = team.end(2)
  expect(await team.text()).toMatch(/^n_total 14$/m)
  await ended
  team.note(2, snapshot(2, 1))
  await team.end(2)
  const text = await team.text()
  expect(text).toMatch(/^n_total 15$/m)
  expect(text).toMatch(/^memory\{worker="1"\} 5$/m)
  expect(text).not.toContain('worker="2"')
})

test.each([
  ['WORKERS=0', /^WORKERS .*: got "0", expected a whole number from 1 to 256, or auto\n$/],
  ['WORKERS=many', /^WORKERS .*: got "many", expected a whole number from 1 to 256, or auto\n$/],
  ['SHUTDOWN_DELAY=-1', /^SHUTDOWN_DELAY .*: got "-1", expected a duration from 0s to 5m/],
])('%s stops the start', async (given, stderr) => {
  const { run } = await newCli()
  const ended = await run(['serve', '--set', given])
  expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) })
})

test('workers cannot share a database in memory', async () => {
  const { run } = await newCli()
  const args = ['serve', '--set', 'WORKERS=2', '--set', 'DATABASE_URL=sqlite::memory:']
  const stderr = expect.stringMatching(/^WORKERS: must be 1 with sqlite::memory:.*\n$/)
  expect(await run(args)).toEqual({ code: 1, stdout: '', stderr })
})

test('a worker of a cluster that finds the port in use says how several share it', async () => {
  const { cwd } = await newFolder()
  const file = join(cwd, 'primary.cjs')
  writeFileSync(
    file,
    `const cluster = require('node:cluster')
    require('node:net').createServer().listen(0, '127.0.0.1', function () {
      const args = ['serve', '--set', 'PORT=' + this.address().port]
      cluster.setupPrimary({ exec: ${JSON.stringify(PROGRAM)}, args })
      cluster.fork()
    })`,
  )
  const { child } = startProgram(cwd, [], {}, file)
  const [said] = await once(child.stderr, 'data')
  expect(String(said)).toMatch(/^Port \d+ on 127\.0\.0\.1 is already in use\. .* set WORKERS\.\n$/)
})

test('what keeps workers from starting is said once', async () => {
  const { start, run } = await newFolder()
  const { child } = start(['serve', '--set', 'WORKERS=2'], { PORT: '0', HOST: 'localhost' })
  const { port } = new URL(await printedAddress(child))
  const busy = ['serve', '--set', 'WORKERS=2', '--set', 'HOST=localhost', '--set', `PORT=${port}`]
  expect(await run(busy)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${port} on localhost is already in use. Choose another one with --set PORT=<number>.\n`,
  })
  const unknown = [
    'serve',
    '--set',
    'WORKERS=2',
    '--set',
    'PORT=0',
    '--set',
    'DATABASE_URL=sqlite:/dev/null/x.db',
  ]
  const refused = await run(unknown)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr.trimEnd().split('\n')).toHaveLength(1)
})
