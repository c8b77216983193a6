import type { SimpleCommandNode } from 'just-bash'
import { COMPUTED, type SeenCommand, type SeenConstruct, hasGlob, wordText } from './seen.ts'

type Difference = (args: readonly string[], command: SeenCommand) => string | undefined

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash'])
/** The letters of `date` that were compared with those of a system, and of `stat`. */
const DATE_FORMAT = /^(?:%[aAbBcCdDeFgGhHIjklmMnNpPrRsStTuUVwWxXyYzZ%]|[^%])*$/
const STAT_FORMAT = /^(?:%[aAnsFUGug%]|[^%])*$/
const EMPTY_DEVICES: ReadonlySet<string> = new Set(['/dev/zero', '/dev/full'])

/** What commands do otherwise than those of a system, without an error, where it can be seen in their arguments. */
const DIFFERENCES: ReadonlyMap<string, Difference> = new Map<string, Difference>([
  ['sed', sed],
  ['awk', awk],
  ['jq', jq],
  ['grep', grep],
  ['egrep', grep],
  ['env', env],
  ['ls', ls],
  ['wait', (args) => (args.length === 0 ? undefined : 'wait with an argument always returns 0')],
  ['source', fromInput],
  ['.', fromInput],
  [
    'diff',
    (args, command) =>
      isSilent(command) || args.some((arg) => /^-[^-]*q|^--brief$/.test(arg))
        ? undefined
        : 'diff has a format of its own',
  ],
  [
    'od',
    (args) =>
      args.some((arg) => /^-(?!-|c$|A)./.test(arg) || arg.startsWith('--')) ? 'od writes octal numbers' : undefined,
  ],
  [
    'stat',
    (args) =>
      args.some((arg, index) => args[index - 1] === '-c' && !STAT_FORMAT.test(arg))
        ? 'stat writes an unknown letter of a format as it is'
        : undefined,
  ],
  [
    'date',
    (args) =>
      args.some((arg) => arg.startsWith('+') && !DATE_FORMAT.test(arg))
        ? 'date writes an unknown letter of a format as it is'
        : undefined,
  ],
  [
    'expr',
    (args) =>
      args.some((arg, index) => args[index - 1] === ':' && arg.includes('\\('))
        ? 'expr returns a length where \\( \\) asks for a part'
        : undefined,
  ],
  [
    'printf',
    (args) =>
      /%[-+ #0]*[\d*]*(?:\.[\d*]*)?[gG]/.test(args[args[0] === '-v' ? 2 : 0] ?? '')
        ? 'printf rounds large numbers wrongly with %g'
        : undefined,
  ],
  ['tr', (args) => (/^-(?:ds|sd)/.test(args[0] ?? '') ? 'tr -ds does not squeeze' : undefined)],
  [
    'sort',
    (_args, { node }) =>
      node.assignments.some(({ name }) => name === 'LC_ALL' || name === 'LC_COLLATE')
        ? 'sort has one order, whatever the locale'
        : undefined,
  ],
])

/** What a command does otherwise than that of a system, without an error. */
export function commandDifference(command: SeenCommand): SeenConstruct | undefined {
  const { name, args, line, node } = command
  const device = [...args, ...node.redirections.map(targetOf)].find((each) => EMPTY_DEVICES.has(each))
  const reason =
    device === undefined
      ? name === undefined
        ? undefined
        : DIFFERENCES.get(name.replace(/^\/(?:usr\/)?bin\//, ''))?.(args, command)
      : `${device} is empty`
  return reason === undefined ? undefined : { reason, line }
}

function sed(args: readonly string[]): string | undefined {
  if (args.some((arg) => /^-[a-zA-Z]*i.|^--in-place=/.test(arg))) return 'sed -i keeps no copy under another name'
  return args.map(sedDifference).find(Boolean)
}

function awk(args: readonly string[]): string | undefined {
  if (
    args.some(
      (arg, index) => /^(?:-v)?(?:FS|OFS|RS|ORS)=/.test(arg) && (arg.startsWith('-v') || args[index - 1] === '-v'),
    )
  )
    return 'awk ignores -v for FS, OFS, RS and ORS (-F works, and assignments in BEGIN to FS and OFS)'
  const text = args.join('\n')
  if (/\bRS\s*=/.test(text)) return 'awk reads lines, whatever RS is'
  if (/printf?\b[^]*%[-+ #0]*[\d*]*(?:\.[\d*]*)?[eEgG]/.test(text)) return 'awk writes %e and %g in another form'
  if (/"\/dev\/(?:stdout|stderr)"/.test(text)) return 'awk writes nothing to /dev/stdout or /dev/stderr'
  return undefined
}

function jq(args: readonly string[]): string | undefined {
  if (args.some((arg) => /^-[a-zA-Z]*j|^--join-output$/.test(arg))) return 'jq -j keeps quotes'
  if (args.some((arg) => /^--(?:slurpfile|rawfile)$/.test(arg))) return 'jq --slurpfile and --rawfile read nothing'
  const text = args.join('\n')
  if (/\b(?:unique|group_by)\b/.test(text)) return 'jq does not sort the result of unique and group_by'
  if (/@(?:csv|text)\b/.test(text)) return 'jq writes @csv and @text in another form'
  if (/\\u[\da-fA-F]{4}/.test(text)) return 'jq reads \\u and four digits as letters'
  if (/"[^"]*\\\([^"]*"\s*:/.test(text)) return 'jq does not fill in \\( ) in the name of a key'
  return undefined
}

function grep(args: readonly string[], { name, node }: SeenCommand): string | undefined {
  const isBasic = name?.endsWith('egrep') !== true && !args.some((arg) => /^-[a-zA-Z]*[EPF]/.test(arg))
  const expression = args.find((arg, index) => !arg.startsWith('-') || args[index - 1] === '-e') ?? ''
  if (isBasic && /\\[+?]/.test(expression)) return 'grep matches nothing with \\+ or \\? (grep -E works)'
  if (/\\[<>]/.test(expression)) return 'grep matches nothing with \\< or \\> (\\b works)'
  const isRecursive = args.some((arg) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(arg))
  const operands = args.filter((arg) => !arg.startsWith('-'))
  const hasComputed = node.args.some((word) => word.parts.some(({ type }) => type === 'ParameterExpansion'))
  if (isRecursive && operands.length <= 1 && !hasComputed) return 'grep -r without a folder reads nothing (name ".")'
  return undefined
}

/** `env A=1 sh …`: the shell that is started does not see the variable. */
function env(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => !arg.startsWith('-') && !/^\w+=/.test(arg))
  const program = args[at]
  if (program === undefined || at === 0) return undefined
  const isShell = program.includes(COMPUTED) || SHELLS.has(program.slice(program.lastIndexOf('/') + 1))
  return isShell
    ? 'a shell that env starts does not see its variables (write NAME=VALUE before it, without env)'
    : undefined
}

function ls(args: readonly string[], command: SeenCommand): string | undefined {
  const operands = command.node.args.filter((_, index) => !args[index]!.startsWith('-'))
  const isSeveral = operands.length > 1 || operands.some(hasGlob)
  return isSeveral && !isSilent(command) ? 'ls writes an empty line between two names that it is given' : undefined
}

function fromInput([file]: readonly string[]): string | undefined {
  return file === '/dev/stdin' || file === '-' ? `${file} is not read as commands` : undefined
}

/** Whether what it writes is thrown away. */
function isSilent({ node }: SeenCommand): boolean {
  return node.redirections.some(
    (each) =>
      ['>', '>>', '&>', '&>>'].includes(each.operator) &&
      (each.fd === null || each.fd === 1) &&
      targetOf(each) === '/dev/null',
  )
}

function targetOf({ target }: SimpleCommandNode['redirections'][number]): string {
  return target.type === 'Word' ? wordText(target) : ''
}

/** The commands `s` of a script, with their three parts. */
const SUBSTITUTION =
  /(?:^|[;{}\n!/\d$]|\s)s([^\w\s\\])((?:\\[^]|(?!\1)[^\\])*)\1((?:\\[^]|(?!\1)[^\\])*)\1([a-zA-Z\d]*)/g
const ONE_LINE_TEXT = /(?:^|[;{}\n$/\d])\s*[aic]\\[^\n]/
const SAME_ENDS = /(\/(?:\\[^]|[^/\\\n])+\/),\1/
const FROM_LINE = /(?:^|[;{\n])\s*[1-9]\d*,\//

/** What the virtual `sed` does otherwise with a script, without an error; undefined: nothing that is known. */
function sedDifference(script: string): string | undefined {
  for (const [, , pattern = '', replacement = '', flags = ''] of script.matchAll(SUBSTITUTION)) {
    if (/\\[1-9]/.test(pattern)) return 'a back-reference in the pattern of s matches nothing'
    if (/\\[ULulE]/.test(replacement)) return 'a change of case (\\U, \\L, \\u, \\l, \\E) is written as a letter'
    if (replacement.includes('\\\\')) return 'a backslash that is escaped in the replacement of s is left out'
    if (/\d[a-z]*g|g[a-z]*\d/.test(flags)) return `the number in s///${flags} is ignored`
    if (flags.includes('w')) return 'the flag w of s writes no file'
  }
  if (ONE_LINE_TEXT.test(script)) return 'a text on the line of a\\, i\\ or c\\ keeps the backslash'
  if (SAME_ENDS.test(script)) return 'a range with the same pattern at both ends is one line long'
  if (FROM_LINE.test(script)) return 'a range from a line to a pattern may end at that line'
  return undefined
}
