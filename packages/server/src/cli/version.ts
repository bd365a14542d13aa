import { VERSION } from '../version.ts'
import { command } from './command.ts'

export const version = command({
  name: 'version',
  summary: 'Print the version',
  options: {},
  run: async ({ say }) => say(VERSION, { version: VERSION }),
})
