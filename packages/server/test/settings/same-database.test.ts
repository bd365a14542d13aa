import { symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { isSameDatabase } from '../../src/settings/kinds/connection-urls.ts'
import { newDatabaseFolder } from '../support/database-folder.ts'

const HERE = 'postgres://app:a-secret@db/auth'

test.each([
  ['postgresql://app@DB:5432/auth', true],
  ['postgres://app@db/auth?sslmode=require', true],
  ['postgres://app@other:5433,db:5432/auth', true],
  ['postgres://app@other/auth?host=db&port=5432', true],
  ['postgres://app@db:5433/auth', false],
  ['postgres://app@db/other', false],
  ['postgres://app@db.example/auth', false],
  // A role can have a schema of its own, and so can a URL.
  ['postgres://other@db/auth', false],
  ['postgres://app@db/auth?options=-csearch_path%3Dother', false],
  ['sqlite:auth', false],
  ['sqlite::memory:', false],
])('the database at %s is the same: %s', (url, isSame) => {
  expect(isSameDatabase(HERE, url)).toBe(isSame)
  expect(isSameDatabase(url, HERE)).toBe(isSame)
})

test('this machine has several names', () => {
  const names = ['localhost', '127.0.0.1', '[::1]', '']
  for (const name of names) {
    expect([name, isSameDatabase('postgres://localhost/auth', `postgres://${name}/auth`)]).toEqual([
      name,
      true,
    ])
  }
})

test('a file is the same by any path, and databases in memory are never the same', async () => {
  const folder = await newDatabaseFolder('same')
  const [file, link, missing] = ['auth.db', 'link.db', 'none.db'].map((one) => join(folder, one))
  writeFileSync(String(file), '')
  symlinkSync(String(file), String(link))
  expect(isSameDatabase(`sqlite:${file}`, `sqlite:${link}`)).toBe(true)
  expect(isSameDatabase(`sqlite:${file}`, `sqlite:${missing}`)).toBe(false)
  expect(
    isSameDatabase(`sqlite:${missing}`, `sqlite:${relative(process.cwd(), String(missing))}`),
  ).toBe(true)
  expect(isSameDatabase('sqlite::memory:', 'sqlite::memory:')).toBe(false)
})
