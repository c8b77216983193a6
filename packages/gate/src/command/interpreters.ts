import type { ShellCommand } from './line.ts'
import { ANYTHING, hasPattern, programName, type ShellWord } from './word.ts'

/** Programs that run what follows them, each with the letters of its options that take the next word. */
const WRAPPERS: ReadonlyMap<string, string> = new Map([
  ['env', 'uC'],
  ['sudo', 'ughpCRTrDU'],
  ['doas', 'uC'],
  ['nice', 'n'],
  ['nohup', ''],
  ['time', 'fo'],
  ['timeout', 'sk'],
  ['exec', 'a'],
  ['command', ''],
  ['builtin', ''],
  ['xargs', 'aEILnPsd'],
  ['setsid', ''],
  ['stdbuf', 'ioe'],
  ['ionice', 'cnp'],
])

const SHELLS: ReadonlySet<string> = new Set(
  'sh bash rbash dash zsh rzsh ksh rksh mksh yash ash fish csh tcsh busybox pwsh powershell cmd parallel'.split(' '),
)

const INTERPRETERS: ReadonlySet<string> = new Set(
  (
    'python pypy node nodejs bun deno perl ruby php lua luajit tclsh expect awk gawk mawk nawk osascript rscript ' +
    'julia ghci elixir groovy scala jshell'
  ).split(' '),
)

/** Options of shells and interpreters that take the next word, and it is no code. */
const VALUED = /^[-+](?:[a-zA-Z]*[oO]|[WXIMvFfS]|r|-(?:rcfile|init-file|require|import))$/

/** Shells that one command may name. */
const MAX_SHELLS = 32

/** Whether a word is a pattern with letters of its own, or of several groups in braces: it may match some names. */
export function isPattern({ text, shape, expands }: ShellWord): boolean {
  const end = shape.slice(shape.lastIndexOf('/') + 1)
  const isOwn = /[^\uE000-\uE002]/.test(end) || (expands.has('braces') && text.split('{').length > 2)
  return isOwn && hasPattern(shape) && !end.includes(ANYTHING)
}

/** Whether other words are filled in: by `find`, or from the input of `xargs` and `parallel`. */
export function isWrapped({ words }: ShellCommand): boolean {
  return words.some((word) => /^(?:xargs|parallel)$/.test(programName(word) ?? ''))
}

/**
 * Where programs may stand in a command: at its beginning, and behind the wrappers there. What may be the value of a
 * wrapper's option counts, and so does what is not literal, up to the first word that certainly is a program.
 */
export function findPrograms(words: readonly ShellWord[]): readonly number[] {
  const found: number[] = []
  let index = 0
  while (index < words.length) {
    found.push(index)
    const name = programName(words[index]!) ?? ''
    const values = WRAPPERS.get(name)
    // `command -v` only tells where a program is.
    if (values === undefined || /^-[vV]$/.test(words[index + 1]?.literal ?? '')) break
    let operands = name === 'timeout' ? 1 : 0
    for (index++; index < words.length; index++) {
      const { shape, literal } = words[index]!
      if (/^[A-Za-z_]\w*=/.test(shape)) continue
      if (!shape.startsWith('-') && operands-- <= 0) break
      if (literal === undefined) found.push(index)
      const takesNext = /^--\w[\w-]*$/.test(shape) || (/^-\w+$/.test(shape) && values.includes(shape.at(-1)!))
      if (takesNext && words[index + 1]?.shape.startsWith('-') === false) found.push(++index)
    }
  }
  return found
}

