import { clock } from './proofs/clock.js'
import { crash } from './proofs/crash.js'
import { database } from './proofs/database.js'
import { failOver } from './proofs/fail-over.js'
import { hostile } from './proofs/hostile.js'
import { limits } from './proofs/limits.js'
import { oneShot } from './proofs/one-shot.js'
import { oracle } from './proofs/oracle.js'
import { power } from './proofs/power.js'
import { revocation } from './proofs/revocation.js'
import { rolling } from './proofs/rolling.js'
import { secrets } from './proofs/secrets.js'
import { services } from './proofs/services.js'
import { soak } from './proofs/soak.js'
import { upgrade } from './proofs/upgrade.js'

/**
 * @typedef {object} Proof
 * @property {string} name
 * @property {string} shows what it must show, in one line
 * @property {string[]} needs programs that npm does not bring, of `parts/programs.js`
 * @property {{ file: string, from: string, to: string, why: string }[]} broken edits of packages/server, each of
 *   which the proof must notice
 * @property {(options: Options) => Promise<{ held: boolean, figure: string, details: object }>} run
 *
 * @typedef {object} Options
 * @property {'full' | 'small'} size
 * @property {number | undefined} minutes
 * @property {number} seed
 * @property {string} folder deleted afterwards
 * @property {string} server the `bin/latchkey.js` to try
 * @property {(text: string) => void} say progress, for those who wait
 * @property {(end: () => unknown) => void} atTheEnd what to do afterwards, last things first
 */

/** In the order of docs/proofs.md. @type {Proof[]} */
export const proofs = [
  ...[oneShot, limits, hostile, crash, power, rolling, failOver],
  ...[database, services, upgrade],
  ...[oracle, revocation, secrets, clock, soak],
]
