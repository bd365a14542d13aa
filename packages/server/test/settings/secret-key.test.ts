import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { ensureSecretKey, publishKey } from '../../src/settings/secret-key.ts'
import { openSqlite } from '../../src/storage/sqlite-file.ts'
import { writeTables } from '../support/ready-tables.ts'

function startFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const keyFor = (folder: string): string =>
  ensureSecretKey(resolveSettings({ DATABASE_URL: `sqlite:${folder}/latchkey.db` })).SECRET_KEY

test('the first start makes a key that only its owner can read, and later ones find it', () => {
  const folder = join(startFolder(), 'made', 'data')
  const key = keyFor(folder)
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(readFileSync(join(folder, 'secret.key'), 'utf8')).toBe(`${key}\n`)
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).toEqual(['secret.key'])
  expect(keyFor(folder)).toBe(key)
})

test('of two processes that start together, the second uses the key of the first', () => {
  const folder = startFolder()
  const key = keyFor(folder)
  // The second process has already looked for the key, found none, and now makes one.
  publishKey(join(folder, 'secret.key'))
  expect(keyFor(folder)).toBe(key)
  expect(readdirSync(folder)).toEqual(['secret.key'])
})

test('a database that has lost its key is refused, and gets no new one', async () => {
  const folder = startFolder()
  await writeTables(join(folder, 'latchkey.db'))
  expect(() => keyFor(folder)).toThrow(
    /^SECRET_KEY: is not set, and \S+secret\.key is missing, .*; restore that file .*set SECRET_KEY.*$/,
  )
  expect(readdirSync(folder)).not.toContain('secret.key')
})

test('a file without tables of ours has lost no key', () => {
  const folder = startFolder()
  const file = join(folder, 'latchkey.db')
  writeFileSync(file, '')
  const database = openSqlite(file)
  database.exec('CREATE TABLE notes (text)')
  database.close()
  expect(keyFor(folder)).toMatch(/^[0-9a-f]{64}$/)
})

test('a key that is given is used, and none is made', async () => {
  const folder = startFolder()
  await writeTables(join(folder, 'latchkey.db'))
  const SECRET_KEY = 'a key for tests, of 32 characters'
  const settings = resolveSettings({ SECRET_KEY, DATABASE_URL: `sqlite:${folder}/latchkey.db` })
  expect(ensureSecretKey(settings)).toEqual(settings)
  expect(readdirSync(folder)).toEqual(['latchkey.db'])
})

test('a database in memory gets a new key every time', () => {
  const settings = resolveSettings({ DATABASE_URL: 'sqlite::memory:' })
  const [one, other] = [ensureSecretKey(settings), ensureSecretKey(settings)]
  expect(one.SECRET_KEY).toMatch(/^[0-9a-f]{64}$/)
  expect(other.SECRET_KEY).not.toBe(one.SECRET_KEY)
})

test('no key is made up for a database that instances share', () => {
  const settings = { ...resolveSettings({}), DATABASE_URL: 'postgres://db/latchkey' }
  expect(() => ensureSecretKey(settings)).toThrow('SECRET_KEY: must be set when PostgreSQL is used')
})

test('a key file that holds no key is refused and not changed', () => {
  const folder = startFolder()
  writeFileSync(join(folder, 'secret.key'), 'short\n')
  expect(() => keyFor(folder)).toThrow(/^SECRET_KEY: is not set, and no key can be stored: .*32/)
  expect(readFileSync(join(folder, 'secret.key'), 'utf8')).toBe('short\n')
})

test('a key file that cannot be read is one clear line', () => {
  const folder = startFolder()
  mkdirSync(join(folder, 'secret.key'))
  expect(() => keyFor(folder)).toThrow(
    /^SECRET_KEY: is not set, and no key can be stored: EISDIR.*$/,
  )
})

test('a folder that cannot be made is one clear line', () => {
  const folder = startFolder()
  writeFileSync(join(folder, 'file'), '')
  expect(() => keyFor(join(folder, 'file'))).toThrow(
    /^DATABASE_URL: the data folder \S+ cannot be created or written to \((EEXIST|ENOTDIR)\); name a file in .*$/,
  )
})
