import { useEffect, useState } from 'preact/hooks'
import type { AdminPage } from '../../../server/src/kernel/admin-answers.ts'
import { troubleOf } from '../problem.ts'
import { get, type Query } from './api.ts'

/** Rows, and the question that they answer. */
type Answer<T> = AdminPage<T> & { question: string }

export type Pages<T> = {
  /** Null without an answer. A new question keeps the old rows until it is answered or refused. */
  results: readonly T[] | null
  hasMore: boolean
  isBusy: boolean
  trouble: string
  /** Adds the next page. */
  more(): void
  reload(): void
}

/** A list of the admin API, page by page. Only the answer to the newest question counts. */
export function usePages<T>(path: string, query: Query = {}): Pages<T> {
  const [page, setPage] = useState<Answer<T> | null>(null)
  const [trouble, setTrouble] = useState('')
  /** What was answered or refused last. */
  const [settled, setSettled] = useState('')
  const question = JSON.stringify([path, query])
  const [step, setStep] = useState({ question, after: '', nth: 0 })
  /** The cursor of an earlier question means nothing for this one. */
  const after = step.question === question ? step.after : ''
  const asked = JSON.stringify([question, after, step.nth])
  const isBusy = settled !== asked
  const ask = (from: string) => setStep({ question, after: from, nth: step.nth + 1 })

  useEffect(() => {
    // Otherwise the cursor would be used again when its question comes back.
    if (step.question !== question) setStep({ ...step, question, after: '' })
    const stop = new AbortController()
    get<AdminPage<T>>(path, { ...query, after }, stop.signal).then(
      ({ results, next }) => {
        setPage((old) => ({
          question,
          results: after ? [...(old?.results ?? []), ...results] : results,
          next,
        }))
        setTrouble('')
        setSettled(asked)
      },
      (error) => {
        if (stop.signal.aborted) return
        // Its own rows stay if they could not be loaded again, or if the next page could not.
        setPage((old) => (old?.question === question ? old : null))
        setTrouble(troubleOf(error, []).general)
        setSettled(asked)
      },
    )
    return () => stop.abort()
  }, [asked])

  return {
    results: page?.results ?? null,
    hasMore: !!page?.next,
    isBusy,
    trouble,
    more() {
      if (page?.next && !isBusy) ask(page.next)
    },
    reload: () => ask(''),
  }
}
