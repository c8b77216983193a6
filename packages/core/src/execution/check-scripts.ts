import { isObject, isSkillError, type SkillFolder, showHidden, quote } from '@repertoire/skill-md/internal'
import type {
  ScriptCheck,
  ScriptFile,
  ScriptInspection,
  ScriptNeed,
  ScriptRefusal,
  ScriptRunner,
} from '../ports/script-runner.ts'
import { isScriptFile } from '@repertoire/gate/internal'
import { TIMED_OUT, waitFor } from '../time-limit.ts'
import { findDanger } from './dangerous.ts'
import { chooseInterpreter, type Interpreter } from './interpreter.ts'
import { dangerReason, supportOf, unsupportedReason } from './run-script.ts'

/** The largest script that is looked at. */
const MAX_SCRIPT_BYTES = 1024 * 1024

/** Scripts of one skill that are looked at, and how large those may be together that a runner reads beside each. */
const [MAX_SCRIPTS, MAX_READ_BYTES] = [1_000, 4 * 1024 * 1024]

/** Says of each script of a skill, hidden ones too, whether it can be run. See `authoring.ts`. */
export async function checkScripts(folder: SkillFolder, runner?: ScriptRunner): Promise<readonly ScriptCheck[]> {
  const { files, withheld } = await folder.list()
  const scripts = [...files, ...withheld.files].filter(isScriptFile).slice(0, MAX_SCRIPTS)
  const read: Read[] = []
  for (const { path, executable } of scripts) read.push(await readOne(folder, path, executable))
  const readable: ScriptFile[] = []
  let size = 0
  for (const { file } of read) {
    size += file?.bytes.byteLength ?? 0
    if (file !== undefined && size <= MAX_READ_BYTES) readable.push(file)
  }
  const checks: ScriptCheck[] = []
  for (const each of read) checks.push(await checkOne(each, readable, runner))
  return checks
}

/** A script that was read, or why it was not. */
interface Read extends Pick<ScriptCheck, 'path' | 'problem'> {
  readonly file?: ScriptFile
}

async function readOne(folder: SkillFolder, path: string, executable: boolean): Promise<Read> {
  try {
    const bytes = await folder.read(path, { maxBytes: MAX_SCRIPT_BYTES, withheld: true })
    return { path, file: { path, bytes, executable } }
  } catch (error) {
    if (!isSkillError(error)) throw error
    return { path, problem: `${quote(path)} cannot be read: ${error.message}` }
  }
}

async function checkOne(
  { path, problem, file }: Read,
  files: readonly ScriptFile[],
  runner: ScriptRunner | undefined,
): Promise<ScriptCheck> {
  if (file === undefined) return { path, problem }
  const interpreter = chooseInterpreter(path, file.bytes)
  if ('problem' in interpreter) return { path, ...interpreter }
  const { name } = interpreter
  const danger = await findDanger(new TextDecoder().decode(file.bytes), name)
  if (danger !== undefined) return { path, interpreter: name, problem: dangerReason(path, danger) }
  if (runner === undefined) return { path, interpreter: name }
  const support = supportOf(runner, interpreter)
  if (support !== true) return { path, interpreter: name, problem: unsupportedReason(path, name, support) }
  return { path, interpreter: name, ...(await inspected(runner, interpreter, file, files)) }
}

/** What the runner says of a script that it has an interpreter for. */
async function inspected(
  runner: ScriptRunner,
  { name }: Interpreter,
  file: ScriptFile,
  files: readonly ScriptFile[],
): Promise<Pick<ScriptCheck, 'problem' | 'missing' | 'unknown'>> {
  const others = files.filter((each) => each !== file)
  const answer = await inspectScript(runner, { interpreter: name, script: file.path, files: [file, ...others] })
  if (answer === undefined) return {}
  const { refused, missing, unknown } = answer
  return {
    ...(refused !== undefined && { problem: refusedReason(file.path, runner, refused) }),
    ...(missing.length > 0 && { missing }),
    ...(unknown.length > 0 && { unknown }),
  }
}

/** How long a runner may read a script. */
const INSPECTION_MS = 10_000

/** Items of each kind that are kept, and characters of each text. */
const [MAX_ITEMS, MAX_CHARS] = [100, 300]

/** Refusals that one sentence names. */
const MAX_NAMED = 3

/**
 * Asks a runner what it knows of a script before it runs. Never throws: a runner that fails, or takes too long, knows
 * nothing.
 */
async function inspectScript(
  runner: ScriptRunner,
  script: Parameters<NonNullable<ScriptRunner['inspect']>>[0],
): Promise<ScriptInspection | undefined> {
  if (typeof runner.inspect !== 'function') return undefined
  try {
    const answer: unknown = await waitFor(Promise.resolve(runner.inspect(script)), INSPECTION_MS)
    return answer === TIMED_OUT ? undefined : readInspection(answer)
  } catch {
    return undefined
  }
}

/** Why a runner would not run a script, as sentences. */
function refusedReason(path: string, runner: ScriptRunner, refused: readonly ScriptRefusal[]): string {
  const places = refused.slice(0, MAX_NAMED).map((each) => {
    const where = each.path === path ? '' : ` of ${quote(each.path)}`
    return `line ${each.line}${where}: ${each.reason}`
  })
  const more = refused.length > places.length ? ` (and ${refused.length - places.length} more)` : ''
  return `${quote(path)} cannot be run by the runner ${quote(runner.name.slice(0, MAX_CHARS))}: ${places.join('; ')}${more}.`
}

function readInspection(answer: unknown): ScriptInspection | undefined {
  if (!isObject(answer)) return undefined
  const { refused, missing, unknown } = answer
  const refusals = listOf(refused)
    .filter(isRefusal)
    .map(({ path, line, reason }) => ({ path, line, reason: shown(reason) }))
  return {
    ...(refusals.length > 0 && { refused: refusals }),
    missing: listOf(missing)
      .filter(isNeed)
      .map(({ kind, name, line, certain }) => ({ kind, name: shown(name), line, certain })),
    unknown: listOf(unknown).filter((line) => typeof line === 'number'),
  }
}

function isRefusal(value: unknown): value is ScriptRefusal {
  return (
    isObject(value) &&
    typeof value['path'] === 'string' &&
    typeof value['line'] === 'number' &&
    typeof value['reason'] === 'string'
  )
}

function isNeed(value: unknown): value is ScriptNeed {
  if (!isObject(value)) return false
  const { kind, name, line, certain } = value
  if (kind !== 'command' && kind !== 'module') return false
  return typeof name === 'string' && typeof line === 'number' && typeof certain === 'boolean'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []
}

function shown(text: string): string {
  const visible = showHidden(text)
  return visible.length > MAX_CHARS ? `${visible.slice(0, MAX_CHARS)}…` : visible
}
