import { useId } from 'preact/hooks'
import { say, sayDay, sayNumber } from './words.ts'

type Day = { day: string; count: number }
type Props = { title: string; tone: 'good' | 'bad'; days: readonly Day[] }

const WIDTH = 320
const HEIGHT = 96
const GAP = 2

/**
 * A bar for each day. People who do not see it get a sentence, and a table. The table is in a box,
 * since tables ignore the size of hidden elements and would make the page longer.
 */
export function Chart({ title, tone, days }: Props) {
  const id = useId()
  const most = Math.max(0, ...days.map(({ count }) => count))
  const sum = days.reduce((total, { count }) => total + count, 0)
  const step = WIDTH / Math.max(1, days.length)
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure class={tone === 'bad' ? 'chart failed' : 'chart'}>
      <p class="sum">
        <strong>{sayNumber(sum)}</strong>{' '}
        <span class="hint">{say('figures.most', { count: most })}</span>
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        preserveAspectRatio="none"
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-text`}>{say('figures.summary', { sum, most })}</desc>
        {days.map(({ day, count }, nth) => {
          // A day with something has a bar that can be seen.
          const height = count === 0 ? 0 : Math.max(3, (count / most) * HEIGHT)
          return (
            <g key={day}>
              <rect
                class="ground"
                x={nth * step}
                y={0}
                width={step - GAP}
                height={HEIGHT}
                rx={1.5}
              />
              <rect
                class="value"
                x={nth * step}
                y={HEIGHT - height}
                width={step - GAP}
                height={height}
                rx={1.5}
              />
              <rect class="target" x={nth * step} y={0} width={step} height={HEIGHT}>
                <title>{`${sayDay(day)}: ${sayNumber(count)}`}</title>
              </rect>
            </g>
          )
        })}
      </svg>
      <p class="axis hint" aria-hidden="true">
        <span>{first && sayDay(first.day)}</span>
        <span>{last && sayDay(last.day)}</span>
      </p>
      <div class="unseen">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{say('figures.day')}</th>
              <th scope="col">{say('figures.count')}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, count }) => (
              <tr key={day}>
                <th scope="row">{sayDay(day)}</th>
                <td>{sayNumber(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
