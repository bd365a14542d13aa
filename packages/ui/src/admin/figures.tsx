import type { ServiceFigures } from '../../../server/src/kernel/admin-answers.ts'
import { useLoaded } from '../account/use-loaded.ts'
import { Trouble } from '../components/task.tsx'
import { get } from './api.ts'
import { Chart } from './chart.tsx'
import { Frame } from './frame.tsx'
import { Panel } from './panel.tsx'
import { say } from './words.ts'

const KINDS = ['sign_ups', 'logins', 'failures'] as const

/** The last 30 days. */
export function FiguresPage() {
  const { value: figures, trouble } = useLoaded(() => get<ServiceFigures>('figures/'))
  return (
    <Frame
      title={say('nav.figures')}
      below={
        <p class="hint">
          {figures && say('figures.users', { count: figures.users })} {say('figures.text')}
        </p>
      }
    >
      <Trouble words={trouble} />
      {figures && (
        <div class="charts">
          {KINDS.map((kind) => (
            <Panel key={kind} title={say(`figures.${kind}`)}>
              <Chart
                title={say(`figures.${kind}`)}
                tone={kind === 'failures' ? 'bad' : 'good'}
                days={figures.days.map((day) => ({ day: day.day, count: day[kind] }))}
              />
            </Panel>
          ))}
        </div>
      )}
    </Frame>
  )
}
