import { splitWords } from '../disclosure/arguments.ts'
import type { ScriptFile } from '../ports/script-runner.ts'
import { quote, quoteName } from '@repertoire/skill-md/internal'
import { chooseInterpreter } from './interpreter.ts'
import type { Parameters } from './parameters/validate.ts'

/** A script that stands in a SKILL.md, as a runner is given it. */
export interface InlineScript {
  /** The skill's own files, and the script among them. */
  readonly files: readonly ScriptFile[]
  /** Its path among them. */
  readonly script: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
}

/** Endings, each with the languages that are written behind an opening fence. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'sh shell posix',
  bash: 'bash',
  zsh: 'zsh',
  ksh: 'ksh',
  fish: 'fish',
  py: 'python python3 py',
  mjs: 'javascript js mjs node',
  cjs: 'cjs',
  mts: 'typescript ts mts',
  rb: 'ruby rb',
  pl: 'perl pl',
  php: 'php',
  lua: 'lua',
  r: 'r',
  ps1: 'powershell pwsh ps1',
  awk: 'awk',
  sed: 'sed',
}

const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries(LANGUAGES).flatMap(([ending, names]) => names.split(' ').map((name) => [name, ending] as const)),
)

/** Before the names of parameters in the environment: one called `PATH` must not become the `PATH` of a program. */
const VARIABLE_PREFIX = 'PARAM_'

/**
 * Returns a skill's own script with the parameters it is given. Nothing is filled into its text. A text without a
 * schema is its arguments, split into words. All other parameters are JSON on its standard input, and each is a
 * variable of its environment: `PARAM_` and its name in capitals, text as it is and everything else as JSON.
 * @param language as written behind the opening fence. Absent: `sh`
 * @returns or why it cannot be run, as a sentence
 */
export function inlineScript(
  script: string,
  language: string | undefined,
  { values, hasSchema, files }: { values: Parameters; hasSchema: boolean; files: readonly ScriptFile[] },
): InlineScript | { readonly problem: string } {
  const ending = endingOf(language)
  if (ending === undefined) {
    return {
      problem: `Its code block is written in ${quote(String(language))}, and no interpreter for it is known here.`,
    }
  }
  const path = freeName(ending, files)
  const file = { path, bytes: new TextEncoder().encode(`${script}\n`), executable: false }
  const inline = { files: [...files, file], script: path }
  const { args } = values
  if (!hasSchema && typeof args === 'string' && Object.keys(values).length === 1) {
    return { ...inline, args: splitWords(args), environment: {} }
  }
  const variables = variablesOf(values)
  if ('problem' in variables) return variables
  return {
    ...inline,
    args: [],
    environment: variables.environment,
    ...(Object.keys(values).length > 0 && { stdin: new TextEncoder().encode(`${JSON.stringify(values)}\n`) }),
  }
}

/** Returns the name of what reads a skill's own script; undefined if it is not known. */
export function inlineInterpreter(script: string, language: string | undefined): string | undefined {
  const interpreter = chooseInterpreter(`script.${endingOf(language)}`, new TextEncoder().encode(script))
  return 'problem' in interpreter ? undefined : interpreter.name
}

function endingOf(language = 'sh'): string | undefined {
  return ENDINGS.get(language.toLowerCase())
}

/** A name that no file of the skill has, also where a file system ignores case. */
function freeName(ending: string, files: readonly ScriptFile[]): string {
  const taken = new Set(files.map(({ path }) => path.toLowerCase()))
  for (let n = 1; ; n++) {
    const name = `skill-script${n === 1 ? '' : `-${n}`}.${ending}`
    if (!taken.has(name)) return name
  }
}

function variablesOf(values: Parameters): Pick<InlineScript, 'environment'> | { readonly problem: string } {
  const variables = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) continue
    const variable = VARIABLE_PREFIX + name.replace(/[^A-Za-z0-9_]/g, '_').toUpperCase()
    if (variables.has(variable)) {
      return { problem: `Two of its parameters would be the variable ${variable}, one of them ${quoteName(name)}.` }
    }
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (text.includes('\0') || !text.isWellFormed()) {
      return { problem: `Its parameter ${quoteName(name)} holds a character that no program can be given.` }
    }
    variables.set(variable, text)
  }
  return { environment: Object.fromEntries(variables) }
}
