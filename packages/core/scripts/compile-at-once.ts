import { RolldownMagicString } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

/**
 * Has an engine compile some functions while it reads a file. V8 only looks for the ends of a function until somebody calls
 * it, and then reads it again; it compiles one in parentheses at once, which takes less than to read it twice.
 *
 * Such a function is no declaration any more, which could be called above the place where it stands. So all of them are
 * moved to the top of the file, below the imports.
 * @param names of functions that are declared at the top level; others are left as they are
 * @see https://v8.dev/blog/preparser#pife
 */
export function compileAtOnce(code: string, names: ReadonlySet<string>): RolldownMagicString {
  const changed = new RolldownMagicString(code)
  const { body } = parseAst(code)
  const top = body.find(({ type }) => type !== 'ImportDeclaration')?.start ?? 0
  for (const statement of body) {
    if (statement.type !== 'FunctionDeclaration' || statement.id === null || !names.has(statement.id.name)) continue
    const { start, end, id } = statement
    changed.prependRight(start, `var ${id.name} = (`)
    changed.appendLeft(end, ');\n')
    // It is named by the variable. One with a name of its own could not give another value to it.
    changed.remove(id.start, id.end)
    if (start > top) changed.move(start, end, top)
  }
  return changed
}
