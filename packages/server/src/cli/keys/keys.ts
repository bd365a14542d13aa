import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isShared } from '../../crypto/jwt/algorithms.ts'
import { generateKey, pairAlgorithms, pemsOf } from '../../crypto/jwt/keys.ts'
import { keyTimes, loadJwtKeys, readPems } from '../../crypto/jwt/load-keys.ts'
import { createSealedBox, SEALING } from '../../crypto/sealed-box.ts'
import { isoTimeOrNull } from '../../kernel/clock.ts'
import { firstLine } from '../../kernel/texts.ts'
import { keyWrittenAt, withStoredKey } from '../../settings/secret-key.ts'
import type { Settings } from '../../settings/settings.ts'
import { command } from '../command.ts'
import { loadFor, settingsOptions } from '../load-settings.ts'
import { type Columns, listing } from '../output.ts'
import { refusal, usageRefusal } from '../refusal.ts'
import { writePrivateFile } from '../write-private-file.ts'

export const keysGenerate = command({
  options: {
    algorithm: {
      type: 'optional',
      placeholder: '<name>',
      doc: `${pairAlgorithms.join(', ')}; the default is ES256`,
    },
    out: {
      type: 'optional',
      placeholder: '<file>',
      doc: 'Write the key to this file instead of printing it',
    },
  },
  async run({ values, io, say }) {
    const { algorithm: wanted = 'ES256', out } = values
    const algorithm = pairAlgorithms.find((name) => name === wanted)
    if (!algorithm) throw usageRefusal(`--algorithm must be one of ${pairAlgorithms.join(', ')}.`)
    const { kid, privatePem } = generateKey(algorithm)
    if (out === undefined) {
      say(privatePem.trimEnd(), { kid, algorithm, private_key: privatePem })
      return
    }
    const file = resolve(io.cwd, out)
    writeNewKey(file, privatePem)
    say(`${kid}\nTo use it: SIMPLE_JWT_ALGORITHM=${algorithm} SIMPLE_JWT_SIGNING_KEY=${file}`, {
      kid,
      algorithm,
      file,
    })
  },
})

/** Keys of tokens sign and check. Keys of what is stored seal and open. */
const columns: Columns<{ id: string; algorithm: string; use: string; since: string | null }> = {
  KID: ({ id }) => id,
  ALGORITHM: ({ algorithm }) => algorithm,
  USE: ({ use }) => use,
  SINCE: ({ since }) => since,
}

export const keysList = command({
  options: settingsOptions,
  async run(call) {
    const loaded = await loadFor(call)
    const settings = withStoredKey(loaded.settings)
    const { ALGORITHM: algorithm } = settings.SIMPLE_JWT
    const sealing = sealingKeysOf(settings)
    if (isShared(algorithm)) {
      const words = `${algorithm} uses one shared secret, which is not published.`
      const table = sealing.length > 0 ? `\n\n${listing(columns, sealing)}` : ''
      call.say(`${words}${table}`, { algorithm, keys: [], sealing })
      return
    }
    const { signing, verifying } = loadJwtKeys(settings.SIMPLE_JWT, '')
    const times = keyTimes(settings.SIMPLE_JWT)
    const keys = [...verifying.keys()].map((kid) => ({
      kid,
      signs: kid === signing.kid,
      since: isoTimeOrNull(times.get(kid) ?? null),
    }))
    const rows = keys.map(({ kid: id, signs, since }) => {
      const use = signs ? 'signs' : 'checks'
      return { id, algorithm, use, since }
    })
    call.say(listing(columns, [...rows, ...sealing]), { algorithm, keys, sealing })
  },
})

/** None before the first start, which makes a key. The age of a former key is unknown. */
function sealingKeysOf(settings: Settings) {
  const { SECRET_KEY, SECRET_KEY_FALLBACKS } = settings
  const ids = SECRET_KEY === null ? [] : createSealedBox(SECRET_KEY, SECRET_KEY_FALLBACKS).ids
  return ids.map((id, n) => ({
    id,
    algorithm: SEALING,
    use: n === 0 ? 'seals' : 'opens',
    since: n === 0 ? isoTimeOrNull(keyWrittenAt(settings)) : null,
  }))
}

export const keysRotate = command({
  options: settingsOptions,
  async run(call) {
    const { settings } = await loadFor(call)
    const { ALGORITHM, SIGNING_KEY, VERIFYING_KEY } = settings.SIMPLE_JWT
    if (isShared(ALGORITHM)) {
      throw refusal(
        `SIMPLE_JWT.ALGORITHM is ${ALGORITHM}, which uses a shared secret. To change it, change SIMPLE_JWT.SIGNING_KEY.`,
      )
    }
    if (!isPath(SIGNING_KEY) || !isPath(VERIFYING_KEY)) {
      throw refusal(
        'SIMPLE_JWT.SIGNING_KEY must name a file, and SIMPLE_JWT.VERIFYING_KEY a folder for former keys.',
      )
    }
    const file = resolve(call.io.cwd, SIGNING_KEY)
    const folder = resolve(call.io.cwd, VERIFYING_KEY)
    const former = existsSync(folder) ? folder : null
    // With a wrong key in either place, the next start would fail.
    loadJwtKeys({ ALGORITHM, SIGNING_KEY: file, VERIFYING_KEY: former }, '')
    const [privatePem = ''] = readPems(file)
    const old = pemsOf(privatePem)
    const young = generateKey(ALGORITHM)
    // The old public key is kept before the new key is written. If the command stops in between,
    // all tokens stay valid.
    const kept = keepPublicKey(folder, old.kid, old.publicPem)
    writePrivateFile(file, young.privatePem, { force: true })
    call.say(
      `After the next start ${young.kid} signs new tokens. ${old.kid} still checks older ones.\nRemove ${kept} when the last token that it signed has expired.`,
      { signs: young.kid, checks: old.kid, file: kept },
    )
  },
})

const isPath = (setting: string | null): setting is string =>
  setting !== null && !setting.includes('-----BEGIN')

/** Writes a key that only the service can read. Never overwrites an existing key. */
function writeNewKey(file: string, pem: string): void {
  explaining(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, pem, { flag: 'wx', mode: 0o600, flush: true })
  })
}

/** The file is named after the key, so running it twice changes nothing. */
function keepPublicKey(folder: string, kid: string, pem: string): string {
  const file = join(folder, `${kid}.pem`)
  explaining(() => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, pem, { flush: true })
  })
  return file
}

function explaining(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw refusal(firstLine(error))
  }
}
