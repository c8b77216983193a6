import { type Command, readCommands, type Word } from './words.ts'

/** What a script is not run for. */
export type DangerousPattern =
  | 'recursive force delete of a root'
  | 'fork bomb'
  | 'pipe to shell'
  | 'raw device write'
  | 'mkfs'
  | 'dd'

/** A dangerous pattern in a script. */
export interface Danger {
  readonly pattern: DangerousPattern
  /** 1-based: where the command begins. */
  readonly line: number
}

/**
 * Returns the first dangerous pattern in a text of any language, by its words alone and in linear time. Lines that are
 * comments (`#`, `//`) do not count.
 */
export function findTextDanger(text: string): Danger | undefined {
  for (const command of readCommands(text)) {
    const pattern = patternOf(command)
    if (pattern !== undefined) return { pattern, line: command.line }
  }
  const bomb = forkBombAt(text)
  return bomb === undefined ? undefined : { pattern: 'fork bomb', line: text.slice(0, bomb).split('\n').length }
}

// Bounded, so that none of them looks at a place of the text more than a fixed number of times.
const SHELL_BOMB = /\(\)\s{0,8}\{\s{0,8}([\w:.]{1,64})[ \t]{0,8}\|[ \t]{0,8}\1[ \t]{0,8}[|&}]/g
const FORKS =
  /\bfork[ \t]{1,8}while[ \t]{1,8}fork\b|\bwhile[ \t]{0,8}\(?[ \t]{0,8}(?:True|true|1)\b[ \t]{0,8}\)?[ \t]{0,8}[:{]\s{0,64}(?:os\.)?fork\b/

/** Where a text defines a function that does nothing but call itself twice, or forks for ever. */
function forkBombAt(text: string): number | undefined {
  for (const { index, 1: name = '' } of text.matchAll(SHELL_BOMB)) {
    const before = text.slice(Math.max(0, index - 80), index).trimEnd()
    if (before.endsWith(name) && !/[\w:.]/.test(before.at(-name.length - 1) ?? '')) return index
  }
  const forks = text.search(FORKS)
  return forks < 0 ? undefined : forks
}

function patternOf({ stages }: Command): DangerousPattern | undefined {
  for (const stage of stages) {
    const pattern = patternInStage(stage)
    if (pattern !== undefined) return pattern
  }
  return pipesToShell(stages) ? 'pipe to shell' : undefined
}

/** Returns the dangerous pattern in the words of one command of a shell, each without its quotes. */
export function patternInWords(words: readonly string[]): DangerousPattern | undefined {
  return patternInStage(words.map((text) => ({ text, quoted: true, inText: false, listed: false })))
}

/** Whether a path is a device that holds a file system, or the memory. */
export function isDevice(path: string): boolean {
  return DEVICE.test(cleaned(path))
}

/** An absolute path, or one in the home folder, without repeated slashes, `.` and `..`. */
function cleaned(path: string): string {
  if (!path.includes('/')) return path
  const [first = '', ...rest] = path.split('/')
  const parts: string[] = []
  for (const part of rest) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return first === '' || parts.length > 0 ? `${first}/${parts.join('/')}` : first
}

function patternInStage(words: readonly Word[]): DangerousPattern | undefined {
  let remover: { readonly isCall: boolean; recursive: boolean; force: boolean; root: boolean } | undefined
  let isFormatter = false
  let isDd = false
  let isWriter = false
  let isCopier = false
  let isOpened = false
  let isReader = false
  for (const [index, word] of words.entries()) {
    const { text } = word
    const name = programName(text)
    if (name === 'rm') remover = { isCall: false, recursive: false, force: false, root: false }
    else if (/(?:^|\.)(?:rmtree|rmSync|rm_rf)$/.test(text))
      remover = { isCall: true, recursive: true, force: true, root: false }
    else if (remover !== undefined) {
      if (/^--r(?:ecursive|[ecursiv]*)$|^-[a-zA-Z]*[rR]/.test(text)) remover.recursive = true
      if (/^--f(?:o|or|orc|orce)?$|^-[a-zA-Z]*f/.test(text)) remover.force = true
      // In the text of a program a root is in quotes: `base / name` is a division, or a path that is joined.
      if (ROOT.test(cleaned(text)) && (word.quoted || !(word.listed || remover.isCall))) remover.root = true
      if (remover.recursive && remover.force && remover.root) return 'recursive force delete of a root'
    }
    if (/^mkfs\.\w/.test(name)) return 'mkfs'
    if (isFormatter && /^[-/$]/.test(text)) return 'mkfs'
    if (name === 'mkfs' || name === 'mke2fs') isFormatter = true
    if (isDd && /^(?:if|of)=/.test(text)) return 'dd'
    if (name === 'dd') isDd = true
    if (isDevice(text)) {
      if (isWriter || (isCopier && index === words.length - 1) || words[index - 1]?.text === '>')
        return 'raw device write'
      isOpened ||= /(?:^|\.)open(?:Sync)?$/.test(words[index - 1]?.text ?? '')
    } else if (isOpened && /^(?:[wa]b?\+?|r\+b?|rb\+)$/.test(text)) return 'raw device write'
    if (DEVICE_WRITERS.has(name)) isWriter = true
    if (COPIERS.has(name)) isCopier = true
    if (isReader && DOWNLOADERS.has(name)) return 'pipe to shell'
    // `sh -c "$(curl …)"`, `eval "$(curl …)"`, `bash <(curl …)`
    if (text !== '' && text !== '<' && text !== '$') isReader = readsCommands(words, index)
  }
  return undefined
}

export const DOWNLOADERS: ReadonlySet<string> = new Set(
  'curl wget aria2c nc ncat netcat base64 base32 basenc xxd uudecode'.split(' '),
)
const SHELLS: ReadonlySet<string> = new Set('sh bash rbash dash ash ksh mksh oksh yash zsh csh tcsh fish'.split(' '))
const INTERPRETERS: ReadonlySet<string> = new Set(['python', 'perl', 'ruby', 'node', 'php'])

/** Whether a name is that of a shell, also with a version: `ksh93`. */
export function isShellName(name: string): boolean {
  return SHELLS.has(name.replace(/\d+$/, ''))
}

/** Whether a name is that of another interpreter, also with a version: `python3.11`. */
export function isInterpreterName(name: string): boolean {
  return INTERPRETERS.has(name.replace(/[\d.]+$/, ''))
}

const WRAPPERS: ReadonlySet<string> = new Set(
  'sudo doas env exec command nohup time nice timeout stdbuf setsid xargs'.split(' '),
)
const DEVICE_WRITERS: ReadonlySet<string> = new Set('tee shred wipefs blkdiscard truncate sponge'.split(' '))
/** Programs that write to their last operand only. */
const COPIERS: ReadonlySet<string> = new Set(['cp', 'mv', 'install'])
/** Everything in `/dev` that is not known to hold nothing: terminals, streams, shared memory, sockets of a shell. */
const DEVICE =
  /^\/dev\/(?!(?:null|zero|full|u?random|ptmx|console|log|kmsg|std(?:in|out|err)|lp\d+)$|tty|cu\.|(?:fd|pts|shm|mqueue|tcp|udp|serial|snd|input)(?:\/|$))./
const ROOT =
  /^(?:\/+\.?\/*|(?:~|~root|\$HOME|\$\{HOME(?::?\?[^}]*)?\})(?:\/+\.?\/*)?)(?:(?<=\/)(?:\.?[*?]+|\[[^\]/]*\]\*))?$/

function programName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1)
}

/** Whether what comes after a word is read as commands: `eval`, `source`, `sh -c`, `bash <`. */
function readsCommands(words: readonly Word[], index: number): boolean {
  const { text } = words[index]!
  if (text === 'eval' || text === 'source' || text === '.') return true
  if (/^-[a-z]*c$/.test(text)) return isShellName(programName(words[index - 1]?.text ?? ''))
  return isShellName(programName(text)) && words[index + 1]?.text === '<'
}

function pipesToShell(stages: readonly (readonly Word[])[]): boolean {
  const downloads = new Set<boolean>()
  for (const stage of stages) {
    // The shell's name may stand in the pattern of a search: `curl … | grep "bash|sh"`.
    const shell = shellOnInput(stage)
    if (shell !== undefined && downloads.has(shell.inText)) return true
    for (const word of stage) if (DOWNLOADERS.has(programName(word.text))) downloads.add(word.inText)
  }
  return false
}

/** The shell, or interpreter, of a stage that reads its program from its standard input. */
function shellOnInput(stage: readonly Word[]): Word | undefined {
  const isWrapped = WRAPPERS.has(programName(stage[0]?.text ?? ''))
  const at = stage.findIndex(({ text }) => {
    const name = programName(text)
    // What stands before the shell may be the value of an option: `sudo -u root sh`.
    return isWrapped ? isShellName(name) || isInterpreterName(name) : !/^-|^\w+=/.test(text)
  })
  const program = stage[at]
  if (program === undefined) return undefined
  const name = programName(program.text)
  const next = stage[at + 1]?.text
  if (isInterpreterName(name)) return next === undefined || next === '-' ? program : undefined
  const reads = next === undefined || next === '>' || (next.startsWith('-') && !/^-[a-z]*c$/.test(next))
  return isShellName(name) && reads ? program : undefined
}
