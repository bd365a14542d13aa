export type { AccountEvent } from './core/events.ts'
export type {
  ChangingEmail,
  HookClaims,
  Hooks,
  HookUser,
  Registering,
  SigningIn,
} from './core/hooks.ts'
export type { PasswordRule, RuledUser, UsernameRule } from './core/host/plug-points.ts'
export { type RefusalWords, refuse } from './kernel/refuse.ts'
export type { Auth, ExpressMount, FastifyMount, FetchMount, FetchOptions } from './library/auth.ts'
export type { AuthUser, CurrentLogin, Guard, HostRequest, Middleware } from './library/callers.ts'
export { createAuth } from './library/create-auth.ts'
export { loadSettings } from './library/load-settings.ts'
export type { AuthLog, AuthOptions } from './library/options.ts'
export { RequestRefused } from './library/refuse.ts'
export type { MailMessage, MailSender } from './mailer/host-transport.ts'
export { SettingsError } from './settings/settings-error.ts'
export type { SettingsInput } from './settings/settings-input.ts'
