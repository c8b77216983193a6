import type { HostTool, ToolArgument } from '../ports/tool.ts'
import { readPath } from '../path.ts'
import { quoteName } from '@repertoire/skill-md/internal'

/** An entry of the host's table, checked. */
export interface OwnTool {
  readonly name: string
  /** What it stands for, all of these together; undefined: nothing was said of that. */
  readonly as?: readonly string[]
  readonly by?: string
  /** What it stands for by the value of the argument `by`. */
  readonly uses?: ReadonlyMap<string, string>
  readonly shared: boolean
  /** Which argument of the tool a pattern is compared with, as far as the entry says it. */
  readonly argument: Partial<ToolArgument>
  readonly root?: string | false
}

/** The name of a tool in a rule: no pattern, and no wildcard. */
const TOOL_NAME = /^[^\s()*,]+$/

/** What an entry has to have for patterns to be compared. */
export const ARGUMENT = '"argument": the name of a property of the tool\'s input, or several'

/**
 * Reads an entry of the host's table, which has the shape of `hostToolsKind`.
 * @throws {TypeError} it contradicts itself, or names what is no tool
 */
export function readEntry(name: string, given: string | HostTool): OwnTool {
  const { as, by, shared = false, root, ...argument } = typeof given === 'string' ? { as: given } : given
  const { argument: property, program } = argument
  if (property?.length === 0) throw invalid(name, ARGUMENT)
  if (program !== undefined && program.args === program.name) {
    throw invalid(name, '"program" to be { name, args }, the properties with the program and with its arguments')
  }
  return {
    name,
    ...readUses(name, as, by),
    shared,
    argument: structuredClone(property === undefined ? argument : { ...argument, argument: [property].flat() }),
    ...(root !== undefined && { root: root === false ? root : readRoot(root, `\`toolMap\` for ${quoteName(name)}`) }),
  }
}

function readUses(name: string, as: HostTool['as'], by: string | undefined): Pick<OwnTool, 'as' | 'by' | 'uses'> {
  const isTable = typeof as === 'object' && !Array.isArray(as)
  if (by !== undefined) {
    const uses = isTable ? Object.entries(as) : []
    if (uses.length === 0 || uses.some(([, use]) => !TOOL_NAME.test(use))) {
      throw invalid(
        name,
        'with "by", the name of an argument, an "as" with a tool for each of its values, such as { view: "Read" }',
      )
    }
    return { by, uses: new Map(uses) }
  }
  if (as === undefined) return {}
  const names = isTable ? [] : [as].flat()
  if (names.length === 0 || !names.every((each) => TOOL_NAME.test(each))) {
    throw invalid(name, '"as" to be the name of a tool such as "Read", without a pattern, or a list of such names')
  }
  return { as: names }
}

/**
 * Reads the folder that tools see as their working folder.
 * @throws {TypeError} it is not an absolute path
 */
export function readRoot(root: string, where: string): string {
  const path = readPath(root, /^[A-Za-z]:/.test(root))
  if (!('problem' in path) && path.root !== undefined) return root
  throw new TypeError(`${where} needs an absolute path as the root of a file system, such as "/".`)
}

/** An entry that lacks something. */
export function invalid(name: string, needs: string): TypeError {
  return new TypeError(`\`toolMap\` for ${quoteName(name)} needs ${needs}.`)
}
