/**
 * A signature that was good stays good: keys do not change while the service runs. So of tokens
 * that come again and again what they say is remembered, and only that: whether they have expired
 * or were revoked is asked every time. Only those whom we gave a token can fill the memory, and
 * the oldest makes room for the newest.
 */
export function rememberGood<T>(
  open: (token: string) => T | null,
  comesAgain: (opened: T) => boolean,
  most: number,
): (token: string) => T | null {
  const known = new Map<string, T>()

  return (token) => {
    const remembered = known.get(token)
    if (remembered !== undefined) return remembered
    const opened = open(token)
    if (opened !== null && comesAgain(opened)) remember(token, opened)
    return opened
  }

  function remember(token: string, opened: T): void {
    if (known.size >= most) known.delete(known.keys().next().value as string)
    known.set(token, opened)
  }
}
