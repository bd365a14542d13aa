import type { ServiceFacts } from '../../kernel/page-facts.ts'
import { authenticationClasses } from '../../settings/authentication-classes.ts'
import { editableFields, shownFields } from '../../settings/kinds/user-details.ts'
import type { Settings } from '../../settings/settings.ts'
import { passkeysWorkOnPages } from '../../settings/why-passkeys-cannot-work.ts'
import type { UpToAccount } from '../account/feature.ts'
import { exchangesCodes } from '../social/provider-client.ts'
import { needsProvedAddress } from '../users/proved-address.ts'

type Needs = Pick<UpToAccount, 'settings' | 'social' | 'apiKeys'>

/** What all pages are told. Whether they show a captcha depends on who reads them. */
export function createFacts({ settings, social, apiKeys }: Needs): Omit<ServiceFacts, 'captcha'> {
  const { REST_AUTH, REST_FRAMEWORK, ACCOUNT, USER_FIELDS, MODULES } = settings
  const declared = { details: REST_AUTH.USER_DETAILS_SERIALIZER, userFields: USER_FIELDS }
  const modules = MODULES.filter((name) => name !== 'passkeys' || passkeysWorkOnPages(settings))
  const credential = credentialOf(settings)
  const clientOptions = clientOptionsOf(settings, credential)
  const editable = editableFields(declared).map(({ name }) => name)
  return {
    site: settings.SITE_NAME,
    modules,
    credential,
    csrfCookie: settings.CSRF_COOKIE_NAME,
    errorNames: {
      nonFieldErrorsKey: REST_FRAMEWORK.NON_FIELD_ERRORS_KEY,
      ...(REST_FRAMEWORK.ERRORS_UNDER && { errorsUnder: REST_FRAMEWORK.ERRORS_UNDER }),
    },
    ...(Object.keys(clientOptions).length > 0 && { clientOptions }),
    loginMethods: ACCOUNT.LOGIN_METHODS,
    loginByCode: ACCOUNT.LOGIN_BY_CODE_ENABLED,
    signup: ACCOUNT.SIGNUP,
    passkeySignup: modules.includes('passkeys') && ACCOUNT.PASSKEY_SIGNUP,
    quietPasskeys:
      modules.includes('passkeys') && REST_AUTH.PASSKEY_USER_VERIFICATION !== 'required',
    invites: ACCOUNT.SIGNUP === 'invited' && settings.INVITATIONS_BY_USERS,
    apiKeyScopes: settings.API_KEYS ? apiKeys.scopes : [],
    signupFields: ACCOUNT.SIGNUP_FIELDS,
    userFields: USER_FIELDS,
    languages: settings.LANGUAGES,
    profile: shownFields(declared).map(({ name, source }) => ({
      name,
      source,
      editable: editable.includes(name),
    })),
    mustVerify: ACCOUNT.EMAIL_VERIFICATION === 'mandatory',
    addressFirst: needsProvedAddress(settings),
    asksOldPassword: REST_AUTH.OLD_PASSWORD_FIELD_ENABLED,
    deletion: ACCOUNT.DELETION,
    providers: social.clients.map((client) => {
      const { name, title, redirect } = client.config
      const { pkce, nonce } = redirect
      return { name, title, pkce, nonce, hasRedirect: exchangesCodes(client) }
    }),
  }
}

/**
 * The credential that the pages use. A cookie is better if there is one: scripts cannot read it, and
 * all tabs share it.
 */
function credentialOf(settings: Settings): ServiceFacts['credential'] {
  const { REST_AUTH } = settings
  const counts = authenticationClasses(settings)
  if (REST_AUTH.SESSION_LOGIN && counts.includes('session')) return 'session'
  if (!REST_AUTH.USE_JWT) return 'token'
  // If only one of the tokens is in a cookie, the pages have to keep the other one.
  const areBothInCookies = REST_AUTH.JWT_AUTH_COOKIE && REST_AUTH.JWT_AUTH_REFRESH_COOKIE
  return areBothInCookies ? 'jwt-cookie' : 'jwt'
}

/** What differs from the usual. */
function clientOptionsOf(
  { REST_AUTH, SIMPLE_JWT }: Settings,
  credential: ServiceFacts['credential'],
): NonNullable<ServiceFacts['clientOptions']> {
  const answerNames = Object.fromEntries(
    Object.entries(REST_AUTH.ANSWER_NAMES).flatMap(([name, names]) =>
      names?.[0] && !names.includes(name) ? [[name, names[0]]] : [],
    ),
  )
  const [authHeaderType = 'Bearer'] = SIMPLE_JWT.AUTH_HEADER_TYPES
  const needsCookies =
    REST_AUTH.JWT_AUTH_COOKIE ||
    REST_AUTH.JWT_AUTH_REFRESH_COOKIE ||
    REST_AUTH.JWT_AUTH_COOKIE_ENFORCE_CSRF_ON_UNAUTHENTICATED
  const rotatesCookie =
    REST_AUTH.JWT_AUTH_REFRESH_COOKIE !== null && SIMPLE_JWT.ROTATE_REFRESH_TOKENS
  return {
    ...(Object.keys(answerNames).length > 0 && { answerNames }),
    ...(authHeaderType !== 'Bearer' && { authHeaderType }),
    ...(credential === 'jwt' && needsCookies && { cookies: true }),
    ...(credential === 'jwt' && rotatesCookie && { rotatesCookie }),
  }
}
