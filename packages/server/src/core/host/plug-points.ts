import type { Pk } from '../../kernel/ids.ts'
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

/** A rule in addition to ours. It may be async. */
export type PasswordRule = (password: string, user: RuledUser) => Faults | Promise<Faults>
export type UsernameRule = (username: string, user: RuledUser) => Faults | Promise<Faults>

/** A mail to send. A repeat has the same id. */
export type MailMessage = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends mails instead of `EMAIL_URL`. */
export type MailSender = {
  /**
   * Resolves when the mail is handed over. If it throws, or takes longer than 30 seconds, the mail
   * is tried again after a pause that grows, for a day.
   */
  send(message: MailMessage): unknown
  /** Called once, when the service stops. */
  close?(): unknown
}

/** What the program that the service is built into may bring along. */
export type HostOptions = {
  hooks?: Hooks
  mail?: MailSender
  passwordRules?: PasswordRule
  usernameRules?: UsernameRule
}
