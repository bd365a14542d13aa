/**
 * A signature that was good stays good: keys do not change while the service runs. So of tokens
 * that come again and again what they say is remembered, and only that: whether they have expired
 * or were revoked is asked every time. Whenever `most` have been added, those that did not come again
 * since the last time are forgotten.
 */
export function rememberGood<T>(
  open: (token: string) => T | null,
  comesAgain: (opened: T) => boolean,
  most: number,
): (token: string) => T | null {
  let recent = new Map<string, T>()
  let former = new Map<string, T>()

  return (token) => {
    const remembered = recent.get(token)
    if (remembered !== undefined) return remembered
    const opened = former.get(token) ?? open(token)
    if (opened !== null && comesAgain(opened)) remember(token, opened)
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

/** The engine may have cut the text out of a whole request, which would be kept along with it. */
const copyOf = (token: string): string => Buffer.from(token, 'latin1').toString('latin1')
