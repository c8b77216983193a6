import { isBuiltin } from 'node:module'
import type { ScriptFile, ScriptInspection, ScriptJob, ScriptNeed, ScriptRunner } from '@repertoire/core'
import { importedModules } from '../virtual/inspect/javascript.ts'
import { inspectPython } from '../virtual/inspect/python.ts'
import { shellNeeds } from '../virtual/inspect/shell.ts'
import { loadShell } from '../virtual/shell.ts'

/** Runs a command in the sandbox, and returns what it prints; undefined where it fails. */
export type AskSandbox = (command: readonly string[]) => Promise<string | undefined>

/** What shells have without a program. */
const BUILTINS =
  '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable ' +
  'eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd ' +
  'read readarray readonly return set shift shopt source suspend test time times trap true type typeset ulimit umask ' +
  'unalias unset wait'

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash'])

/** Prints the names of all modules that can be imported. */
const MODULES = `import pkgutil, sys
print("\\n".join({*sys.stdlib_module_names, *sys.builtin_module_names, *(m.name for m in pkgutil.iter_modules())}))`

const TYPESCRIPT = /\.[mc]?ts$/

/**
 * Says what scripts use that the sandbox does not show: programs for shell scripts, modules for Python, and for
 * TypeScript a Node that reads it. By their texts, and by what the sandbox answers; no script runs.
 * @param programs the names of the programs that the sandbox shows
 */
export function sandboxInspection(
  programs: ReadonlySet<string>,
  ask: AskSandbox,
): NonNullable<ScriptRunner['inspect']> {
  const commands = new Set([...BUILTINS.split(' '), ...programs])
  let modules: Promise<ReadonlySet<string> | undefined> | undefined
  let node: Promise<string | undefined> | undefined
  return async ({ interpreter, script, files }) => {
    const file = files.find(({ path }) => path === script)
    if (file === undefined) return NOTHING
    if (SHELLS.has(interpreter)) return shellNeeds(await loadShell(), files, script, commands)
    const text = new TextDecoder().decode(file.bytes)
    if (interpreter === 'python3') {
      const found = await (modules ??= namesOf(ask(['python3', '-c', MODULES])))
      return found === undefined ? NOTHING : inspectPython(text, moduleLookup(found, text, { script, files }))
    }
    if (interpreter !== 'node') return NOTHING
    const version = TYPESCRIPT.test(script) ? await (node ??= ask(['node', '--version'])) : undefined
    return { missing: [...typeScriptNeeds(version), ...packageNeeds(text)], unknown: [] }
  }
}

async function namesOf(lines: Promise<string | undefined>): Promise<ReadonlySet<string> | undefined> {
  const text = await lines
  return text === undefined ? undefined : new Set(text.split('\n'))
}

const NOTHING: ScriptInspection = { missing: [], unknown: [] }

/** A module is there where Python has it, or the skill: beside the script, or anywhere if the script sets where to look. */
function moduleLookup(
  modules: ReadonlySet<string>,
  text: string,
  { script, files }: Pick<ScriptJob, 'script' | 'files'>,
): (name: string) => boolean {
  const beside = /\bsys\.path\b/.test(text) ? undefined : script.slice(0, script.lastIndexOf('/') + 1)
  const own = new Set(files.flatMap((file) => moduleNames(file, beside)))
  return (name) => {
    const [top = ''] = name.split('.')
    return modules.has(top) || own.has(top)
  }
}

function moduleNames({ path }: ScriptFile, beside: string | undefined): readonly string[] {
  if (beside === undefined) return path.split('/').map((part) => part.replace(/\.py$/, ''))
  if (!path.startsWith(beside)) return []
  return [path.slice(beside.length).split('/')[0]?.replace(/\.py$/, '') ?? '']
}

/** Node reads TypeScript by itself from 22.18 on, and from 23.6 on. */
function typeScriptNeeds(version: string | undefined): readonly ScriptNeed[] {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(version ?? '') ?? []
  if (major === undefined) return []
  const [first, second] = [Number(major), Number(minor)]
  const reads = first > 23 || (first === 23 && second >= 6) || (first === 22 && second >= 18)
  return reads ? [] : [{ kind: 'command', name: 'node 22.18 or later', line: 1, certain: true }]
}

/** Packages are no part of Node. The skill may bring them in a folder that is not looked at here. */
function packageNeeds(text: string): readonly ScriptNeed[] {
  return importedModules(text)
    .filter(({ name }) => !/^[./#]/.test(name) && !isBuiltin(name))
    .map(({ name, line }) => ({ kind: 'module', name, line, certain: false }))
}
