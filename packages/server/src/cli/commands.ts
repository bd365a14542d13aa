import { check } from './check/check.ts'
import type { Command } from './command.ts'
import { keysGenerate } from './keys/generate.ts'
import { keysList } from './keys/list.ts'
import { keysReseal } from './keys/reseal.ts'
import { keysRotate } from './keys/rotate.ts'
import { mailList } from './mail/list.ts'
import { mailRetry } from './mail/retry.ts'
import { migrate } from './migrate.ts'
import { openapi } from './openapi.ts'
import { serve } from './serve/serve.ts'
import { settings } from './settings.ts'
import { userActivate } from './user/activate.ts'
import { userCreate } from './user/create.ts'
import { userDeactivate } from './user/deactivate.ts'
import { userDelete } from './user/delete.ts'
import { userList } from './user/list.ts'
import { userResetMfa } from './user/reset-mfa.ts'
import { userRevoke } from './user/revoke.ts'
import { userSetPassword } from './user/set-password.ts'
import { userShow } from './user/show.ts'
import { version } from './version.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  migrate,
  check,
  settings,
  userCreate,
  userList,
  userShow,
  userActivate,
  userDeactivate,
  userDelete,
  userSetPassword,
  userResetMfa,
  userRevoke,
  mailList,
  mailRetry,
  openapi,
  keysGenerate,
  keysList,
  keysRotate,
  keysReseal,
  version,
]
