import { isObject } from '../../../server/src/kernel/json-object.ts'
import { factsOf } from './facts.ts'
import {
  asItIs,
  carried,
  type Dump,
  each,
  isOff,
  type Mapped,
  type Mapping,
  needless,
  note,
  noteIf,
  OWN_CODE,
  onlyAs,
  ownCode,
  UNREADABLE,
  whenOn,
} from './mapping.ts'
import { providerHere } from './provider-name.ts'

const NAME = 'SOCIALACCOUNT_PROVIDERS'

/** Options of a provider that have no effect here. */
const NEEDLESS = ['EMAIL_AUTHENTICATION_AUTO_CONNECT', 'STORE_TOKENS']

type Block = Readonly<Record<string, unknown>>

/** All reasons to refuse a provider, one line each. They contain no values. */
export type ProviderCheck = (id: string, block: Block) => readonly string[]

/** The providers that are carried over. */
export const keptProviders = (dump: Dump, check: ProviderCheck): readonly string[] =>
  providersIn(dump, check).flatMap((one) => ('block' in one ? [one.id] : []))

export const socialAccount = (check: ProviderCheck): readonly Mapping[] => [
  each(NAME, (value, dump) => {
    if (!isObject(value)) return isOff(value) ? [] : [note(NAME, UNREADABLE)]
    const outcomes = providersIn(dump, check)
    const kept = outcomes.flatMap((one) => ('block' in one ? [[one.id, one.block] as const] : []))
    const isWithout = kept.some(([, block]) => block.CALLBACK_URL === undefined)
    return [
      ...(kept.length > 0 ? [carried(NAME, Object.fromEntries(kept))] : []),
      ...noteIf(
        isWithout,
        NAME,
        'if your front end sends a code, add the callback_url of your view as CALLBACK_URL beside APP',
      ),
      ...outcomes.flatMap(({ notes }) => notes),
    ]
  }),
  ...asItIs('SOCIALACCOUNT_EMAIL_AUTHENTICATION'),
  onlyAs(
    'SOCIALACCOUNT_AUTO_SIGNUP',
    [true],
    'the first social login creates the account without a form; to let only existing users log in, set SOCIALACCOUNT.SIGNUP to false',
  ),
  ownCode(
    'SOCIALACCOUNT_ADAPTER',
    /^allauth\./,
    'SOCIALACCOUNT.SIGNUP sets whether a social login may create an account',
  ),
  whenOn('SOCIALACCOUNT_STORE_TOKENS', 'the tokens of providers are not stored'),
  whenOn(
    'SOCIALACCOUNT_ONLY',
    'users with a password can still log in with it; to stop new ones, remove registration from MODULES',
  ),
  whenOn('SOCIALACCOUNT_FORMS', OWN_CODE),
  whenOn(
    'SOCIALACCOUNT_EMAIL_REQUIRED',
    'a user has no address if the provider sends none that is verified; the front end can ask for it later',
  ),
  needless(`
    SOCIALACCOUNT_QUERY_EMAIL SOCIALACCOUNT_LOGIN_ON_GET SOCIALACCOUNT_EMAIL_VERIFICATION
    SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT SOCIALACCOUNT_REQUESTS_TIMEOUT
    SOCIALACCOUNT_SOCIALACCOUNT_STR SOCIALACCOUNT_UID_MAX_LENGTH
    SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX SOCIALACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS
  `),
]

type Provided =
  | { notes: readonly Mapped[] }
  | { id: string; block: Block; notes: readonly Mapped[] }

function providersIn(dump: Dump, check: ProviderCheck): readonly Provided[] {
  const given = dump.get(NAME)
  const blocks = isObject(given) ? given : {}
  const urls = factsOf(dump).urls ?? []
  return Object.entries(blocks)
    .filter(([id]) => !isReplaced(id, Object.keys(blocks)))
    .map(([id, block]) => {
      const callbacks = urls.flatMap(({ provider, callbackUrl }) =>
        provider === id && callbackUrl !== null ? [callbackUrl] : [],
      )
      const known = callbacks.length > 0 ? { CALLBACK_URL: [...new Set(callbacks)] } : {}
      return providerOf(id, { ...known, ...(isObject(block) ? block : {}) }, check)
    })
}

/** The keys of OAuth 1, which are of no use here, give way to those of OAuth 2. */
const isReplaced = (id: string, all: readonly string[]): boolean =>
  all.some((other) => other !== id && providerHere(other) === id)

function providerOf(id: string, given: Block, check: ProviderCheck): Provided {
  const about = `${NAME}.${id}`
  const block = Object.fromEntries(Object.entries(given).filter(([key]) => !NEEDLESS.includes(key)))
  if (block.APP === undefined && block.APPS === undefined) return { notes: [note(about, NO_APP)] }
  const name = providerHere(id)
  const faults = check(name, block)
  if (faults.length > 0)
    return { notes: faults.map((fault) => note(about, `is left out: ${fault}`)) }
  return { id: name, block, notes: noteIf(name !== id, about, called(name)) }
}

const NO_APP =
  'has no APP, since its client id and secret are in the database of Django (SocialApp); add them to SOCIALACCOUNT.PROVIDERS'

const called = (name: string): string =>
  `is called ${name} here; let your front end send to ${name}/, or keep its path with ROUTES`
