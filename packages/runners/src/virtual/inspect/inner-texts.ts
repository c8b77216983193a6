import type { SimpleCommandNode } from 'just-bash'
import { startedBy } from './known-commands.ts'
import { COMPUTED, hasGlob, type SeenCommand, wordText } from './seen.ts'

/** A text in a script that a shell reads as commands when it runs. */
export interface InnerText {
  /** Absent: it is known only then. */
  readonly text?: string
  /** Whether the same shell reads it, which knows the functions of the script. */
  readonly isSameShell: boolean
}

const FOLDERS = /^.*\//
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash'])
/** Among the options of a shell: what comes after it is a text with commands. */
const COMMAND_OPTION = /^-[a-z]*c$/
/** Commands that call a builtin by its name. */
const CALLERS: ReadonlySet<string> = new Set(['command', 'builtin'])

/** The text that a command has read as commands: by `eval`, `bash -c`, or from what is written below it. Undefined: it has none. */
export function innerText({ name = '', args, node }: SeenCommand): InnerText | undefined {
  const isCalled = CALLERS.has(name) && args[0] === 'eval'
  if (name === 'eval' || isCalled) {
    const words = isCalled ? args.slice(1) : args
    return { ...known(words.join(' '), node.args.some(hasGlob)), isSameShell: true }
  }
  const program = (startedBy(name, args) ?? name).replace(FOLDERS, '')
  if (!SHELLS.has(program)) return undefined
  const own = SHELLS.has(name.replace(FOLDERS, ''))
    ? args
    : args.slice(args.findIndex((arg) => arg.endsWith(program)) + 1)
  const at = own.findIndex((arg) => COMMAND_OPTION.test(arg))
  const isOption = at >= 0 && own.slice(0, at).every((arg) => arg.startsWith('-'))
  if (isOption) return { ...known(own[at + 1] ?? '', false), isSameShell: false }
  if (own.some((arg) => !arg.startsWith('-'))) return undefined
  return {
    ...known(node.redirections.map(written).findLast((each) => each !== undefined) ?? COMPUTED, false),
    isSameShell: false,
  }
}

function known(text: string, isExpanded: boolean): Pick<InnerText, 'text'> {
  return text.includes(COMPUTED) || isExpanded ? {} : { text }
}

/** The text of a here-document or a here-string. */
function written({ operator, target }: SimpleCommandNode['redirections'][number]): string | undefined {
  if (target.type === 'HereDoc') return wordText(target.content)
  return operator === '<<<' ? wordText(target) : undefined
}
