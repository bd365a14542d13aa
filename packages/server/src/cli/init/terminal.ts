import { createInterface } from 'node:readline'
import type { Io } from '../io.ts'
import { refusal } from '../refusal.ts'

export type Terminal = ReturnType<typeof openTerminal>

const CTRL_C = '\u0003'

/** Asks the person at the terminal, line by line. Questions go to standard error. */
export function openTerminal({ stdin, stderr }: Io) {
  const lines = createInterface({ input: stdin })
  const answers = lines[Symbol.asyncIterator]()

  async function nextLine(): Promise<string> {
    const { value, done } = await answers.next()
    if (done) throw refusal('\nStopped. Nothing was written.')
    return value
  }

  return {
    async ask(question: string): Promise<string> {
      stderr.write(question)
      return (await nextLine()).trim()
    },

    /** Reads a line without echoing it. */
    async askSecret(question: string): Promise<string> {
      stderr.write(question)
      // In raw mode the terminal neither echoes characters nor turns Ctrl-C into a signal.
      const stopAtCtrlC = (chunk: unknown) => String(chunk).includes(CTRL_C) && lines.close()
      stdin.setRawMode?.(true)
      stdin.on('data', stopAtCtrlC)
      try {
        return edited(await nextLine())
      } finally {
        stdin.off('data', stopAtCtrlC)
        stdin.setRawMode?.(false)
        stderr.write('\n')
      }
    },

    tell: (words: string): void => void stderr.write(`${words}\n`),
    close: (): void => lines.close(),
  }
}

/**
 * Line editing, which a terminal does not do in raw mode: Backspace deletes a character, Ctrl-U
 * all.
 */
function edited(typed: string): string {
  let text: string[] = []
  for (const character of typed) {
    if (character === '\u007f' || character === '\b') text.pop()
    else if (character === '\u0015') text = []
    else text.push(character)
  }
  return text.join('')
}
