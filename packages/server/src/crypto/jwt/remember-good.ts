/**
 * Remembers the claims of tokens whose signature was good. A good signature stays good, since keys
 * do not change while the service runs. Expiry and revocation are not remembered; they are checked
 * every time. There are two generations: after `most` new tokens, those that were not used since
 * the last change are forgotten.
 */
export function rememberGood<T>(
  open: (token: string) => T,
  /** Whether it is good, and a token that is sent more than once. */
  comesAgain: (opened: T) => boolean,
  most: number,
): (token: string) => T {
  let recent = new Map<string, T>()
  let former = new Map<string, T>()

  return (token) => {
    const remembered = recent.get(token)
    if (remembered !== undefined) return remembered
    const opened = former.get(token) ?? open(token)
    if (comesAgain(opened)) remember(token, opened)
    return opened
  }

  function remember(token: string, opened: T): void {
    if (recent.size >= most) {
      former = recent
      recent = new Map()
    }
    recent.set(copyOf(token), opened)
  }
}

/**
 * The token may be a slice of the text of a whole request. Without a copy, V8 would keep that text
 * in memory.
 */
const copyOf = (token: string): string => Buffer.from(token, 'latin1').toString('latin1')
