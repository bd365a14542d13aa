import { Type } from '@sinclair/typebox'
import { isShared } from '../../crypto/jwt/algorithms.ts'
import { keyTimes, loadJwtKeys } from '../../crypto/jwt/load-keys.ts'
import { isoTime } from '../../kernel/clock.ts'
import { deployFindings } from '../../settings/deploy.ts'
import type { UpToAccount } from '../account/feature.ts'
import type { DailyFigures } from './figures.ts'
import { listOf } from './find-operations.ts'
import { operation } from './operation.ts'
import { createOperatorFindings } from './operator-findings.ts'

const Key = Type.Object(
  {
    use: Type.String({
      enum: ['signs', 'checks', 'seals', 'opens'],
      description: 'Keys of tokens sign and check, keys of the database seal and open',
    }),
    id: Type.Union([Type.String(), Type.Null()], { examples: ['0b1c2d3e'] }),
    algorithm: Type.String({ examples: ['ES256'] }),
    since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When its file was written; null if it is not in a file',
    }),
  },
  { $id: 'KeyInUse' },
)

const Finding = Type.Object(
  {
    setting: Type.String({
      description: 'A setting, or what else is unsafe: superusers, admin keys',
      examples: ['ADMIN_LISTEN'],
    }),
    finding: Type.String({ examples: ['everybody reaches the login of the operators'] }),
    mend: Type.String({ examples: ['give the admin API an address of its own'] }),
  },
  { $id: 'Finding' },
)

const count = Type.Integer({ examples: [0] })
const Figures = Type.Object(
  {
    users: Type.Integer({ examples: [1000] }),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', examples: ['2030-01-01'] }),
        sign_ups: count,
        logins: count,
        failures: count,
      }),
    ),
  },
  { $id: 'Figures' },
)

const look = { method: 'GET', changes: false, actsOn: null, input: {} } as const

/** How the service itself is doing. */
export function serviceOperations(house: UpToAccount & { dailyFigures: DailyFigures }) {
  const { settings, secretKey, sealedBox, dailyFigures } = house
  const operatorFindings = createOperatorFindings(house)

  return {
    'keys.list': operation({
      ...look,
      path: 'keys/',
      summary: 'The keys in use by id and age, never their values',
      scope: null,
      needs: 'superuser',
      output: listOf(Key),
      run: async () => ({ results: [...tokenKeys(), ...sealingKeys()], next: null }),
    }),

    'findings.list': operation({
      ...look,
      path: 'findings/',
      summary: 'Settings that are unsafe in production, as `latchkey check --deploy` reports them',
      scope: 'read',
      needs: 'staff',
      output: listOf(Finding),
      async run() {
        const ofSettings = deployFindings({ settings })
        const ofOperators = (await operatorFindings()).map(({ about, says, mend }) => ({
          setting: about,
          finding: says,
          mend,
        }))
        const results = [...ofSettings, ...ofOperators]
        return {
          results: results.map(({ setting, finding, mend }) => ({ setting, finding, mend })),
          next: null,
        }
      },
    }),

    'figures.show': operation({
      ...look,
      path: 'figures/',
      summary: 'How many users there are, and sign-ups, logins and failures of the last 30 days',
      scope: 'read',
      needs: 'staff',
      output: Figures,
      run: () => dailyFigures.show(),
    }),
  }

  function tokenKeys() {
    const { ALGORITHM: algorithm } = settings.SIMPLE_JWT
    if (isShared(algorithm)) return [{ use: 'signs', id: null, algorithm, since: null }]
    const { signing, verifying } = loadJwtKeys(settings.SIMPLE_JWT, secretKey)
    const times = keyTimes(settings.SIMPLE_JWT)
    return [...verifying.keys()].map((id) => {
      const written = times.get(id)
      return {
        use: id === signing.kid ? 'signs' : 'checks',
        id,
        algorithm,
        since: written === undefined ? null : isoTime(written),
      }
    })
  }

  function sealingKeys() {
    return sealedBox.ids.map((id, n) => ({
      use: n === 0 ? 'seals' : 'opens',
      id,
      algorithm: 'AES-256-GCM',
      since: null,
    }))
  }
}
