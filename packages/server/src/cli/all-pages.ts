type Page<T> = { readonly results: readonly T[]; readonly next: string | null }

/** The input of an operation for one page of a list. */
type Asked = { readonly limit: string; readonly after?: string }

/** Reads a list to its end, page by page. */
export async function allPages<T>(read: (page: Asked) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  let after: string | null | undefined
  while (after !== null) {
    const { results, next } = await read({ limit: '200', ...(after && { after }) })
    all.push(...results)
    after = next
  }
  return all
}
