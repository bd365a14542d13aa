import type { Pk } from '../../kernel/ids.ts'
import { isObject } from '../../kernel/json-object.ts'
import { noSuch } from '../../kernel/texts.ts'
import type { MailSender } from '../../mailer/host-transport.ts'
import { type Hooks, hookNames } from '../hooks.ts'

/** The owner of the password or username, or the visitor who registers. */
export type RuledUser = {
  /** Null for a visitor who registers. */
  readonly pk: Pk | null
  readonly username: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
}

/**
 * What is wrong with the value, in words for the user. Nothing or an empty list if it is accepted.
 */
type Faults = readonly string[] | null | undefined

/** A rule for passwords, in addition to ours. It may be async. */
export type PasswordRule = (password: string, user: RuledUser) => Faults | Promise<Faults>

/** A rule for usernames, in addition to ours. It may be async. */
export type UsernameRule = (username: string, user: RuledUser) => Faults | Promise<Faults>

/** What a program that embeds the service may provide. */
export type HostOptions = {
  /** Functions that are called before or after something happens. */
  hooks?: Hooks | undefined
  /** Sends mails instead of `EMAIL_URL`. */
  mail?: MailSender | undefined
  /** A rule for new passwords, in addition to ours. */
  passwordRules?: PasswordRule | undefined
  /** A rule for usernames, in addition to ours. */
  usernameRules?: UsernameRule | undefined
}

/** What is wrong with the functions of the host, in words for its developer. */
export function hostMistakes({ hooks, mail, passwordRules, usernameRules }: HostOptions): string[] {
  return [
    ...(hooks === undefined ? [] : mistakesOfHooks(hooks)),
    ...(mail === undefined ? [] : mistakesOfMail(mail)),
    ...notAFunction('passwordRules', passwordRules),
    ...notAFunction('usernameRules', usernameRules),
  ]
}

function mistakesOfHooks(hooks: unknown): string[] {
  if (!isObject(hooks)) return [`hooks: got ${kindOf(hooks)}, expected an object of functions`]
  return Object.entries(hooks).flatMap(([name, hook]) =>
    isHookName(name)
      ? notAFunction(`hooks.${name}`, hook)
      : [`hooks.${noSuch('hook', name, hookNames)}`],
  )
}

function mistakesOfMail(mail: unknown): string[] {
  if (!isObject(mail) || mail.send === undefined) {
    return [`mail: got ${kindOf(mail)}, expected an object with a function send`]
  }
  return notAFunction('mail.send', mail.send)
}

const isHookName = (name: string): boolean => hookNames.some((known) => known === name)

/** Undefined means not given. */
const notAFunction = (name: string, value: unknown): string[] =>
  value === undefined || typeof value === 'function'
    ? []
    : [`${name}: got ${kindOf(value)}, expected a function`]

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
