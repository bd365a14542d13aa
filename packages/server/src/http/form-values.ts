const ALL = Symbol('all values')

type Values = readonly (readonly [name: string, value: unknown])[]

/** Of a name that comes more than once, the last value counts; a list takes all of them. */
export function formBody(values: Values): object {
  return Object.defineProperty(Object.fromEntries(values), ALL, { value: values })
}

/**
 * The items of a list in a form: `tags=a&tags=b`, or `tags[0]=a&tags[1]=b`. One blank item is an
 * empty list, since a form has no other way to send that. Undefined if the body is no form, or has
 * no item.
 */
export function formItems(body: object, name: string): unknown[] | undefined {
  if (!isForm(body)) return undefined
  const repeated = body[ALL].filter(([key]) => key === name)
  const items = repeated.length > 0 ? repeated : numbered(body[ALL], name)
  if (items.length === 0) return undefined
  return items.length === 1 && items[0]?.[1] === '' ? [] : items.map(([, value]) => value)
}

const isForm = (body: object): body is { [ALL]: Values } => ALL in body

/** In the order of the numbers, whatever the order in the form. */
function numbered(values: Values, name: string): Values {
  const placed = values.flatMap((value) => {
    const [key] = value
    const place = key.startsWith(`${name}[`) && /^\[(\d{1,6})\]$/.exec(key.slice(name.length))?.[1]
    return place ? [{ place: Number(place), value }] : []
  })
  return placed.toSorted((a, b) => a.place - b.place).map(({ value }) => value)
}
