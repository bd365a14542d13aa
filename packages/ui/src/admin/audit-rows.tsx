import type { AuditRecord } from '../../../server/src/kernel/admin-answers.ts'
import { Link } from '../router.tsx'
import { Badge, Remarks, Time } from './components.tsx'
import { say } from './words.ts'

type Props = { rows: readonly AuditRecord[]; names?: boolean }

/** What happened, newest first. `names` adds the user, whom the page of a user need not name. */
export const AuditRows = ({ rows, names = false }: Props) => (
  <ul class={names ? 'rows audit' : 'rows audit short'}>
    {rows.map((row) => (
      <li key={row.id} class="row">
        <span class="who">
          <code>{row.event}</code>
          <span class="hint">
            <Remarks of={saidBy(row)} />
          </span>
        </span>
        {names && (
          <span>
            {row.user !== null && (
              <Link to={`users/${row.user}`}>{say('audit.ofUser', { pk: String(row.user) })}</Link>
            )}
          </span>
        )}
        <span>
          {row.operator && (
            <Badge>
              <Remarks of={[row.operator.name ?? row.operator.pk, row.operator.kind]} />
            </Badge>
          )}
        </span>
        <span class="when">
          <Time at={row.at} />
        </span>
      </li>
    ))}
  </ul>
)

/** Why, from where, and what else is known. */
function saidBy({ operator, reason, address, details, times_that_day }: AuditRecord) {
  const rest = Object.entries(details)
    // The operator is shown beside it.
    .filter(([name]) => !(name === 'operator' && operator))
    .map(([name, value]) => `${name}: ${value}`)
  const many = times_that_day > 1 && say('audit.times', { count: times_that_day })
  const why = reason && say('audit.because', { reason })
  return [why, address, ...rest, many]
}
