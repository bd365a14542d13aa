import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../src')
const files = readdirSync(SRC)
const textOf = (file: string): string => readFileSync(join(SRC, file), 'utf8')

const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/\bfrom '([^']+)'|^import '([^']+)'/gm)].map(
    ([, one, two]) => one ?? two ?? '',
  )

test('it imports nothing but itself, and React in one place', () => {
  const foreign = files.flatMap((file) =>
    importsOf(file)
      .filter((name) => !/^\.\/[\w-]+\.ts$/.test(name))
      .map((name) => `${file} → ${name}`),
  )
  expect(foreign).toEqual(['react.ts → react'])
})

test('the core does not know the helper for React', () => {
  expect(files.filter((file) => importsOf(file).includes('./react.ts'))).toEqual([])
})

test('no file that is written by hand is longer than 250 lines', () => {
  const written = files.filter((file) => file !== 'contract.ts')
  expect(written.filter((file) => textOf(file).split('\n').length > 250)).toEqual([])
})
