import { useState } from 'preact/hooks'
import type { FieldValue } from '../../../server/src/kernel/user-fields/user-field.ts'
import { auth } from '../auth.ts'
import { Form, type Values } from '../components/form.tsx'
import { LanguageField } from '../components/language-field.tsx'
import { Good } from '../components/task.tsx'
import { BuiltInField, typedValue, UserFieldInput } from '../components/user-field.tsx'
import { facts } from '../facts.ts'
import { language, say } from '../words.ts'
import { Section } from './section.tsx'

export type User = Readonly<Record<string, FieldValue>>

export function Profile({ user }: { user: User }) {
  const [isSaved, setSaved] = useState(false)
  // One language leaves no choice.
  const hasChoice = (source: string) =>
    source !== 'language' || 'language' in facts.userFields || facts.languages.length > 1
  const editable = facts.profile.filter((one) => one.editable && hasChoice(one.source))
  if (editable.length === 0) return null

  async function save(values: Values, isChanged: (name: string) => boolean) {
    setSaved(false)
    // The other fields may be newer by now: another tab or an operator can change them, too.
    const changed = editable.filter(({ name }) => isChanged(name))
    const entries = changed.map(({ name, source }) => {
      const field = facts.userFields[source]
      return [name, field ? typedValue(field, values[name]) : (values[name] ?? '')]
    })
    await auth.user.update(Object.fromEntries(entries))
    // The page itself speaks another language now.
    const chosen = changed.find(({ source }) => source === 'language')
    const isOurs = chosen && !facts.userFields.language
    if (isOurs && values[chosen.name] !== language) location.reload()
    setSaved(true)
  }

  return (
    <Section title={say('profile.title')}>
      <Form button={say('save')} submit={save}>
        {editable.map(({ name, source }) => {
          const field = facts.userFields[source]
          const value = user[name] ?? null
          if (field) return <UserFieldInput key={name} name={name} field={field} value={value} />
          if (source === 'language') {
            return (
              <LanguageField
                key={name}
                name={name}
                value={typeof value === 'string' ? value : null}
              />
            )
          }
          return (
            <BuiltInField
              key={name}
              name={name}
              source={source}
              required={source === 'username'}
              value={value}
            />
          )
        })}
        <Good words={isSaved ? say('saved') : ''} />
      </Form>
    </Section>
  )
}
