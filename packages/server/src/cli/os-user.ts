import { userInfo } from 'node:os'

/** In a container the user may have only a number and no name. */
export function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
