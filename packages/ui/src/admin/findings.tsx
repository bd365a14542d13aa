import { useLoaded } from '../account/use-loaded.ts'
import { Good, Trouble } from '../components/task.tsx'
import { get } from './api.ts'
import { Badge } from './components.tsx'
import { Frame } from './frame.tsx'
import type { Finding } from './shapes.ts'
import { say } from './words.ts'

/** What `latchkey check --deploy` reports. */
export function Findings() {
  const { value, trouble } = useLoaded(() => get<{ results: readonly Finding[] }>('findings/'))
  const none = value?.results.length === 0
  return (
    <Frame title={say('nav.findings')} below={<p class="hint">{say('findings.text')}</p>}>
      <Trouble words={trouble} />
      <Good words={none ? say('findings.none') : ''} />
      <ul class="rows">
        {value?.results.map(({ level, message, hint }) => (
          <li key={message} class="row">
            <span class="who">
              <span>{message}</span>
              {hint && <span class="hint">{hint}</span>}
            </span>
            <Badge tone={level === 'error' ? 'bad' : 'warn'}>{level}</Badge>
          </li>
        ))}
      </ul>
    </Frame>
  )
}
