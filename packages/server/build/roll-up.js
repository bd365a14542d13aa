import {
  isIdentifier,
  isImportSpecifier,
  isImportTypeNode,
  isSourceFile,
} from 'typescript/unstable/ast/is'
import { SymbolFlags } from 'typescript/unstable/sync'
import { withCompiler } from './compiler.js'

const { Alias, BlockScopedVariable, Class, Function: Func, Interface, TypeAlias } = SymbolFlags
const DECLARED = BlockScopedVariable | Class | Func | Interface | TypeAlias

/**
 * The declarations that an entry of the package exports, and after them those that they mention.
 * So one file says everything, and nothing else of the program is in the package. `folder` holds our
 * own declarations.
 */
export function rollUp(entry, folder) {
  return withCompiler(entry, ({ checker, source }) => {
    /** By statement: its name in the result, and the places in its text that change. */
    const found = new Map()
    const imports = new Map()
    const names = new Set()

    const exports = checker.getExportsOfModule(checker.getSymbolAtLocation(source))
    const exported = new Set(exports.flatMap((symbol) => declare(targetOf(symbol), symbol.name)))
    // While it is read, the map grows by what is mentioned.
    for (const [statement, { changes }] of found) changes.push(...changesIn(statement))

    const ofEntry = [...found].filter(([statement]) => exported.has(statement))
    const mentioned = [...found].filter(([statement]) => !exported.has(statement))
    return [
      ...[...imports].map(
        ([from, all]) => `import type { ${[...all].join(', ')} } from '${from}';`,
      ),
      ...ofEntry.map(([statement, { changes }]) => print(statement, changes, 'export ')),
      ...mentioned.map(([statement, { changes }]) => print(statement, changes, '')),
      // Without an export of this kind, everything would be exported.
      'export {};\n',
    ].join('\n\n')

    function targetOf(symbol) {
      return symbol.flags & Alias ? checker.getAliasedSymbol(symbol) : symbol
    }

    /** The statements that declare the symbol, if it is one of ours. */
    function declare(symbol, name = symbol.name) {
      if (!(symbol.flags & DECLARED)) return []
      const statements = symbol.declarations.map((handle) => statementOf(handle.resolve()))
      const own = statements.filter((one) => one.getSourceFile().fileName.startsWith(folder))
      for (const statement of own) {
        if (!found.has(statement)) found.set(statement, { name: free(name), changes: [] })
      }
      return own
    }

    /** Two files may use the same name. */
    function free(wanted) {
      let name = wanted
      for (let count = 2; names.has(name); count++) name = `${wanted}${count}`
      names.add(name)
      return name
    }

    function changesIn(statement) {
      const { identifiers, importTypes } = nodesIn(statement)
      const symbols = checker.getSymbolAtLocation(identifiers)
      return [
        // `import("./file.js").Name` becomes `Name`.
        ...importTypes
          .filter(({ argument }) => argument.literal.text.startsWith('.'))
          .map((node) => ({ from: node.getStart(), to: node.qualifier.getStart(), text: '' })),
        ...identifiers.flatMap((node, index) => changesAt(node, symbols[index])),
      ]
    }

    function changesAt(node, symbol) {
      if (!symbol) return []
      const foreign = foreignImport(symbol)
      if (foreign) {
        const { from, name } = foreign
        imports.set(from, (imports.get(from) ?? new Set()).add(name))
        return []
      }
      const [statement] = declare(targetOf(symbol))
      return statement
        ? [{ from: node.getStart(), to: node.end, text: found.get(statement).name }]
        : []
    }
  })
}

/** What is imported from another package, or from Node. */
function foreignImport({ flags, declarations: [declaration] }) {
  const node = flags & Alias ? declaration?.resolve() : undefined
  if (!node || !isImportSpecifier(node)) return undefined
  const { text: from } = node.parent.parent.parent.moduleSpecifier
  return from.startsWith('.') ? undefined : { from, name: node.getText().replace(/^type /, '') }
}

function statementOf(node) {
  let statement = node
  while (!isSourceFile(statement.parent)) statement = statement.parent
  return statement
}

function nodesIn(statement) {
  const identifiers = []
  const importTypes = []
  const visit = (node) => {
    if (isIdentifier(node)) identifiers.push(node)
    if (isImportTypeNode(node)) importTypes.push(node)
    node.forEachChild(visit)
  }
  visit(statement)
  return { identifiers, importTypes }
}

/** With its comment, and with or without `export`. */
function print(statement, changes, prefix) {
  const { text } = statement.getSourceFile()
  const start = statement.getStart()
  let printed = ''
  let at = start
  for (const { from, to, text: by } of changes.toSorted((a, b) => a.from - b.from)) {
    printed += text.slice(at, from) + by
    at = to
  }
  printed += text.slice(at, statement.end)
  const comment = text.slice(statement.pos, start).trimStart()
  return `${comment}${prefix}${printed.replace(/^export /, '')}`
}
