import { useId } from 'preact/hooks'
import { describedBy, FieldError } from './field.tsx'
import { useFieldError } from './form.tsx'

type Props = { name: string; label: string; isOn?: boolean }

export function Check({ name, label, isOn = false }: Props) {
  const id = useId()
  const error = useFieldError(name)
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          id={id}
          name={name}
          defaultChecked={isOn}
          {...describedBy(id, error)}
        />{' '}
        {label}
      </label>
      <FieldError id={id} error={error} />
    </div>
  )
}
