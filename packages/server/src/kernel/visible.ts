/**
 * Control and format characters: they move the cursor, recolour or rewrite a terminal, reverse the
 * order of a line, or are not seen at all. Line ends in the eyes of some programs, and halves of
 * characters, are among them.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/**
 * The text with every such character spelled out, `\u001b`. Inside a JSON string that spelling
 * means the character itself, so programs read what was there.
 */
export const visible = (text: string): string => text.replace(UNSEEN, spelledOut)

/** The same for a text of several lines, whose own line breaks stay. */
export const visibleLines = (text: string): string =>
  text.replace(UNSEEN, (character) => (character === '\n' ? character : spelledOut(character)))

const spelledOut = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
