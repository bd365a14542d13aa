import { expect, test } from 'vitest'
import { newCli } from './support/cli.ts'

test('user show names the operator of a change first, then the fields', async () => {
  const { run } = await newCli()
  await run(['user', 'create', '--username', 'ada'])
  await run(['user', 'set', 'ada', 'first_name=Ada'])
  const { stdout } = await run(['user', 'show', 'ada'])
  expect(stdout).toMatch(/user_changed +operator=grace host=console fields=first_name$/m)
})
