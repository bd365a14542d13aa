import type { Readable } from 'node:stream'

/** A line that is longer is passed on in parts. */
const LONGEST = 1024 * 1024

/** Passes on whole lines, so that those of several processes do not mix. */
export function forwardLines(from: Readable, write: (lines: string) => void): void {
  let rest = ''
  from.setEncoding('utf8')
  from.on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) {
      write(rest + text.slice(0, end))
      rest = text.slice(end)
    } else {
      rest += text
    }
    if (rest.length > LONGEST) flush()
  })
  from.on('end', flush)

  function flush(): void {
    if (rest !== '') write(`${rest}\n`)
    rest = ''
  }
}
