/** Spelled as browsers do: `pt-br` is `pt-BR`. Undefined if this names no language. */
export function languageTag(text: string): string | undefined {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text)) return undefined
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    // It has the form of a tag, but breaks another rule, such as `de-us-us`.
    return undefined
  }
}
