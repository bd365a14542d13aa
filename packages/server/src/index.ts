export type {
  AccountEvent,
  ChangingEmail,
  HookClaims,
  Hooks,
  HookUser,
  Registering,
  SigningIn,
} from './core/hooks.ts'
export type { PasswordRule, RuledUser, UsernameRule } from './core/host/host-options.ts'
export type {
  AdminPage,
  AdminUser,
  AdminUserDetails,
  AuditRecord,
  DeployFinding,
  KeyInUse,
  NewProgramKey,
  OpenInvitation,
  ProgramKey,
  ServiceFigures,
  UserApiKey,
  UserPk,
  WaitingEvent,
  WaitingMail,
} from './kernel/admin-answers.ts'
export { type RefusalWords, refuse } from './kernel/refuse.ts'
export { SettingsError } from './kernel/settings-error.ts'
export type {
  Admin,
  AdminOfHost,
  FindAudit,
  FindUsers,
  NewInvitation,
  NewUser,
  PageWanted,
  ProgramKeyWanted,
  UserChanges,
} from './library/admin.ts'
export type {
  Auth,
  AuthLog,
  AuthOptions,
  AuthUser,
  CurrentLogin,
  ExpressMount,
  FastifyMount,
  FetchMount,
  FetchOptions,
  Guard,
  HostRequest,
  Middleware,
} from './library/auth.ts'
export { OperationRefused } from './library/create-admin.ts'
export { createAuth } from './library/create-auth.ts'
export { RequestRefused } from './library/refuse.ts'
export { loadSettings } from './library/settings.ts'
export type { MailMessage, MailSender } from './mailer/host-transport.ts'
export type { SettingsInput } from './settings/settings-input.ts'
