import { isObject } from '../../../server/src/kernel/json-object.ts'
import { rateLimits as kind } from '../../../server/src/settings/kinds/rates.ts'
import { carried, type Dump, isOff, type Mapped, type Mapping, note } from './mapping.ts'

const NAME = 'ACCOUNT_RATE_LIMITS'
const ATTEMPTS = ['ACCOUNT_LOGIN_ATTEMPTS_LIMIT', 'ACCOUNT_LOGIN_ATTEMPTS_TIMEOUT'] as const

/** allauth's events and ours. The throttle `auth_service` covers its other events. */
const EVENTS: Readonly<Record<string, string>> = {
  login_failed: 'login_failed',
  signup: 'signup',
  reset_password: 'reset_mail',
  confirm_email: 'verify_mail',
  request_login_code: 'code_mail',
}

export const rateLimits: readonly Mapping[] = [
  {
    from: [NAME, ...ATTEMPTS, 'ACCOUNT_EMAIL_CONFIRMATION_COOLDOWN'],
    carry(dump) {
      const given = dump.get(NAME)
      if (given !== undefined && !isObject(given)) {
        return [
          note(NAME, 'limits stay on; to switch one off, set it to "none" in ACCOUNT.RATE_LIMITS'),
        ]
      }
      const limits = { ...formerLimits(dump), ...given }
      const outcomes = Object.entries(limits).map(([event, limit]) => limitOf(event, limit))
      const value = Object.fromEntries(
        outcomes.flatMap((one) => ('limit' in one ? [[one.event, one.limit]] : [])),
      )
      return [
        ...(Object.keys(value).length > 0 ? [carried(NAME, value)] : []),
        ...outcomes.flatMap((one): readonly Mapped[] => ('note' in one ? [one] : [])),
      ]
    },
  },
]

/** Older versions of allauth have these settings instead of a list of limits. */
function formerLimits(dump: Dump): Readonly<Record<string, unknown>> {
  const [limit, timeout] = ATTEMPTS.map((name) => dump.get(name))
  const cooldown = dump.get('ACCOUNT_EMAIL_CONFIRMATION_COOLDOWN')
  return {
    ...(limit !== undefined && {
      login_failed: isOff(limit) ? null : `${limit}/${timeout ?? 300}s/key`,
    }),
    ...(!isOff(cooldown ?? null) && { confirm_email: `1/${cooldown}s/key` }),
  }
}

function limitOf(
  event: string,
  limit: unknown,
): { event: string; limit: unknown } | ReturnType<typeof note> {
  const ours = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined
  const about = `${NAME}.${event}`
  if (!ours) {
    return note(
      about,
      'has no separate limit; REST_FRAMEWORK.DEFAULT_THROTTLE_RATES.auth_service limits all endpoints together',
    )
  }
  const text = isOff(limit) ? 'none' : String(limit)
  if ('value' in kind.parse({ [ours]: text })) return { event: ours, limit: text }
  return note(about, `cannot be read; set ACCOUNT.RATE_LIMITS.${ours} to a limit such as "20/m/ip"`)
}
