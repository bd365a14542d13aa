/** Markup that is already escaped. */
export type Html = { readonly markup: string }

type Piece = string | Html | readonly Html[]

/**
 * Builds markup from a template. Plain text in it is escaped; other `Html` is inserted as it is.
 */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const markup = parts.map((part, at) => part + markupOf(pieces[at] ?? '')).join('')
  return { markup }
}

/** Escapes text for the inside of an element and for a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function markupOf(piece: Piece): string {
  if (typeof piece === 'string') return escapeHtml(piece)
  return 'markup' in piece ? piece.markup : piece.map((one) => one.markup).join('')
}
