/**
 * Control and format characters, line separators and halves of surrogate pairs. They can move the
 * cursor, recolour a terminal, reverse the order of a line, or stay invisible.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/**
 * The text with each of these characters spelled out as `\u001b`. In a JSON string this spelling
 * means the character itself, so programs still read the original text.
 */
export const visible = (text: string): string => text.replace(UNSEEN, spelledOut)

/** The same for a text of several lines: its line breaks stay. */
export const visibleLines = (text: string): string =>
  text.replace(UNSEEN, (character) => (character === '\n' ? character : spelledOut(character)))

const spelledOut = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** The text without these characters, and at most so many of the others. */
export const plainLine = (text: string, max: number): string =>
  [...text.replace(UNSEEN, '').trim()].slice(0, max).join('')
