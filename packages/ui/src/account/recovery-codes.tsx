import { Button } from '../components/button.tsx'
import { Good } from '../components/task.tsx'
import { useCopy } from '../components/use-copy.ts'
import { facts } from '../facts.ts'
import { say } from '../words.ts'
import { saveFile } from './save-file.ts'

type Props = { codes: readonly string[]; onDone(): void }

/** The codes, and three ways to save them. */
export function RecoveryCodes({ codes, onDone }: Props) {
  const list = codes.join('\n')
  const { shown, isCopied, copy } = useCopy<HTMLUListElement>(list)
  const title = say('mfa.codes.file', { site: facts.site })
  const text = `${title}\n\n${list}\n`
  return (
    <>
      <p>{say('mfa.codes.text')}</p>
      <div class="printed">
        <h3>{title}</h3>
        <ul ref={shown} class="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </div>
      <Good words={isCopied ? say('mfa.codes.copied') : ''} />
      <div class="actions">
        <Button onClick={copy}>{say('mfa.codes.copy')}</Button>
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
