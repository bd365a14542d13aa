import { isShared } from '../../crypto/jwt/algorithms.ts'
import { loadJwtKeys } from '../../crypto/jwt/load-keys.ts'
import { command } from '../command.ts'
import { loadFor, settingsOptions } from '../load-settings.ts'
import { explainingFaults } from '../open-service.ts'
import { table } from '../table.ts'

export const keysList = command({
  options: settingsOptions,
  async run(call) {
    const { settings } = await loadFor(call)
    const { ALGORITHM } = settings.SIMPLE_JWT
    if (isShared(ALGORITHM)) {
      call.say(`${ALGORITHM} uses one shared secret, which is not published.`, {
        algorithm: ALGORITHM,
        keys: [],
      })
      return
    }
    const { signing, verifying } = await explainingFaults(settings, async () =>
      loadJwtKeys(settings.SIMPLE_JWT, ''),
    )
    const keys = [...verifying.keys()].map((kid) => ({ kid, signs: kid === signing.kid }))
    const rows = keys.map(({ kid, signs }) => [kid, ALGORITHM, signs ? 'signs' : 'checks'])
    call.say(table([['KID', 'ALGORITHM', 'USE'], ...rows]).trimEnd(), {
      algorithm: ALGORITHM,
      keys,
    })
  },
})
