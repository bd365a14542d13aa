// Fails if the bill of materials does not list exactly the packages that the build contains.
import { disagreementsHere } from './sbom/disagreements.js'

const found = disagreementsHere()
for (const one of found) process.stderr.write(`sbom.cdx.json: ${one}.\n`)
if (found.length > 0) process.exitCode = 1
