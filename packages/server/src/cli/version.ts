import { VERSION } from '../version.ts'
import { command } from './command.ts'

export const version = command({
  options: {},
  run: async ({ say }) => say(VERSION, { version: VERSION }),
})
