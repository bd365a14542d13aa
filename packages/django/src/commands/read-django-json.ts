import { refusal } from '../../../server/src/cli/refusal.ts'
import { isObject } from '../../../server/src/kernel/json-object.ts'
import { firstLine } from '../../../server/src/kernel/texts.ts'
import { readJson } from '../../../server/src/settings/config-file.ts'
import { RECIPE } from '../settings/recipe.ts'

/** The settings of a Django project. `name` says where they are from. */
export async function readDjangoJson(
  name: string,
  read: () => Promise<string>,
): Promise<Readonly<Record<string, unknown>>> {
  const given = await read().catch((error) => {
    throw refusal(`${name}: cannot be read (${firstLine(error)})`)
  })
  const parsed = readJson(given)
  if ('mistake' in parsed) throw refusal(`${name}: ${whatElse(given) ?? parsed.mistake}`)
  if (!isObject(parsed.value)) throw refusal(`${name}: must be an object with Django settings`)
  return parsed.value
}

/** Null if the text is JSON with a mistake in it. */
function whatElse(given: string): string | null {
  const lines = given.split(/\r?\n/)
  const isDump = (line: string) => {
    const parsed = readJson(line)
    return 'value' in parsed && isObject(parsed.value)
  }
  const says = /^\s*(?:import\s|from\s+\S+\s+import\s|[A-Z][A-Z0-9_]*\s*(?::[^=]+)?=)/m.test(given)
    ? 'is Python source, which only Django can read'
    : lines.some(isDump)
      ? 'has other lines besides the JSON'
      : null
  return says && `${says}. Make the dump with this, in the folder of manage.py:\n\n${RECIPE}`
}
