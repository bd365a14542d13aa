/**
 * The declaration of `SettingsInput` with a member for each setting. The type in the sources is the
 * same, but computed: editors would show neither what a setting does nor its default.
 */
export function settingsInput(entries) {
  const groups = [...new Set(entries.flatMap(({ group }) => group ?? []))]
  const membersOf = (group) =>
    entries.filter((entry) => entry.group === group).flatMap((entry) => memberOf(entry))
  return [
    "import type { InputOf } from './setting.js';",
    "import type { groups, topLevel } from './settings.js';",
    '/** The settings as a program writes them. What is missing or undefined has its default. */',
    'export interface SettingsInput {',
    ...membersOf(null),
    ...groups.map((group) => `    readonly ${group}?: ${typeName(group)} | undefined;`),
    '}',
    ...groups.flatMap((group) => [`interface ${typeName(group)} {`, ...membersOf(group), '}']),
    'export {};',
    '',
  ].join('\n')
}

const memberOf = ({ group, key, setting: { doc, defaultText } }) => [
  '    /**',
  `     * ${comment(doc)}`,
  `     * @default ${comment(defaultText)}`,
  '     */',
  `    readonly ${key}?: InputOf<typeof ${group ? `groups.${group}` : 'topLevel'}.${key}>;`,
]

const comment = (text) => text.replaceAll('*/', '*\\/')

/** `RestAuthInput` for `REST_AUTH`: messages of the compiler have this name. */
const typeName = (group) =>
  `${group.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, first) => first.toUpperCase())}Input`
