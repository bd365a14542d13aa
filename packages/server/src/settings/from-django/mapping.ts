import { inOurUnits } from './python-values.ts'

/** The names of a Django project with their values; a name inside a group has a dot. */
export type Dump = ReadonlyMap<string, unknown>

/** What is not carried over, and what to do about it. Never holds a value: it may be a secret. */
export type Note = { readonly about: string; readonly note: string }

/** A value for a setting of ours, which is checked later. `about` is the name it had in Django. */
export type Carried = { readonly setting: string; readonly value: unknown; readonly about: string }

export type Outcome = Carried | Note

export type Mapping = {
  /** All names that this mapping takes care of, so that no name is overlooked. */
  readonly from: readonly string[]
  carry(dump: Dump): readonly Outcome[]
}

export const note = (about: string, text: string): Note => ({ about, note: text })

/** One name; nothing happens where the project does not set it. */
export const each = (
  name: string,
  carry: (value: unknown, dump: Dump) => readonly Outcome[],
): Mapping => ({
  from: [name],
  carry: (dump) => (dump.has(name) ? carry(dump.get(name), dump) : []),
})

/** The same name and the same values here: `GROUP.NAME`, or flat as allauth has it. */
export const asItIs = (...names: readonly string[]): readonly Mapping[] =>
  names.map((name) => onto(name, name))

/** The same thing under another name. */
export const onto = (name: string, setting: string): Mapping =>
  each(name, (value) => [{ setting, value, about: name }])

/** A duration: `timedelta` has several spellings in JSON. */
export const lasting = (name: string, setting = name): Mapping =>
  each(name, (value) => {
    const text = inOurUnits(value)
    return text === undefined
      ? [note(name, `is no duration that can be read; give ${setting} as 300, "5m" or "1d"`)]
      : [{ setting, value: text, about: name }]
  })

/** Has no counterpart, and needs none while its value is a harmless one. */
export const unless = (
  name: string,
  isHarmless: (value: unknown) => boolean,
  text: string,
): Mapping => each(name, (value) => (isHarmless(value) ? [] : [note(name, text)]))

export const onlyAs = (name: string, values: readonly unknown[], text: string): Mapping =>
  unless(name, (value) => values.includes(value), text)

/** Has no counterpart: a line unless it is off, or empty. */
export const whenOn = (name: string, text: string): Mapping => unless(name, isOff, text)

/** Steers something that does not exist here, so that there is nothing to do. */
export const needless = (...names: readonly string[]): Mapping => ({ from: names, carry: () => [] })

export function isOff(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return [false, null, 0, '', 'None'].includes(value as never)
}

export const isOn = (value: unknown): boolean => value === true || value === 1
