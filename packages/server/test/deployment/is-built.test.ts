import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../../../../scripts/is-built.js', import.meta.url))

/** A checkout with one source and what was built of it. */
function newCheckout() {
  const root = mkdtempSync(join(tmpdir(), 'latchkey-checkout-'))
  onTestFinished(() => {
    chmodSync(root, 0o700)
    rmSync(root, { recursive: true })
  })
  for (const folder of ['scripts', 'packages/server/src/deep', 'packages/server/dist/deep']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  cpSync(SCRIPT, join(root, 'scripts/is-built.js'))
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  write('package.json', '{"type":"module"}')
  write('tsconfig.json', '{}')
  write('package-lock.json', '{}')
  write('packages/server/package.json', '{}')
  write('packages/server/src/deep/a.ts', 'source')
  write('packages/server/dist/deep/a.js', 'built')
  const script = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/is-built.js'), ...args]).status
  return { root, write, script }
}

test('nothing counts as built that was not remembered', () => {
  const { script } = newCheckout()
  expect(script()).toBe(1)
  expect(script('--remember')).toBe(0)
  expect(script()).toBe(0)
})

const PARTS = [
  ['packages/server/src/deep/a.ts', 'source', 'a changed source'],
  ['package-lock.json', '{}', 'a changed lockfile'],
  ['packages/server/dist/deep/a.js', 'built', 'a build of something else'],
  ['tsconfig.json', '{}', 'another way to build'],
] as const

test(`these matter: ${PARTS.map(([, , what]) => what).join(', ')}`, () => {
  const { script, write } = newCheckout()
  script('--remember')
  for (const [file, before, what] of PARTS) {
    write(file, 'changed')
    expect(script(), what).toBe(1)
    write(file, before)
  }
  expect(script()).toBe(0)
})

test('a new source matters', () => {
  const { script, write } = newCheckout()
  script('--remember')
  write('packages/server/src/b.ts', '')
  expect(script()).toBe(1)
})

test('to look writes nothing', () => {
  const { root, script } = newCheckout()
  script('--remember')
  chmodSync(root, 0o500)
  expect(script()).toBe(0)
})
