import type { AdminPage, DeployFinding } from '../../../server/src/kernel/admin-answers.ts'
import { useLoaded } from '../account/use-loaded.ts'
import { Good, Trouble } from '../components/task.tsx'
import { get } from './api.ts'
import { Frame } from './frame.tsx'
import { say } from './words.ts'

/** What `latchkey check --deploy` reports. */
export function Findings() {
  const { value, trouble } = useLoaded(() => get<AdminPage<DeployFinding>>('findings/'))
  const none = value?.results.length === 0
  return (
    <Frame title={say('nav.findings')} below={<p class="hint">{say('findings.text')}</p>}>
      <Trouble words={trouble} />
      <Good words={none ? say('findings.none') : ''} />
      <ul class="rows">
        {value?.results.map(({ setting, finding, mend }) => (
          <li key={setting + finding} class="finding">
            <p>
              <code>{setting}</code> <bdi>{finding}</bdi>
            </p>
            <p class="hint">
              <bdi>{mend}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </Frame>
  )
}
