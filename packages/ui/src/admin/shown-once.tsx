import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Good } from '../components/task.tsx'
import { Panel } from './panel.tsx'
import { say } from './words.ts'

type Props = { title: string; text: string; value: string; onDone(): void }

/** A secret that the service shows only now. */
export function ShownOnce({ title, text, value, onDone }: Props) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => navigator.clipboard.writeText(value).then(() => setCopied(true))
  return (
    <Panel title={title}>
      <p>{text}</p>
      <p class="secret">
        <code>{value}</code>
      </p>
      <Good words={isCopied ? say('mfa.codes.copied') : ''} />
      <div class="actions">
        <Button onClick={copy}>{say('mfa.codes.copy')}</Button>
        <Button kind="primary" onClick={onDone}>
          {say('secret.done')}
        </Button>
      </div>
    </Panel>
  )
}
