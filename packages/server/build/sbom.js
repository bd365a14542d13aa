import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SPEC = '1.6'

/**
 * The software bill of materials in the form of CycloneDX: what the package contains of others, which
 * no audit of its dependencies would show. It has neither a time nor a random number, so the same
 * sources make the same file.
 */
export function sbom(manifest, packages, lockfile) {
  const components = packages.map((one) => componentOf(one, lockfile))
  const unique = [...new Map(components.map((one) => [one['bom-ref'], one])).values()]
  const own = describe(manifest)
  return {
    $schema: `http://cyclonedx.org/schema/bom-${SPEC}.schema.json`,
    bomFormat: 'CycloneDX',
    specVersion: SPEC,
    version: 1,
    metadata: { component: { type: 'application', ...own } },
    components: unique,
    dependencies: [
      { ref: own['bom-ref'], dependsOn: unique.map((one) => one['bom-ref']) },
      ...unique.map((one) => ({ ref: one['bom-ref'] })),
    ],
  }
}

/**
 * The packages that the hosted pages contain, from the list that their bundler writes:
 * `## preact - 10.0.0 (MIT)`.
 */
export function packagesOfPages(folder, lockfile) {
  const list = readFileSync(join(folder, 'licences.md'), 'utf8')
  return [...list.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)].map(([, name, version, license]) => {
    const place = Object.keys(lockfile.packages).find(
      (key) => key.endsWith(`node_modules/${name}`) && lockfile.packages[key].version === version,
    )
    return { name, version, license, place }
  })
}

/** The hash is the one of the lockfile, of the archive that npm downloads. */
function componentOf(one, { packages }) {
  const { version, integrity } = packages[one.place] ?? {}
  if (version !== one.version || !integrity?.startsWith('sha512-')) {
    throw new Error(`${one.name} ${one.version} is bundled, and the lockfile does not have it.`)
  }
  const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  return { type: 'library', ...describe(one), hashes: [{ alg: 'SHA-512', content }] }
}

function describe({ name: fullName, version, license }) {
  const [name, group] = fullName.split('/').reverse()
  const purl = `pkg:npm/${fullName.replace('@', '%40')}@${version}`
  return {
    'bom-ref': purl,
    ...(group && { group }),
    name,
    version,
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
  }
}
