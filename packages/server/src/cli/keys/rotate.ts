import { resolve } from 'node:path'
import { isShared } from '../../crypto/jwt/algorithms.ts'
import { generateKey, pemsOf } from '../../crypto/jwt/generate-key.ts'
import { loadJwtKeys } from '../../crypto/jwt/load-keys.ts'
import { readPems } from '../../crypto/jwt/pem-files.ts'
import { command } from '../command.ts'
import { loadFor, settingsOptions } from '../load-settings.ts'
import { explainingFaults } from '../open-service.ts'
import { refusal } from '../refusal.ts'
import { keepPublicKey, replaceKey } from './key-files.ts'

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
    const [privatePem = ''] = await explainingFaults(settings, async () => {
      loadJwtKeys({ ALGORITHM, SIGNING_KEY: file, VERIFYING_KEY: null }, '')
      return readPems(file)
    })
    const old = pemsOf(privatePem)
    const young = generateKey(ALGORITHM)
    // The old public key is kept before the new key is written. If the command stops in between,
    // all tokens stay valid.
    const kept = keepPublicKey(resolve(call.io.cwd, VERIFYING_KEY), old.kid, old.publicPem)
    replaceKey(file, young.privatePem)
    call.say(
      `After the next start ${young.kid} signs new tokens. ${old.kid} still checks older ones.\nRemove ${kept} when the last token that it signed has expired.`,
      { signs: young.kid, checks: old.kid, file: kept },
    )
  },
})

const isPath = (setting: string | null): setting is string =>
  setting !== null && !setting.includes('-----BEGIN')
