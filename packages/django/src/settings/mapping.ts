import { flag } from '../../../server/src/kernel/setting-kinds/scalars.ts'
import { inOurUnits } from './python-values.ts'

/** The settings of a Django project by name. A name inside a group has a dot. */
export type Dump = ReadonlyMap<string, unknown>

/** What is not carried over, and what to do about it. It contains no values, which may be secret. */
export type Note = { readonly about: string; readonly note: string }

/** A value for one of our settings. It is checked later. `about` is its name in Django. */
export type Carried = { readonly setting: string; readonly value: unknown; readonly about: string }

export type Mapped = Carried | Note

export type Mapping = {
  /** All names that this mapping takes care of, so that no name is overlooked. */
  readonly from: readonly string[]
  carry(dump: Dump): readonly Mapped[]
}

export const note = (about: string, text: string): Note => ({ about, note: text })

/** Returns the note only if the condition holds. */
export const noteIf = (isDue: boolean, about: string, text: string): readonly Note[] =>
  isDue ? [note(about, text)] : []

/** `setting` is our name, if it is not the same. */
export const carried = (about: string, value: unknown, setting = about): Carried => ({
  setting,
  value,
  about,
})

/** Carries over the known items of a list. If that is not all of them, the text becomes a note. */
export function carriedPart<T>(
  about: string,
  given: readonly T[],
  isKnown: (item: T) => boolean,
  text: string,
  setting = about,
): readonly Mapped[] {
  const known = given.filter(isKnown)
  return [
    ...(known.length > 0 ? [carried(about, known, setting)] : []),
    ...noteIf(known.length < given.length, about, text),
  ]
}

/** Maps one name. If the project does not set it, nothing happens. */
export const each = (
  name: string,
  carry: (value: unknown, dump: Dump) => readonly Mapped[],
): Mapping => ({
  from: [name],
  carry: (dump) => (dump.has(name) ? carry(dump.get(name), dump) : []),
})

/** Names and values that are the same here: `GROUP.NAME`, or flat as in allauth. */
export const asItIs = (...names: readonly string[]): readonly Mapping[] =>
  names.map((name) => onto(name, name))

/** The same thing under another name. */
export const onto = (name: string, setting: string): Mapping =>
  each(name, (value) => [carried(name, value, setting)])

/** The same, unless it is off or empty. */
export const ifSet = (name: string, setting = name): Mapping =>
  each(name, (value) => (isOff(value) ? [] : [carried(name, value, setting)]))

/** The same, unless it is Django's default, which is also ours. */
export const unlessUsual = (name: string, usual: unknown): Mapping =>
  each(name, (value) => (value === usual ? [] : [carried(name, value)]))

/** A duration: `timedelta` has several spellings in JSON. */
export const lasting = (name: string, setting = name): Mapping =>
  each(name, (value) => {
    const text = inOurUnits(value)
    if (text !== undefined) return [carried(name, text, setting)]
    const advice = `set ${setting} to a value such as 300, "5m" or "1d"`
    return [note(name, `is not a readable duration; ${advice}`)]
  })

/**
 * Python's `None`, unlike the text, leaves the attribute out. Browsers then take `Lax`, which is our
 * default.
 */
export const sameSite = (name: string): Mapping =>
  each(name, (value) => (value ? [carried(name, value)] : []))

/** A setting without a counterpart. It needs a note only if its value would change something. */
export const unless = (
  name: string,
  isHarmless: (value: unknown) => boolean,
  text: string,
): Mapping => each(name, (value) => noteIf(!isHarmless(value), name, text))

export const onlyAs = (name: string, values: readonly unknown[], text: string): Mapping =>
  unless(name, (value) => values.includes(value), text)

/** A setting without a counterpart. It needs a note unless it is off or empty. */
export const whenOn = (name: string, text: string): Mapping => unless(name, isOff, text)

export const UNREADABLE =
  'cannot be read, so all of it is left out; make the dump again as docs/coming-from-dj-rest-auth.md shows'

export const OWN_CODE = 'your own code is not carried over'

/** The path of Python code. It needs a note unless the code is that of the `packages`. */
export const ownCode = (name: string, packages: RegExp, instead: string): Mapping =>
  unless(name, (path) => isOff(path) || packages.test(String(path)), `${OWN_CODE}; ${instead}`)

/** Settings of something that does not exist here. They need no note. */
export const needless = (names: string): Mapping => ({ from: namesIn(names), carry: () => [] })

/** The names in a text, with blanks or line breaks between them. */
export const namesIn = (text: string): readonly string[] => text.trim().split(/\s+/)

export function isOff(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return [false, null, 0, '', 'None'].includes(value as never)
}

/** Many projects take a flag from the environment as text. Other text is on, as in Python. */
export function isOn(value: unknown): boolean {
  const parsed = flag.parse(value)
  return 'value' in parsed ? parsed.value : !isOff(value ?? null)
}
