import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AdminUser } from '../../../../server/src/kernel/admin-answers.ts'
import { Good } from '../../components/task.tsx'
import { goTo, Link, passedOn } from '../../router.tsx'
import { withTimes } from '../api.ts'
import { Badge, Filter, Remarks, Results, Select, Time, useTyped } from '../components.tsx'
import { Frame } from '../frame.tsx'
import { usePages } from '../use-pages.ts'
import { changeQuery, useQuery } from '../use-query.ts'
import { say, sayDay } from '../words.ts'

/** Long enough that a word is one question, short enough that nobody waits. */
const PAUSE_MS = 120

const STATES = ['active', 'inactive', 'unverified', 'staff', 'superuser', 'mfa', 'no-mfa'] as const
const SORTS = [
  '-date_joined',
  'date_joined',
  '-last_login',
  'last_login',
  'username',
  '-username',
] as const

/** The first page: find a user. */
export function FindUsers() {
  const query = useQuery('q', 'state', 'since', 'sort')
  const pages = usePages<AdminUser>('users/', withTimes(query, 'utc'))
  const search = useRef<HTMLInputElement>(null)
  /** What Enter was pressed for. If its answer is one user, that one is opened. */
  const [wanted, setWanted] = useState<string | null>(null)
  useKeys(search)
  const openOnly = (event: Event) => {
    event.preventDefault()
    // What was typed last may still wait to be asked for.
    const q = search.current?.value ?? ''
    changeQuery({ q })
    setWanted(q)
  }
  useEffect(() => {
    const isStill = wanted === query.q
    if (wanted === null || (isStill && pages.isBusy)) return
    setWanted(null)
    const [only, second] = pages.results ?? []
    const isOnly = !second && !pages.hasMore && !pages.trouble
    if (isStill && only && isOnly) goTo(`users/${only.pk}`)
  }, [wanted, query.q, pages.isBusy])

  return (
    <Frame
      title={say('nav.users')}
      beside={
        <Link to="users/new" class="button">
          {say('new.title')}
        </Link>
      }
    >
      <Good words={passedOn('done')} />
      <div class="finder">
        <search>
          <form class="filters" onSubmit={openOnly}>
            <SearchField field={search} value={query.q} />
            <Select
              label={say('find.state')}
              value={query.state}
              options={{
                '': say('find.anyState'),
                ...Object.fromEntries(STATES.map((one) => [one, say(`find.state.${one}`)])),
              }}
              onChange={(state) => changeQuery({ state })}
            />
            <Filter
              label={say('find.since')}
              type="date"
              value={query.since}
              onChange={(since) => changeQuery({ since })}
            />
            <Select
              label={say('find.sort')}
              value={query.sort || SORTS[0]}
              options={Object.fromEntries(SORTS.map((one) => [one, say(`find.sort.${one}`)]))}
              onChange={(sort) => changeQuery({ sort: sort === SORTS[0] ? '' : sort })}
            />
          </form>
        </search>
        <Results pages={pages} empty={say('find.nobody')}>
          <ul class="rows">
            {!!pages.results?.length && (
              <li class="row head" aria-hidden="true">
                <span>{say('nav.users')}</span>
                <span>{say('find.state')}</span>
                <span>{say('find.joined')}</span>
                <span>{say('find.lastLogin')}</span>
              </li>
            )}
            {pages.results?.map((user) => (
              <li key={user.pk}>
                <Row user={user} />
              </li>
            ))}
          </ul>
        </Results>
      </div>
    </Frame>
  )
}

type Ref = { current: HTMLInputElement | null }

/** `/` leads to the field. Arrows move between the field and the users below it. */
function useKeys(field: Ref): void {
  useEffect(() => {
    // On a phone this would open the keyboard.
    if (matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
    const onKeyDown = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step && (at === field.current || at.matches('a.row'))) {
        const stops = [field.current, ...document.querySelectorAll<HTMLElement>('a.row')]
        stops[Math.max(0, stops.indexOf(at) + step)]?.focus()
      } else if (event.key === '/' && !at.matches('input, select, textarea')) {
        field.current?.select()
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

type SearchProps = { field: Ref; value: string }

/** Asks while somebody types. The address follows, so that "back" leads here again. */
function SearchField({ field, value }: SearchProps) {
  const [typed, setTyped] = useTyped(value)
  useLayoutEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => changeQuery({ q: typed }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div class="filter search">
      <label for="search">{say('find.label')}</label>
      <input
        id="search"
        ref={field}
        type="search"
        aria-keyshortcuts="/"
        value={typed}
        placeholder={say('find.placeholder')}
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </div>
  )
}

const Row = ({ user }: { user: AdminUser }) => (
  <Link to={`users/${user.pk}`} class="row">
    <span class="who">
      <strong>
        <bdi>{user.username}</bdi>
      </strong>
      <span class="hint">
        <Remarks of={[nameOf(user), user.email]} />
      </span>
    </span>
    <span class="badges">
      <StateBadges user={user} />
    </span>
    <span class="when">
      <span class="unseen">{say('find.joined')}</span> <Time at={user.date_joined} say={sayDay} />
    </span>
    <span class="when">
      <span class="unseen">{say('find.lastLogin')}</span> <Time at={user.last_login} say={sayDay} />
    </span>
  </Link>
)

export const nameOf = ({ first_name, last_name }: AdminUser): string =>
  `${first_name} ${last_name}`.trim()

/** What is special about an account. An ordinary one has none but the second factor. */
export const StateBadges = ({ user }: { user: AdminUser }) => (
  <>
    {!user.is_active && <Badge tone="bad">{say('state.inactive')}</Badge>}
    {user.is_superuser && <Badge tone="warn">{say('state.superuser')}</Badge>}
    {user.is_staff && <Badge tone="warn">{say('state.staff')}</Badge>}
    {!user.email_verified && <Badge>{say('state.unverified')}</Badge>}
    {user.mfa && <Badge tone="good">{say('state.mfa')}</Badge>}
  </>
)
