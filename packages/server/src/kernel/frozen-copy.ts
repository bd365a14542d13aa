/** A copy of plain data that nobody can change, and that shares nothing with the original. */
export const frozenCopy = <T>(value: T): T => frozen(structuredClone(value))

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
