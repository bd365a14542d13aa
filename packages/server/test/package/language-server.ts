import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tsc } from './support.ts'

const HEAD_END = '\r\n\r\n'

/** The language server of TypeScript, as an editor talks to it. */
export async function startLanguageServer(folder: string) {
  const child = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { cwd: folder })
  const waiting = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  child.stdout.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data])
    for (let message = next(); message; message = next()) {
      // It also asks questions. No answer of ours matters to the tests.
      if (message.method) send({ id: message.id, result: null })
      else waiting.get(message.id)?.(message.result)
    }
  })

  await ask('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  })
  send({ method: 'initialized', params: {} })

  return {
    /** Opens a new file. The result says what an editor shows where a word occurs first after another. */
    open(name: string, text: string) {
      const uri = pathToFileURL(join(folder, name)).href
      writeFileSync(join(folder, name), text)
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
      })
      return async (word: string, after = ''): Promise<string> => {
        const start = text.indexOf(after)
        const found = start + text.slice(start).search(new RegExp(`\\b${word}\\b`))
        const before = text.slice(0, found).split('\n')
        const position = { line: before.length - 1, character: before.at(-1)?.length }
        const shown = await ask('textDocument/hover', { textDocument: { uri }, position })
        return (shown as { contents: { value: string } } | null)?.contents.value ?? ''
      }
    },
    stop: () => child.kill(),
  }

  function ask(method: string, params: object): Promise<unknown> {
    const id = waiting.size + 1
    const answer = new Promise((resolve) => waiting.set(id, resolve))
    send({ id, method, params })
    return answer
  }

  function send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}${HEAD_END}${text}`)
  }

  function next(): { id: number; method?: string; result: unknown } | undefined {
    const start = received.indexOf(HEAD_END) + HEAD_END.length
    const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1', 0, start))?.[1])
    if (start < HEAD_END.length || received.length < start + length) return undefined
    const text = received.toString('utf8', start, start + length)
    received = received.subarray(start + length)
    return JSON.parse(text)
  }
}
