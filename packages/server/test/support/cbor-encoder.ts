export type CborValue = number | string | boolean | Uint8Array | CborValue[] | CborMap
export type CborMap = Map<number | string, CborValue>

/** As much of CBOR as authenticators write. */
export function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'boolean') return Buffer.from([value ? 0xf5 : 0xf4])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(3, text.length), text])
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  const entries = [...value].flat().map(encodeCbor)
  return Buffer.concat([head(5, value.size), ...entries])
}

function head(major: number, argument: number): Buffer {
  const type = major << 5
  if (argument < 24) return Buffer.from([type | argument])
  if (argument < 0x100) return Buffer.from([type | 24, argument])
  if (argument < 0x10000) return Buffer.from([type | 25, argument >> 8, argument & 0xff])
  const long = Buffer.alloc(5)
  long[0] = type | 26
  long.writeUInt32BE(argument, 1)
  return long
}
