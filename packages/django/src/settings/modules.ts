import { endpointsThere, hasSocialLogin } from './endpoints-there.ts'
import { factsOf } from './facts.ts'
import { carried, type Dump, isOff, type Mapped, type Mapping, note, noteIf } from './mapping.ts'
import { toList } from './python-values.ts'

const ABOUT = 'INSTALLED_APPS'
const PERMISSIONS = 'REST_AUTH.REGISTER_PERMISSION_CLASSES'
const OPEN = 'ACCOUNT_ALLOW_REGISTRATION'

export const REGISTRATION_APPS = ['dj_rest_auth.registration', 'rest_auth.registration']

const ALL = ['registration', 'social', 'mfa', 'passkeys', 'pages'] as const

type Module = (typeof ALL)[number]

/**
 * A move must neither open what was closed nor close what was open. The URLs of a project decide
 * whether strangers can sign up, not its apps.
 */
export const modules: readonly Mapping[] = [
  { from: [ABOUT, PERMISSIONS], carry: (dump) => [...switched(dump), ...notesOn(dump)] },
  { from: [], carry: bySomebody },
  { from: [], carry: socialSignup },
  // A template for Django projects has this setting, and its adapters read it. dj-rest-auth does not.
  { from: [OPEN], carry: notesOnTemplate },
]

export const modulesOf = (dump: Dump): readonly Module[] => {
  const { urls } = factsOf(dump)
  return ALL.filter((module) => {
    if (module === 'registration') return reasonAgainstRegistration(dump) === null
    if (module === 'social') return urls === null || hasSocialLogin(urls)
    return true
  })
}

/** Null if registration is on. */
function reasonAgainstRegistration(dump: Dump): string | null {
  const { urls } = factsOf(dump)
  if (urls !== null && !endpointsThere(urls).some(({ endpoint }) => endpoint === 'registration/')) {
    return 'the URLs of the project do not include it'
  }
  if (isLimited(dump) && urlsOpenSocial(dump)) {
    return 'your own permission classes limit it, but not social logins, and invitations would be for both; if everybody may register, add registration to MODULES'
  }
  if (urls !== null) return null
  if (isClosed(dump)) return `${OPEN} is off`
  if (!dump.has(ABOUT)) return null
  return toList(dump.get(ABOUT)).some((app) => REGISTRATION_APPS.includes(String(app)))
    ? 'the dump has no URL patterns, and an app that is installed need not be reachable; if everybody may register, add registration to MODULES, or make the dump again as docs/coming-from-dj-rest-auth.md shows'
    : 'dj_rest_auth.registration is not installed'
}

const isClosed = (dump: Dump): boolean => dump.has(OPEN) && isOff(dump.get(OPEN))

const ALLOW_ANY = 'rest_framework.permissions.AllowAny'
const ANY_USER = 'rest_framework.permissions.IsAuthenticated'

/**
 * A view of the project may have its own permission classes. Django takes the first pattern of a
 * path, so a view before those of dj-rest-auth replaces theirs. Of several paths the most open counts.
 */
function permissionsOf(dump: Dump): readonly unknown[] {
  const urls = factsOf(dump).urls ?? []
  const given = endpointsThere(urls)
    .filter(({ endpoint }) => endpoint === 'registration/')
    .map(({ path }) => urls.find((url) => url.path === path)?.permissions ?? null)
    .filter((classes) => classes !== null)
  const isOpenTo = (known: readonly string[]) =>
    given.find((classes) => classes.every((one) => known.includes(one)))
  const mostOpen = isOpenTo([ALLOW_ANY]) ?? isOpenTo([ALLOW_ANY, ANY_USER]) ?? given[0]
  return mostOpen ?? toList(dump.get(PERMISSIONS))
}

/** Whether only some people may register. */
const isLimited = (dump: Dump): boolean => !permissionsOf(dump).every((one) => one === ALLOW_ANY)

/** The permission classes never guarded the first social login. */
const urlsOpenSocial = (dump: Dump): boolean => {
  const { urls, socialSignup } = factsOf(dump)
  return urls !== null && hasSocialLogin(urls) && socialSignup !== false
}

/** Where somebody had to be logged in to register another person, they now invite that person. */
function bySomebody(dump: Dump): readonly Mapped[] {
  if (!isLimited(dump) || !modulesOf(dump).includes('registration')) return []
  const byUsers = permissionsOf(dump).every((one) => [ALLOW_ANY, ANY_USER].includes(String(one)))
  const inviting = byUsers ? 'users and operators invite' : 'operators invite'
  return [
    carried(PERMISSIONS, 'invited', 'ACCOUNT.SIGNUP'),
    ...(byUsers ? [carried(PERMISSIONS, true, 'INVITATIONS_BY_USERS')] : []),
    note(
      PERMISSIONS,
      `registration was not for everybody, so now ${inviting}, see docs/sign-up.md; if everybody may register, set ACCOUNT.SIGNUP to open`,
    ),
  ]
}

function switched(dump: Dump): readonly Mapped[] {
  const value = modulesOf(dump)
  return value.length === ALL.length ? [] : [carried(ABOUT, value, 'MODULES')]
}

function notesOn(dump: Dump): readonly Mapped[] {
  const reason = reasonAgainstRegistration(dump)
  const there = endpointsThere(factsOf(dump).urls ?? [])
  const verifies = there.some(({ endpoint }) => endpoint.startsWith('registration/verify-email/'))
  return [
    ...noteIf(reason !== null, 'MODULES', `registration is off, since ${reason}`),
    ...noteIf(
      reason !== null && verifies,
      'MODULES',
      'registration/verify-email/ is off together with registration; links in mails still confirm addresses',
    ),
    ...noteIf(
      dump.has('SOCIALACCOUNT_PROVIDERS') && !modulesOf(dump).includes('social'),
      'MODULES',
      'social is off, since the URLs of the project include no view for social logins',
    ),
  ]
}

/** Our default is to follow registration, which Django does not. */
function socialSignup(dump: Dump): readonly Mapped[] {
  const modules = modulesOf(dump)
  if (!modules.includes('social')) return []
  const isOpen = factsOf(dump).socialSignup ?? (isClosed(dump) ? false : null)
  if (isOpen === null || isOpen === modules.includes('registration')) return []
  return [carried('SOCIALACCOUNT.SIGNUP', isOpen)]
}

function notesOnTemplate(dump: Dump): readonly Mapped[] {
  return noteIf(
    isClosed(dump) && modulesOf(dump).includes('registration'),
    OPEN,
    'dj-rest-auth ignores it, so registration was open and stays open; to close it, remove registration from MODULES',
  )
}
