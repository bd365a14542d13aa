import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newFolder, PROGRAM } from './support/program.ts'

/** Runs a command in a terminal of its own. */
const SCRIPT = '/usr/bin/script'

test.skipIf(process.platform !== 'linux' || !existsSync(SCRIPT))(
  'a closed terminal ends the service without a crash, which would dump its memory',
  async () => {
    const { cwd } = await newFolder()
    const command = `echo $$; exec '${process.execPath}' '${PROGRAM}' serve 2> errors`
    const terminal = spawn(SCRIPT, ['-q', '-c', command, '/dev/null'], {
      cwd,
      env: { PATH: process.env.PATH, SHELL: '/bin/sh', PORT: '0' },
    })
    onTestFinished(() => void terminal.kill('SIGKILL'))
    let output = ''
    for await (const chunk of terminal.stdout) {
      output += chunk
      if (output.includes('Log in:')) break
    }
    const pid = Number.parseInt(output, 10)
    terminal.kill('SIGKILL')
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 20_000)
    expect(await readFile(join(cwd, 'errors'), 'utf8')).toBe('')
  },
)
