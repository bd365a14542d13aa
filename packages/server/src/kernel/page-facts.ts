import type { UserFields } from './user-fields/user-field.ts'
import type { Texts } from './words/text.ts'

/** What the script of the hosted pages knows about the service. Nothing here is secret. */
export type ServiceFacts = {
  site: string
  /** Without `passkeys` if they do not work on the pages. */
  modules: readonly string[]
  /** The credential that the pages use. */
  credential: 'session' | 'token' | 'jwt' | 'jwt-cookie'
  csrfCookie: string
  /** How refusals are written (`REST_FRAMEWORK.NON_FIELD_ERRORS_KEY`, `ERRORS_UNDER`). */
  errorNames: { nonFieldErrorsKey: string; errorsUnder?: string }
  /** Missing unless the settings differ from what the client expects. */
  clientOptions?: ClientFacts
  loginMethods: readonly ('username' | 'email')[]
  loginByCode: boolean
  /** Who may register. */
  signup: 'open' | 'invited' | 'closed'
  /** Whether an account may begin with a passkey, on the pages. */
  passkeySignup: boolean
  /** Whether browsers may add passkeys without asking. They verify nobody then. */
  quietPasskeys: boolean
  /** Whether users may invite others. */
  invites: boolean
  /** What a key for a program may do. Empty if users cannot make any. */
  apiKeyScopes: readonly string[]
  signupFields: readonly string[]
  userFields: UserFields
  /** The languages that users can choose from. */
  languages: readonly string[]
  profile: readonly { name: string; source: string; editable: boolean }[]
  asksOldPassword: boolean
  /** Whether new users must confirm their address before they log in. */
  mustVerify: boolean
  /** Whether users must confirm their address before they add a passkey or a second factor. */
  addressFirst: boolean
  deletion: boolean
  providers: readonly ProviderFacts[]
  /** Null if visitors need none. */
  captcha: CaptchaFacts | null
}

type ClientFacts = {
  /** `REST_AUTH.ANSWER_NAMES`, one name each. */
  answerNames?: Readonly<Record<string, string>>
  /** The first word of `SIMPLE_JWT.AUTH_HEADER_TYPES`. */
  authHeaderType?: string
  /** Whether logins need cookies, although the access token is in a header. */
  cookies?: true
  /** Whether a refresh puts the next refresh token into a cookie. */
  rotatesCookie?: true
}

export type CaptchaFacts = {
  provider: 'turnstile' | 'hcaptcha' | 'recaptcha' | 'friendly'
  siteKey: string
  /** What needs one (`CAPTCHA.ON`). */
  on: readonly string[]
  /** The address of the provider's script. */
  script: string
  /** Where Friendly Captcha gets its puzzles from. */
  endpoint: 'eu' | 'global'
}

type AdminFacts = {
  /** Their login is kept apart from that of the hosted pages, which may have the same origin. */
  storageKey: string
  impersonation: boolean
}

export type ProviderFacts = {
  name: string
  title: string
  pkce: boolean
  nonce: boolean
  /** False if a redirect could not log in. Users may have connected the provider elsewhere. */
  hasRedirect: boolean
}

/** What the script gets on one page. */
export type PageFacts = ServiceFacts & {
  /** The paths of the API and of the pages. */
  api: string
  pages: string
  /** Where to go after the login. The service has already checked it. */
  next: string | null
  /** On the page of an invitation: its key, and the address of the new account. */
  invitation?: { key: string; email: string }
  /** The parameters with which a provider sent the browser back. */
  callback?: { provider: string; code: string; state: string; error: string }
  /** The words of the pages, in the language of the page. */
  words: Texts
  /** What the API says, by the codes of its errors; empty if the API speaks the same language. */
  answers: Texts
  /** Only on the pages for operators. */
  admin?: AdminFacts
}
