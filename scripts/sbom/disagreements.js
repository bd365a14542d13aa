import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

const ROOT = dirname(dirname(import.meta.dirname))

/**
 * Where the bill of materials, the lockfile and what was built do not say the same.
 * @param {{ components: { purl: string, hashes?: { content: string }[] }[] }} sbom
 * @param {{ packages: Record<string, { version?: string, integrity?: string }> }} lockfile
 * @param {readonly string[]} contained the places of the packages, as the lockfile writes them
 * @returns {string[]}
 */
export function disagreements(sbom, lockfile, contained) {
  const listed = new Map(sbom.components.map((one) => [one.purl, one.hashes?.[0]?.content]))
  const built = new Map(
    contained.map((place) => {
      const { version, integrity = '' } = lockfile.packages[place] ?? {}
      const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
      return [purlOf(place, version), content]
    }),
  )
  return [
    ...[...built.keys()].filter((purl) => !listed.has(purl)).map((purl) => `${purl} is missing`),
    ...[...listed].flatMap(([purl, content]) => {
      if (!built.has(purl)) return [`${purl} is listed, and not in what was built`]
      return built.get(purl) === content ? [] : [`${purl} has another hash in the lockfile`]
    }),
  ]
}

/**
 * The packages in what was built, by the source maps of the program and the lists of the two sets of
 * pages. The bill of materials is made from the modules of the bundler, so these are other sources.
 */
export function packagesIn(dist, lockfile) {
  const maps = readdirSync(dist).filter((name) => /\.c?js\.map$/.test(name))
  const sources = maps.flatMap((name) =>
    JSON.parse(readFileSync(join(dist, name), 'utf8')).sources.map((file) => join(dist, file)),
  )
  const places = sources.flatMap((file) => {
    const path = relative(ROOT, file).split(sep).join('/')
    return /^.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []
  })
  const ofPages = [
    ...readFileSync(join(dist, 'pages/licences.md'), 'utf8').matchAll(/^## (\S+) - (\S+)/gm),
  ]
  for (const [, name, version] of ofPages) {
    const isIt = (place) =>
      place.endsWith(`node_modules/${name}`) && lockfile.packages[place]?.version === version
    places.push(Object.keys(lockfile.packages).find(isIt) ?? `node_modules/${name}`)
  }
  const { scripts } = JSON.parse(readFileSync(join(dist, 'api-page/manifest.json'), 'utf8'))
  if (scripts.some((name) => name.startsWith('swagger-ui'))) {
    places.push('node_modules/swagger-ui-dist')
  }
  return [...new Set(places)]
}

/** What was built here, compared with its bill of materials and the lockfile. */
export function disagreementsHere() {
  const dist = join(ROOT, 'packages/server/dist')
  if (!existsSync(join(dist, 'sbom.cdx.json'))) return ['Nothing is built: npm run build']
  const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const sbom = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'))
  return disagreements(sbom, lockfile, packagesIn(dist, lockfile))
}

function purlOf(place, version) {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
