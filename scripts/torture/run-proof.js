import { chmod } from 'node:fs/promises'
import { inFolder } from '../in-folder.js'
import { editProduct } from './edit-product.js'
import { findProgram, PROGRAMS } from './parts/programs.js'
import { BUILT } from './parts/service.js'

export const INTERRUPTED = 130

/**
 * Runs a proof in a folder of its own. What it starts ends with it, also if it is interrupted. A proof that could
 * not be finished has `failed`: it has shown nothing, neither that something holds nor that it is broken.
 */
export async function runProof(proof, options, edit) {
  const startedAt = performance.now()
  const { promise: interrupted, forget } = untilInterrupted()
  const finish = async (folder, atTheEnd) => {
    // The user that runs PostgreSQL must be able to enter it.
    await chmod(folder, 0o755)
    const server = edit ? await editProduct(folder, edit) : BUILT
    return proof.run({ ...options, folder, server, atTheEnd })
  }
  return inFolder(async (folder, atTheEnd) => {
    atTheEnd(forget)
    try {
      const result = await Promise.race([finish(folder, atTheEnd), interrupted])
      return { ...result, failed: false, seconds: secondsSince(startedAt) }
    } catch (error) {
      const figure = `it could not be finished: ${error.message}`
      return { held: false, failed: true, figure, details: {}, seconds: secondsSince(startedAt) }
    }
  })
}

/** The promise rejects at the first signal. `forget` lets signals end the process again. */
function untilInterrupted() {
  const signals = ['SIGINT', 'SIGTERM']
  let interrupt
  const promise = new Promise((_, reject) => {
    interrupt = (signal) => {
      process.exitCode = INTERRUPTED
      reject(new Error(`interrupted by ${signal}`))
    }
  })
  for (const signal of signals) process.once(signal, interrupt)
  const forget = () => {
    for (const signal of signals) process.removeListener(signal, interrupt)
  }
  return { promise, forget }
}

/** What has to be installed first, as a command; empty if nothing is missing. */
export const missingFor = ({ needs }) =>
  needs.filter((name) => !findProgram(name)).map((name) => PROGRAMS[name].install)

const secondsSince = (startedAt) => Math.round((performance.now() - startedAt) / 1000)
