import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { breakProduct } from './break-product.js'
import { findProgram, PROGRAMS } from './parts/programs.js'
import { BUILT } from './parts/service.js'

/** Runs a proof in a folder of its own. What it starts ends with it. */
export async function runProof(proof, options, edit) {
  const startedAt = performance.now()
  const folder = await mkdtemp(join(tmpdir(), `latchkey-torture-${proof.name}-`))
  const ends = [() => rm(folder, { recursive: true, force: true })]
  const atTheEnd = (end) => ends.push(end)
  try {
    const server = edit ? await breakProduct(folder, edit) : BUILT
    const result = await proof.run({ ...options, folder, server, atTheEnd })
    return { ...result, seconds: secondsSince(startedAt) }
  } catch (error) {
    // Whatever a proof cannot finish has not been shown.
    return { held: false, figure: error.message, details: {}, seconds: secondsSince(startedAt) }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/** What has to be installed first, as a command; empty if nothing is missing. */
export const missingFor = ({ needs }) =>
  needs.filter((name) => !findProgram(name)).map((name) => PROGRAMS[name].install)

const secondsSince = (startedAt) => Math.round((performance.now() - startedAt) / 1000)
