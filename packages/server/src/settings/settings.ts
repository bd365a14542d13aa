import { account } from './groups/account.ts'
import { admin } from './groups/admin.ts'
import { captcha } from './groups/captcha.ts'
import { languages } from './groups/languages.ts'
import { restAuth } from './groups/rest-auth.ts'
import { restFramework } from './groups/rest-framework.ts'
import { security } from './groups/security.ts'
import { service } from './groups/service.ts'
import { simpleJwt } from './groups/simple-jwt.ts'
import { socialAccount } from './groups/socialaccount.ts'
import type { ValueOf } from './setting.ts'

/**
 * Every setting of the service, once: its name, kind, default and one line of documentation. The
 * types, the config file, the environment, `--set`, `latchkey settings` and `docs/settings.md` are
 * all derived from these two tables.
 */
export const topLevel = { ...service, ...languages, ...security, ...admin }

export const groups = {
  REST_AUTH: restAuth,
  SIMPLE_JWT: simpleJwt,
  ACCOUNT: account,
  REST_FRAMEWORK: restFramework,
  SOCIALACCOUNT: socialAccount,
  CAPTCHA: captcha,
}

/** What each group is about, for editors and `docs/settings.md`. */
export const groupDocs: Readonly<Record<keyof typeof groups, string>> = {
  REST_AUTH: 'Logins, tokens, cookies, second factors and passkeys, named as in dj-rest-auth.',
  SIMPLE_JWT: 'JSON Web Tokens, named as in simplejwt.',
  ACCOUNT: 'Registration, addresses, fresh logins and limits, named as in allauth.',
  REST_FRAMEWORK: 'Credentials, throttling and errors, named as in Django REST framework.',
  SOCIALACCOUNT: 'Social login, named as in allauth.',
  CAPTCHA: 'How visitors show that they are human.',
}

type TopLevel = typeof topLevel
type Groups = typeof groups
type ValuesOf<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> }

/** The values, all present: `settings.PORT`, `settings.REST_AUTH.USE_JWT`. */
export type Settings = ValuesOf<TopLevel> & {
  readonly [Group in keyof Groups]: ValuesOf<Groups[Group]>
}

/** Settings from a file or a variable: the names are known, the values are unchecked. */
export type UncheckedSettings = { readonly [Name in keyof TopLevel]?: unknown } & {
  readonly [Group in keyof Groups]?:
    | { readonly [Name in keyof Groups[Group]]?: unknown }
    | undefined
}

/** `PORT`, `REST_AUTH.USE_JWT`: how messages and documents name a setting. */
export type SettingName =
  | keyof TopLevel
  | { [Group in keyof Groups]: `${Group}.${keyof Groups[Group] & string}` }[keyof Groups]

/** A rule about several settings together. */
export type Rule = {
  /** The settings that it compares. The message begins with the first. */
  readonly about: readonly [SettingName, ...SettingName[]]
  /** Returns what breaks it, if the message names that. */
  readonly broken: (settings: Settings) => string | boolean | null | undefined
  readonly says: string | ((found: string, settings: Settings) => string)
}
