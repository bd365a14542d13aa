/** Markup that is safe as it stands. */
export type Html = { readonly markup: string }

type Piece = string | Html | readonly Html[]

/** Markup from a template: text in it is escaped, markup is not. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const markup = parts.map((part, at) => part + markupOf(pieces[at] ?? '')).join('')
  return { markup }
}

/** Good inside elements and inside quoted attributes alike. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function markupOf(piece: Piece): string {
  if (typeof piece === 'string') return escapeHtml(piece)
  return 'markup' in piece ? piece.markup : piece.map((one) => one.markup).join('')
}
