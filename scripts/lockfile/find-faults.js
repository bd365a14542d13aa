/**
 * @typedef {{ link?: boolean, resolved?: string, optionalDependencies?: Record<string, string> }} Entry
 */

/**
 * The reasons why a lockfile would not install the same on every machine.
 * @param {{ packages: Record<string, Entry> }} lockfile
 * @returns {string[]}
 */
export function findFaults({ packages }) {
  return Object.entries(packages).flatMap(([place, entry]) => [
    ...addressFaults(packages, place, entry),
    ...platformFaults(packages, place, entry),
  ])
}

/** Only a link to a workspace may have an address. Everything else comes from the configured registry. */
function addressFaults(packages, place, { link, resolved }) {
  if (resolved === undefined || (link && resolved in packages)) return []
  return [`${place} comes from an address of its own, ${resolved}`]
}

/** A package for another platform is optional, so npm silently skips it if it is missing here. */
function platformFaults(packages, place, { optionalDependencies = {} }) {
  return Object.keys(optionalDependencies)
    .filter((name) => !placesFor(place, name).some((candidate) => candidate in packages))
    .map((name) => `${name} is missing, which ${place || 'the project'} needs on some platforms`)
}

/** Where Node looks for a package: beside the package that imports it, and in every folder above. */
function placesFor(place, name) {
  const folders = place.split('/')
  return folders
    .map((_, index) => folders.slice(0, index + 1))
    .concat([[]])
    .filter((above) => above.at(-1) !== 'node_modules')
    .map((above) => [...above.filter(Boolean), 'node_modules', name].join('/'))
}
