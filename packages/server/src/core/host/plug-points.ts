import type { Pk } from '../../kernel/ids.ts'
import type { MailSender } from '../../mailer/host-transport.ts'
import type { Hooks } from '../hooks.ts'

/** Whose password or username it is, or is going to be. */
export type RuledUser = {
  /** Null for a visitor who registers. */
  readonly pk: Pk | null
  readonly username: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
}

/** What is wrong with the value, in words for the user. Nothing, or an empty list, if it is good. */
type Faults = readonly string[] | null | undefined

/** A rule for passwords, in addition to ours. It may be async. */
export type PasswordRule = (password: string, user: RuledUser) => Faults | Promise<Faults>

/** A rule for usernames, in addition to ours. It may be async. */
export type UsernameRule = (username: string, user: RuledUser) => Faults | Promise<Faults>

/** What the program that the service is built into may bring along. */
export type HostOptions = {
  /** Functions that are asked before, or told after, something happens. */
  hooks?: Hooks | undefined
  /** Sends mails instead of `EMAIL_URL`. */
  mail?: MailSender | undefined
  /** A rule for new passwords, in addition to ours. */
  passwordRules?: PasswordRule | undefined
  /** A rule for usernames, in addition to ours. */
  usernameRules?: UsernameRule | undefined
}
