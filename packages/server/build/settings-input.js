import { withCompiler } from './compiler.js'

/**
 * The declaration of `SettingsInput` with a member for each setting. The type in the sources is the
 * same, but computed from the table: editors would show neither what a setting does nor its default,
 * and the types of the table would have to be in the package, too.
 */
export function settingsInput(table, entries, groupDocs) {
  const types = inputTypes(table)
  const groups = Object.keys(groupDocs)
  const membersOf = (group) =>
    entries
      .filter((entry) => entry.group === group)
      .flatMap((entry) => memberOf(entry, types.get(entry.name)))
  return [
    '/** The settings as a program writes them. What is missing or undefined has its default. */',
    'export interface SettingsInput {',
    ...membersOf(null),
    ...groups.flatMap((group) => [
      `    /** ${groupDocs[group]} */`,
      `    readonly ${group}?: ${typeName(group)} | undefined;`,
    ]),
    '}',
    ...groups.flatMap((group) => [`interface ${typeName(group)} {`, ...membersOf(group), '}']),
    'export {};',
    '',
  ].join('\n')
}

const memberOf = ({ key, setting: { doc, defaultText } }, type) => [
  '    /**',
  `     * ${comment(doc)}`,
  `     * @default ${comment(defaultText)}`,
  '     */',
  `    readonly ${key}?: ${type} | undefined;`,
]

const comment = (text) => text.replaceAll('*/', '*\\/')

/** `RestAuthInput` for `REST_AUTH`: messages of the compiler have this name. */
const typeName = (group) =>
  `${group.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, first) => first.toUpperCase())}Input`

/** What the compiler has declared as the input of each setting: the second part of its type. */
function inputTypes(table) {
  return withCompiler(table, ({ source: { statements, text } }) => {
    const [topLevel, groups] = ['topLevel', 'groups'].map((name) => membersOf(variable(name).type))
    const grouped = groups.flatMap(({ name, type }) =>
      membersOf(type).map((member) => [
        `${name.text}.${member.name.text}`,
        // One level deeper in the table than in the result.
        inputOf(member).replaceAll('\n    ', '\n'),
      ]),
    )
    return new Map([...topLevel.map((member) => [member.name.text, inputOf(member)]), ...grouped])

    function variable(name) {
      const variables = statements.flatMap(({ declarationList: list }) => list?.declarations ?? [])
      return variables.find((one) => one.name.text === name)
    }

    function inputOf({ type: { typeArguments } }) {
      const { pos, end } = typeArguments.at(-1)
      return text.slice(pos, end).trim()
    }
  })
}

const membersOf = ({ members }) => [...members]
