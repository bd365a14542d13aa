import type { AuditRecord } from '../../../server/src/kernel/admin-answers.ts'
import { addressOf, withTimes } from './api.ts'
import { AuditRows } from './audit-rows.tsx'
import { Filter, Results } from './components.tsx'
import { Frame } from './frame.tsx'
import { usePages } from './use-pages.ts'
import { changeQuery, useQuery } from './use-query.ts'
import { say } from './words.ts'

const FILTERS = {
  user: 'text',
  operator: 'text',
  event: 'text',
  since: 'date',
  until: 'date',
} as const
const NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[]

/** Everything that happened, by user, operator, event and time. */
export function Audit() {
  const query = useQuery(...NAMES)
  const asked = withTimes(query, 'local')
  const pages = usePages<AuditRecord>('audit/', asked)
  return (
    <Frame
      title={say('nav.audit')}
      beside={
        <a class="button" href={addressOf('audit/', { ...asked, format: 'csv' })} download>
          {say('audit.csv')}
        </a>
      }
    >
      <search>
        <form class="filters" onSubmit={(event) => event.preventDefault()}>
          {NAMES.map((name) => (
            <Filter
              key={name}
              label={say(`audit.${name}`)}
              type={FILTERS[name]}
              value={query[name]}
              onChange={(value) => changeQuery({ [name]: value })}
            />
          ))}
        </form>
      </search>
      <Results pages={pages} empty={say('audit.none')}>
        <AuditRows rows={pages.results ?? []} names />
      </Results>
    </Frame>
  )
}