export function codeOf(command: ShellCommand): {
  readonly lines: readonly string[]
  readonly uncertain?: string | undefined
} {
  const { words, hereTexts } = command
  const lines: string[] = []
  let shells = 0
  let uncertain: string | undefined
  const programs = new Set(findPrograms(words))
  for (const [index, word] of words.entries()) {
    const name = programName(word)
    const isCertain = programs.has(index)
    if (isCertain && name === undefined && (word.expands.has('braces') || !isPattern(word)))
      uncertain ??= 'the name of a program is not literal'
    if (name === undefined) continue
    if (isCertain) {
      const rest = words.slice(index + 1)
      if (/^(?:alias|hash|enable)$/.test(name)) uncertain ??= `${name} gives names to programs`
      uncertain ??= wordsProblem(name, rest, command)
      if (/^(?:eval|trap)$/.test(name)) {
        lines.push(rest.map(({ literal, shape }) => literal ?? shape).join(name === 'eval' ? ' ' : '\n'))
      }
    }
    const plain = name.replace(/-?[\d.]{1,20}$/, '')
    const isShell = SHELLS.has(name) || SHELLS.has(plain)
    if (isShell) {
      if (++shells > MAX_SHELLS) return { lines: [], uncertain: 'the command names too many shells' }
      for (const { literal } of words.slice(index + 1))
        if (literal !== undefined && /\s|["'\\]/.test(literal)) lines.push(literal)
      if (isCertain) lines.push(...hereTexts.map(({ text }) => text))
    }
    if (isShell || (isCertain && (INTERPRETERS.has(name) || INTERPRETERS.has(plain)))) {
      uncertain ??= codeProblem(command, { name: plain || name, index, isShell, isCertain })
    }
  }
  return { lines, uncertain }
}

function wordsProblem(name: string, rest: readonly ShellWord[], command: ShellCommand): string | undefined {
  if (name === 'eval' || name === 'trap')
    return rest.every(({ literal }) => literal !== undefined) ? undefined : `the words of ${name} are not literal`
  if (name === 'exec') {
    const isFed = command.hereTexts.length > 0 || command.redirects.some(({ operator }) => operator.startsWith('<'))
    return isFed ? 'exec changes what later commands read' : undefined
  }
  if (name !== 'source' && name !== '.') return undefined
  const [file] = rest
  if (file === undefined) return undefined
  return programName(file) === undefined || INPUT.test(file.shape) ? `the file of ${name} is not literal` : undefined
}

/** Files that represent what a program reads. */
const INPUT = /^-$|(?:^|\/)(?:dev\/[./]*(?:stdin|fd)|proc\/)/

function codeProblem(
  { words, hereTexts, isPiped, redirects }: ShellCommand,
  at: { readonly name: string; readonly index: number; readonly isShell: boolean; readonly isCertain: boolean },
): string | undefined {
  const { name, index, isShell, isCertain } = at
  const why = `the code that ${name} runs is not literal`
  const before = words.slice(0, index)
  const isFilled = before.some((word) => /^(?:find|xargs|parallel|fd)$/.test(programName(word) ?? ''))
  let takesInput = true
  for (let next = index + 1; next < words.length; next++) {
    const { shape, literal, expands } = words[next]!
    if (isCode(name, isShell, shape)) {
      const code = words[isShell ? findCode(words, next) : next + 1]?.literal
      const fills =
        isFilled && (code?.includes('{}') === true || before.some((each) => /^(?:-[Ii]|--replace)/.test(each.shape)))
      return code === undefined || fills ? why : undefined
    }
    if (/^[-+]./.test(shape)) {
      if (literal === undefined) return why
      if (/^-[a-z]*s/.test(shape) && isShell) break
      if (VALUED.test(shape) && !(name === 'php' && shape === '-r')) {
        const value = words[++next]
        if (isShell && value !== undefined && programName(value) === undefined) return why
      }
      if (/^-m$/.test(shape)) takesInput = false
      continue
    }
    if (INPUT.test(shape)) break
    takesInput = false
    const isUnquoted = literal === undefined && ![...expands].every((each) => each === 'quoted variable')
    const isKnown = programName(words[next]!) !== undefined
    const isProgram = name.endsWith('awk')
    if ((isUnquoted && !isKnown) || (isProgram && literal === undefined)) return isShell || isCertain ? why : undefined
    if (isFilled && isShell && literal === '{}') return undefined
    break
  }
  if (!takesInput) return undefined
  if (isFilled && words[index]!.literal !== 'parallel') return why
  const isGiven =
    isPiped || redirects.some(({ operator, target }) => operator.startsWith('<') && target?.literal === undefined)
  if (isGiven && hereTexts.length === 0) return why
  return hereTexts.some(({ isLiteral }) => !isLiteral) && isCertain ? why : undefined
}

/** Where the code of a shell stands: options may stand before it. */
function findCode(words: readonly ShellWord[], option: number): number {
  let at = option
  do at += VALUED.test(words[at]!.shape) ? 2 : 1
  while (/^[-+]/.test(words[at]?.shape ?? ''))
  return at
}

function isCode(name: string, isShell: boolean, shape: string): boolean {
  if (isShell) return /^-[A-Za-z]*c[A-Za-z]*$/.test(shape)
  if (name === 'php') return /^-[rRBE]$/.test(shape)
  return /^-[A-Za-z]*[ceEp]$|^--(?:eval|print)$/.test(shape) || (name === 'deno' && shape === 'eval')
}
