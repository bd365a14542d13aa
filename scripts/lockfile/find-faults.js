/**
 * @typedef {{ link?: boolean, resolved?: string, optionalDependencies?: Record<string, string> }} Entry
 */

/**
 * What keeps a lockfile from installing the same on every machine.
 * @param {{ packages: Record<string, Entry> }} lockfile
 * @returns {string[]}
 */
export function findFaults({ packages }) {
  return Object.entries(packages).flatMap(([place, entry]) => [
    ...addressFaults(packages, place, entry),
    ...platformFaults(packages, place, entry),
  ])
}

/** A link to a workspace says where that is; everything else comes from the registry of the day. */
function addressFaults(packages, place, { link, resolved }) {
  if (resolved === undefined || (link && resolved in packages)) return []
  return [`${place} comes from an address of its own, ${resolved}`]
}

/** A package for another platform is optional, so npm passes over it in silence if it is not here. */
function platformFaults(packages, place, { optionalDependencies = {} }) {
  return Object.keys(optionalDependencies)
    .filter((name) => !placesFor(place, name).some((candidate) => candidate in packages))
    .map((name) => `${name} is missing, which ${place || 'the project'} needs on some platforms`)
}

/** Where Node looks for a package: beside whoever asks for it, and in every folder above. */
function placesFor(place, name) {
  const folders = place.split('/')
  return folders
    .map((_, index) => folders.slice(0, index + 1))
    .concat([[]])
    .filter((above) => above.at(-1) !== 'node_modules')
    .map((above) => [...above.filter(Boolean), 'node_modules', name].join('/'))
}
