import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { say } from '../words.ts'
import { whenFresh } from './ask-again.tsx'
import { saveFile } from './save-file.ts'
import { Section } from './section.tsx'

export function YourData() {
  const { isBusy, trouble, run } = useTask()
  const download = () =>
    run(async () => {
      const data = await whenFresh(() => auth.account.export())
      saveFile(`${say('export.file')}.json`, JSON.stringify(data, null, 2), 'application/json')
    })
  return (
    <Section title={say('export.title')}>
      <p>{say('export.text')}</p>
      <Trouble words={trouble} />
      <div class="actions">
        <Button busy={isBusy} onClick={download}>
          {say('export.button')}
        </Button>
      </div>
    </Section>
  )
}
