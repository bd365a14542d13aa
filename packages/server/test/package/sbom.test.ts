import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  disagreements,
  disagreementsHere,
  packagesIn,
} from '../../../../scripts/sbom/disagreements.js'
import manifest from '../../package.json' with { type: 'json' }
import { server } from './support.ts'

const read = (path: string) => JSON.parse(readFileSync(join(server, path), 'utf8'))
const sbom = read(manifest.sbom)
const lockfile = read('../../package-lock.json')
const contained = packagesIn(join(server, 'dist'), lockfile)

test('the bill of materials, the lockfile and what was built agree', () => {
  expect(disagreementsHere()).toEqual([])
})

test('it names what an audit of the dependencies would not find', () => {
  const names = sbom.components.map((one: { purl: string }) => one.purl.replace(/@[^@]+$/, ''))
  for (const name of ['fastify', 'jose', 'nodemailer', 'pg', 'preact', 'swagger-ui-dist']) {
    expect(names).toContain(`pkg:npm/${name}`)
  }
  expect(names).toContain('pkg:npm/%40simplewebauthn/server')
  for (const name of Object.keys(manifest.dependencies)) {
    expect(names).not.toContain(`pkg:npm/${name.replace('@', '%40')}`)
  }
})

test('a package that is missing, too much, or of another archive is named', () => {
  const [first, ...others] = sbom.components
  expect(disagreements({ components: others }, lockfile, contained)).toEqual([
    `${first.purl} is missing`,
  ])
  const stranger = { purl: 'pkg:npm/left-pad@1.3.0' }
  expect(
    disagreements({ components: [...sbom.components, stranger] }, lockfile, contained),
  ).toEqual(['pkg:npm/left-pad@1.3.0 is listed, and not in what was built'])
  const swapped = { ...first, hashes: [{ alg: 'SHA-512', content: 'ab'.repeat(64) }] }
  expect(disagreements({ components: [swapped, ...others] }, lockfile, contained)).toEqual([
    `${first.purl} has another hash in the lockfile`,
  ])
})

test('it has the form of CycloneDX 1.6', () => {
  expect(Object.keys(sbom)).toEqual([
    ...['$schema', 'bomFormat', 'specVersion', 'version', 'metadata', 'components'],
    'dependencies',
  ])
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
  const { name, version } = manifest
  expect(sbom.metadata.component).toMatchObject({ type: 'application', name, version })
  const refs = sbom.components.map((one: { 'bom-ref': string }) => one['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  for (const one of sbom.components) {
    expect(one).toEqual({
      type: 'library',
      'bom-ref': one.purl,
      ...(one.purl.includes('%40') && { group: expect.stringMatching(/^@[\w.-]+$/) }),
      name: expect.stringMatching(/^[\w.-]+$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      licenses: [{ license: { id: expect.stringMatching(/^[\w.-]+$/) } }],
      purl: expect.stringMatching(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/),
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    })
  }
  const [own, ...leaves] = sbom.dependencies
  expect(own).toEqual({ ref: `pkg:npm/${name}@${version}`, dependsOn: refs })
  expect(leaves).toEqual(refs.map((ref: string) => ({ ref })))
})
