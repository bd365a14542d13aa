const MAX_DEPTH = 8

const ARRAY = 4
const MAP = 5
const TAG = 6

/**
 * Returns the end of the CBOR item at `start`. Accepts only what CTAP2 lets authenticators send.
 * The decoder that runs next then meets no indefinite lengths, no lengths beyond the end, and no
 * nesting that would exhaust the stack. It reads the bytes once.
 */
export function endOfItem(bytes: Uint8Array, start: number, depth = 0): number {
  if (depth > MAX_DEPTH) throw new Error('CBOR is nested too deeply')
  const { major, argument, end } = headOf(bytes, start)
  switch (major) {
    case 2:
    case 3:
      return within(bytes, end + argument)
    case ARRAY:
      return endOfItems(bytes, end, argument, depth)
    case MAP:
      return endOfItems(bytes, end, argument * 2, depth)
    case TAG:
      throw new Error('CBOR has a tag')
    default:
      return end
  }
}

function endOfItems(bytes: Uint8Array, start: number, count: number, depth: number): number {
  // Every item takes at least one byte. A header that promises more items than bytes is refused
  // here.
  within(bytes, start + count)
  let position = start
  for (let i = 0; i < count; i++) position = endOfItem(bytes, position, depth + 1)
  return position
}

function headOf(bytes: Uint8Array, start: number) {
  const first = bytes[start]
  if (first === undefined) throw new Error('CBOR ends too early')
  const info = first & 0x1f
  const head = { major: first >> 5, argument: info, end: start + 1 }
  if (info < 24) return head
  if (info > 27) throw new Error('CBOR has an indefinite length')
  const end = within(bytes, head.end + 2 ** (info - 24))
  const argument = bytes.subarray(head.end, end).reduce((sum, byte) => sum * 256 + byte, 0)
  return { ...head, argument, end }
}

function within(bytes: Uint8Array, end: number): number {
  if (end > bytes.length) throw new Error('CBOR ends too early')
  return end
}
