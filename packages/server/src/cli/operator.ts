import { userInfo } from 'node:os'
import type { Actor } from '../features/administration/rules.ts'
import type { Io } from './io.ts'

/** Who runs the command, according to the operating system, `sudo` and SSH. */
export function operatorOf({ user, host, env }: Io): Actor {
  const [sshClient] = (env.SSH_CONNECTION ?? '').split(' ')
  return {
    kind: 'cli',
    may: 'all',
    name: user,
    machine: {
      host,
      ...(env.SUDO_USER && { sudo_user: env.SUDO_USER }),
      ...(sshClient && { ssh_client: sshClient }),
    },
  }
}

/** In a container the user may have only a number and no name. */
export function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
