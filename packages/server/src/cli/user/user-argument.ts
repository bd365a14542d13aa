import type { Argument } from '../command.ts'

export const USER: Argument = { placeholder: '<user>', doc: 'a username, pk or address' }
