import { isObject } from '../../kernel/json-object.ts'
import {
  asItIs,
  each,
  type Mapping,
  needless,
  note,
  type Outcome,
  onlyAs,
  unless,
  whenOn,
} from './mapping.ts'

const NAME = 'SOCIALACCOUNT_PROVIDERS'

/** Options of a provider that steer nothing here. */
const NEEDLESS = ['EMAIL_AUTHENTICATION_AUTO_CONNECT', 'STORE_TOKENS']

/** All that a provider is refused for, one line each, without any value. */
export type ProviderCheck = (
  id: string,
  block: Readonly<Record<string, unknown>>,
) => readonly string[]

export const socialAccount = (check: ProviderCheck): readonly Mapping[] => [
  each(NAME, (value) => {
    const outcomes = Object.entries(isObject(value) ? value : {}).map(([id, block]) =>
      providerOf(id, isObject(block) ? block : {}, check),
    )
    const kept = outcomes.flatMap((one) => ('block' in one ? [[one.id, one.block] as const] : []))
    return [
      ...(kept.length > 0
        ? [
            { setting: NAME, value: Object.fromEntries(kept), about: NAME },
            note(
              NAME,
              'the callback_url of your views is not in the settings; front ends that send a code need it as CALLBACK_URL beside APP',
            ),
          ]
        : []),
      ...outcomes.flatMap((one): readonly Outcome[] => ('notes' in one ? one.notes : [])),
    ]
  }),
  ...asItIs('SOCIALACCOUNT_EMAIL_AUTHENTICATION'),
  onlyAs(
    'SOCIALACCOUNT_AUTO_SIGNUP',
    [true],
    'there is no form between the first social login and the account; set SOCIALACCOUNT.SIGNUP to false to let only known identities in',
  ),
  unless(
    'SOCIALACCOUNT_ADAPTER',
    (path) => String(path).startsWith('allauth.'),
    'code of your own is not carried over; SOCIALACCOUNT.SIGNUP says whether unknown identities may sign up',
  ),
  whenOn('SOCIALACCOUNT_STORE_TOKENS', 'the tokens of providers are not kept'),
  whenOn(
    'SOCIALACCOUNT_ONLY',
    'logins with a password stay possible; leave registration out of MODULES',
  ),
  whenOn('SOCIALACCOUNT_FORMS', 'code of your own is not carried over'),
  whenOn(
    'SOCIALACCOUNT_EMAIL_REQUIRED',
    'a user whose provider vouches for no address has none; the front end may ask for it later',
  ),
  needless(
    ...[
      'SOCIALACCOUNT_QUERY_EMAIL',
      'SOCIALACCOUNT_LOGIN_ON_GET',
      'SOCIALACCOUNT_EMAIL_VERIFICATION',
    ],
    ...['SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT', 'SOCIALACCOUNT_REQUESTS_TIMEOUT'],
    ...['SOCIALACCOUNT_SOCIALACCOUNT_STR', 'SOCIALACCOUNT_UID_MAX_LENGTH'],
    ...['SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX', 'SOCIALACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS'],
  ),
]

function providerOf(
  id: string,
  given: Readonly<Record<string, unknown>>,
  check: ProviderCheck,
): { id: string; block: object } | { notes: readonly Outcome[] } {
  const about = `${NAME}.${id}`
  const options = Object.entries(given).filter(([key]) => !NEEDLESS.includes(key))
  const block = Object.fromEntries(options.filter(([key]) => key !== 'EMAIL_AUTHENTICATION'))
  if (block.APP === undefined && block.APPS === undefined) {
    return {
      notes: [
        note(
          about,
          'has no APP: its client id and secret are in the database of Django (SocialApp); add them to SOCIALACCOUNT.PROVIDERS',
        ),
      ],
    }
  }
  const faults = check(id, block)
  if (faults.length > 0) return { notes: faults.map((fault) => note(about, `left out: ${fault}`)) }
  return { id, block }
}
