import { isObject } from '../../kernel/json-object.ts'
import {
  asItIs,
  each,
  type Mapped,
  type Mapping,
  needless,
  note,
  onlyAs,
  unless,
  whenOn,
} from './mapping.ts'

const NAME = 'SOCIALACCOUNT_PROVIDERS'

/** Options of a provider that have no effect here. */
const NEEDLESS = ['EMAIL_AUTHENTICATION_AUTO_CONNECT', 'STORE_TOKENS']

/** All reasons to refuse a provider, one line each. They contain no values. */
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
              'the callback_url of your views is not in the settings; if your front end sends a code, add it as CALLBACK_URL beside APP',
            ),
          ]
        : []),
      ...outcomes.flatMap((one): readonly Mapped[] => ('notes' in one ? one.notes : [])),
    ]
  }),
  ...asItIs('SOCIALACCOUNT_EMAIL_AUTHENTICATION'),
  onlyAs(
    'SOCIALACCOUNT_AUTO_SIGNUP',
    [true],
    'the first social login makes the account without a form; to let only existing users log in, set SOCIALACCOUNT.SIGNUP to false',
  ),
  unless(
    'SOCIALACCOUNT_ADAPTER',
    (path) => String(path).startsWith('allauth.'),
    'your own code is not carried over; SOCIALACCOUNT.SIGNUP sets whether a social login may make an account',
  ),
  whenOn('SOCIALACCOUNT_STORE_TOKENS', 'the tokens of providers are not stored'),
  whenOn(
    'SOCIALACCOUNT_ONLY',
    'users with a password can still log in with it; to stop new ones, remove registration from MODULES',
  ),
  whenOn('SOCIALACCOUNT_FORMS', 'your own code is not carried over'),
  whenOn(
    'SOCIALACCOUNT_EMAIL_REQUIRED',
    'a user has no address if the provider sends none that is verified; the front end can ask for it later',
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
): { id: string; block: object } | { notes: readonly Mapped[] } {
  const about = `${NAME}.${id}`
  const options = Object.entries(given).filter(([key]) => !NEEDLESS.includes(key))
  const block = Object.fromEntries(options.filter(([key]) => key !== 'EMAIL_AUTHENTICATION'))
  if (block.APP === undefined && block.APPS === undefined) {
    return {
      notes: [
        note(
          about,
          'has no APP, since its client id and secret are in the database of Django (SocialApp); add them to SOCIALACCOUNT.PROVIDERS',
        ),
      ],
    }
  }
  const faults = check(id, block)
  if (faults.length > 0)
    return { notes: faults.map((fault) => note(about, `is left out: ${fault}`)) }
  return { id, block }
}
