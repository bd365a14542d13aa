import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OperationName } from '../features/administration/operations.ts'
import type { Actor } from '../features/administration/rules.ts'
import { text } from '../http/fields.ts'
import { USERNAME_MAX } from '../kernel/lengths.ts'
import { Problem } from '../kernel/problems.ts'
import type { Admin, AdminOfHost } from './admin.ts'
import type { HostedService } from './hosted-service.ts'

/** An operation that was refused. Nothing has changed. */
export class OperationRefused extends Error {
  /** The status that the admin API would answer with. */
  readonly status: number
  /** Such as `last_superuser`, `not_found` or, if `fields` says what is wrong, `invalid_fields`. */
  readonly code: string
  /** The messages for each wrong field. */
  readonly fields: Readonly<Record<string, readonly string[]>>

  constructor(refusal: Pick<OperationRefused, 'status' | 'code' | 'fields' | 'message'>) {
    super(refusal.message)
    this.name = 'OperationRefused'
    this.status = refusal.status
    this.code = refusal.code
    this.fields = refusal.fields
  }
}

/** The class knows nothing of problems: its declaration would bring them all into the public types. */
function refusedFor(problem: Problem): OperationRefused {
  const body = problem.bodyIn()
  const fields = Object.entries(body).filter((entry): entry is [string, string[]] =>
    Array.isArray(entry[1]),
  )
  const words = fields.map(([name, texts]) => `${name}: ${texts.join(' ')}`)
  return new OperationRefused({
    status: problem.status,
    code: String(body.code ?? (fields.length > 0 ? 'invalid_fields' : problem.message)),
    fields: Object.fromEntries(fields),
    message: typeof body.detail === 'string' ? body.detail : words.join(' '),
  })
}

const HOST = 'host'
/** The same rules as for any other text that is stored. */
const operator = text({ max: USERNAME_MAX })

export function createAdmin({ services }: Pick<HostedService, 'services'>): AdminOfHost {
  const { operations } = services
  return { ...adminOf(HOST), by: adminOf }

  function adminOf(name: string): Admin {
    const read = operator.read(name)
    if ('faults' in read) throw new TypeError('Name the operator.')
    const actor: Actor = { kind: 'host', name: read.value, may: 'all' }
    // The fields check what a program passes, and the types of `Admin` describe what comes back.
    const run =
      <T>(operation: OperationName) =>
      async (input: object = {}): Promise<T> => {
        try {
          return (await operations.call(actor, operation, { ...input })) as T
        } catch (error) {
          throw error instanceof Problem ? refusedFor(error) : error
        } finally {
          // On SQLite nothing else lets requests run while a job makes one call after another.
          await nextTurn()
        }
      }
    return {
      users: {
        find: run('users.find'),
        show: run('users.show'),
        create: run('users.create'),
        update: run('users.update'),
        deactivate: run('users.deactivate'),
        activate: run('users.activate'),
        endLogins: run('users.endLogins'),
        setPassword: run('users.setPassword'),
        sendReset: run('users.sendReset'),
        markVerified: run('users.markVerified'),
        resetMfa: run('users.resetMfa'),
        apiKeys: run('users.apiKeys'),
        revokeApiKey: run('users.revokeApiKey'),
        delete: run('users.delete'),
        export: run('users.export'),
      },
      invitations: {
        list: run('invitations.list'),
        create: run('invitations.create'),
        resend: run('invitations.resend'),
        revoke: run('invitations.revoke'),
      },
      audit: { find: run('audit.find') },
      mails: { list: run('mails.list'), retry: run('mails.retry') },
      events: { list: run('events.list'), retry: run('events.retry') },
      adminKeys: {
        list: run('adminKeys.list'),
        create: run('adminKeys.create'),
        revoke: run('adminKeys.revoke'),
      },
      keys: { list: run('keys.list') },
      findings: { list: run('findings.list') },
      figures: { show: run('figures.show') },
    }
  }
}
