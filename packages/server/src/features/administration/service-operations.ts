import * as Type from '@sinclair/typebox'
import { orNull, Time } from '../../core/schemas.ts'
import { isShared } from '../../crypto/jwt/algorithms.ts'
import { SEALING } from '../../crypto/sealed-box.ts'
import { isoTimeOrNull } from '../../kernel/clock.ts'
import { keyWrittenAt } from '../../settings/secret-key.ts'
import type { UpToAccount } from '../account/feature.ts'
import type { DailyFigures } from './figures.ts'
import type { Findings } from './findings/findings.ts'
import { listOf, operation } from './operation.ts'
import { LOOK } from './rules.ts'

const Key = Type.Object(
  {
    use: Type.String({
      enum: ['signs', 'checks', 'seals', 'opens'],
      description: 'Keys of tokens sign and check, keys of the database seal and open',
    }),
    id: orNull(Type.String(), { examples: ['0b1c2d3e'] }),
    algorithm: Type.String({ examples: ['ES256'] }),
    since: orNull(Time, {
      description:
        'When its file was written; null for a key in a setting, whose age cannot be known',
    }),
  },
  { $id: 'KeyInUse' },
)

const Finding = Type.Object(
  {
    setting: Type.String({
      description:
        'A setting, or what else is unsafe, such as superusers, sealed data, the data folder',
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

const look = { ...LOOK, method: 'GET', input: {} } as const

export type ServiceNeeds = UpToAccount & { dailyFigures: DailyFigures; findings: Findings }

/** How the service itself is doing. */
export function serviceOperations(house: ServiceNeeds) {
  const { settings, tokenKeys, sealedBox, dailyFigures, findings } = house

  return {
    'keys.list': operation({
      ...look,
      path: 'keys/',
      summary: 'The keys in use by id and age, never their values',
      scope: null,
      needs: 'superuser',
      output: listOf(Key),
      run: async () => ({ results: [...signingKeys(), ...sealingKeys()], next: null }),
    }),

    'findings.list': operation({
      ...look,
      path: 'findings/',
      summary: 'What is unsafe or broken, as `latchkey check --deploy` reports it',
      output: listOf(Finding),
      run: async () => ({
        results: (await findings.toFix()).map(({ about, says, mend }) => ({
          setting: about,
          finding: says,
          mend,
        })),
        next: null,
      }),
    }),

    'figures.show': operation({
      ...look,
      path: 'figures/',
      summary: 'How many users there are, and sign-ups, logins and failures of the last 30 days',
      output: Figures,
      run: () => dailyFigures.show(),
    }),
  }

  function signingKeys() {
    const { ALGORITHM: algorithm, SIGNING_KEY } = settings.SIMPLE_JWT
    const isSecretKey = isShared(algorithm) && SIGNING_KEY === null
    return tokenKeys.map(({ id, signs, writtenAt }) => ({
      use: signs ? 'signs' : 'checks',
      id,
      algorithm,
      since: isSecretKey ? secretKeySince() : isoTimeOrNull(writtenAt),
    }))
  }

  function sealingKeys() {
    return sealedBox.ids.map((id, n) => ({
      use: n === 0 ? 'seals' : 'opens',
      id,
      algorithm: SEALING,
      // A former key is in a setting, so its age is unknown.
      since: n === 0 ? secretKeySince() : null,
    }))
  }

  function secretKeySince(): string | null {
    return isoTimeOrNull(keyWrittenAt(settings))
  }
}
