import { userInfo } from 'node:os'

/** Inside a container the user may have a number only. */
export function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
