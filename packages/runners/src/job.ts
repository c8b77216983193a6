import { type ScriptJob, SkillError } from '@repertoire/core'
import { SCRIPT_ARGUMENT_LIMITS } from '@repertoire/core/adapter'

// Those by which core has judged the arguments already: here the environment counts too.
const { count: MAX_ARGUMENTS, oneBytes: MAX_ARGUMENT_BYTES, allBytes: MAX_ARGUMENTS_BYTES } = SCRIPT_ARGUMENT_LIMITS
/** Bubblewrap takes 9,000 words, and each variable is three of them. */
const MAX_VARIABLES = 1_024

/**
 * Refuses a job that no runner could carry out to the letter, before anything is written or started.
 * @throws {SkillError} SCRIPT_NOT_STARTED
 */
export function checkJob(job: ScriptJob): void {
  const paths = new Set<string>()
  for (const { path } of job.files) {
    if (!isInside(path)) refuse(`The path "${path}" is not a path inside the skill's folder.`)
    if (paths.has(path)) refuse(`The file "${path}" is given twice.`)
    paths.add(path)
  }
  for (const path of paths) {
    const folder = foldersOf(path).find((parent) => paths.has(parent))
    if (folder !== undefined) refuse(`"${folder}" is given as a file and as the folder of "${path}".`)
  }
  if (!paths.has(job.script)) refuse(`The script "${job.script}" is not among the files of the job.`)
  if (!/^[\w.+-]+$/.test(job.interpreter)) refuse(`"${job.interpreter}" is not the name of an interpreter.`)
  checkWords(job)
}

/** The folders that hold a path, outermost first. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function checkWords({ interpreterArgs, args, environment }: ScriptJob): void {
  const words = [...interpreterArgs, ...args]
  const variables = Object.entries(environment)
  if (words.length > MAX_ARGUMENTS)
    refuse(`There are ${words.length} arguments; the most is ${MAX_ARGUMENTS}. Pass them by standard input.`)
  if (variables.length > MAX_VARIABLES)
    refuse(`There are ${variables.length} variables; the most is ${MAX_VARIABLES}. Pass fewer.`)
  let total = 0
  const add = (word: string, what: string): void => {
    if (word.includes('\0')) refuse(`${what} holds a NUL character, which ends an argument on every system.`)
    if (!word.isWellFormed()) refuse(`${what} holds half of a surrogate pair, which cannot be written as UTF-8.`)
    const size = Buffer.byteLength(word)
    total += size + 1
    if (size > MAX_ARGUMENT_BYTES)
      refuse(`${what} has ${size} bytes; the most is ${MAX_ARGUMENT_BYTES}. Pass it by standard input.`)
  }
  for (const [index, word] of words.entries()) add(word, `Argument ${index + 1}`)
  for (const [name, value] of variables) {
    if (name === '' || name.includes('=')) refuse(`"${name}" is not the name of a variable.`)
    add(`${name}=${value}`, `The variable "${name}"`)
  }
  if (total > MAX_ARGUMENTS_BYTES)
    refuse(
      `Arguments and environment have ${total} bytes together; the most is ${MAX_ARGUMENTS_BYTES}. Pass them by standard input.`,
    )
}

function isInside(path: string): boolean {
  return (
    path.isWellFormed() &&
    !path.includes('\0') &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

function refuse(reason: string): never {
  throw new SkillError('SCRIPT_NOT_STARTED', reason)
}
