import { useRef, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { copy } from '../components/copy.ts'
import { Good } from '../components/task.tsx'
import { facts } from '../facts.ts'
import { say } from '../words.ts'
import { saveFile } from './save-file.ts'

type Props = { codes: readonly string[]; onDone(): void }

/** The codes, and three ways to save them. */
export function RecoveryCodes({ codes, onDone }: Props) {
  const [isCopied, setCopied] = useState(false)
  const title = say('mfa.codes.file', { site: facts.site })
  const text = `${title}\n\n${codes.join('\n')}\n`
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <p>{say('mfa.codes.text')}</p>
      <div class="printed">
        <h3>{title}</h3>
        <ul ref={list} class="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </div>
      <Good words={isCopied ? say('mfa.codes.copied') : ''} />
      <div class="actions">
        <Button onClick={() => copy(codes.join('\n'), list.current).then(setCopied)}>
          {say('mfa.codes.copy')}
        </Button>
        <Button onClick={() => saveFile('recovery-codes.txt', text)}>
          {say('mfa.codes.download')}
        </Button>
        <Button onClick={() => print()}>{say('mfa.codes.print')}</Button>
        <Button kind="primary" onClick={onDone}>
          {say('mfa.codes.done')}
        </Button>
      </div>
    </>
  )
}
