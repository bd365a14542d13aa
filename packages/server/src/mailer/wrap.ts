const LINE_LENGTH = 72

/** Languages that put no spaces between words. Lines break anywhere, but not before punctuation. */
const SPACELESS = /^(ja|zh)\b/
const PIECES = /[\x21-\x7e]+\s*|\s+|.[、。，．！？：；）」』】”’…ー]*/gu

/** Breaks a paragraph of plain text into lines. */
export function wrap(paragraph: string, language: string | null): string {
  const lines: string[] = []
  for (const piece of piecesOf(paragraph, SPACELESS.test(language ?? ''))) {
    const longer = `${lines.at(-1)}${piece}`
    if (lines.length > 0 && widthOf(longer) <= LINE_LENGTH) lines[lines.length - 1] = longer
    else lines.push(piece.trimStart())
  }
  return lines.join('\n')
}

const piecesOf = (paragraph: string, isSpaceless: boolean): readonly string[] =>
  isSpaceless
    ? (paragraph.match(PIECES) ?? [])
    : paragraph.split(/\s+/).map((word, at) => (at === 0 ? word : ` ${word}`))

/** Chinese and Japanese characters are twice as wide as letters. */
const widthOf = (line: string): number =>
  line.length + (line.match(/[\u3000-\u9fff\uf900-\ufaff\uff00-\uff60]/g)?.length ?? 0)
