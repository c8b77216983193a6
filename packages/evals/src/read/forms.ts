import { isObject } from '@repertoire/skill-md/internal'
import type { EvalAssertion, EvalCase, EvalFile } from '../eval-case.ts'
import { type EvalError, fileError } from '../error.ts'
import type { Fields } from './tree.ts'

/** What the place of a file says about its cases. */
export interface Surroundings {
  /** The skill that cases are about, unless they name another one. */
  readonly skill: string | undefined
  /** Resolves a path of a file. @throws {EvalError} if it leads outside */
  readonly locate: (path: string, entry: Fields) => EvalFile
  readonly placeOf: (entry: Fields) => EvalCase['place']
}

/** Names under which published files keep their cases. */
const LISTS = 'evals trigger_evals behavior_evals queries cases test_cases tests scenarios tasks'.split(' ')
const POSITIVE = /^(?:positives?|should[-_]?(?:trigger|activate))(?:[-_](?:prompts|queries|cases|examples))?$/i
const NEGATIVE = /^(?:negatives?|should[-_]?not[-_]?(?:trigger|activate))(?:[-_](?:prompts|queries|cases|examples))?$/i
const FLAG = /^(?:should|expect(?:ed|s)?)[-_]?(?:trigger|activate|skill[-_]activation)(?:ed)?$/i
const DENIED = /(?:^|[\s/])(?:(?:anti|non?|not|should[-_ ]?not)[-_ ]?(?:trigger|activate)|negative|near[-_ ]?miss)/i
const KINDS = ['kind', 'category', 'type', 'label', 'expect', 'expectation']
const CHOSEN = ['expected_skill', 'expected_skill_load', 'preferred_skill', 'owner']
const PROMPTS = ['prompt', 'query', 'input', 'user_message', 'message', 'task', 'question', 'instruction']
const ASSERTIONS =
  'assertions expectations validators graders criteria checks checklist golden_checklist expected_behavior'.split(' ')

/**
 * Returns the cases of a file, in its order, the skill that it names, and its task files.
 * @throws {EvalError} EVAL_FILE_INVALID: a value is not what its name says
 */
export function casesOf(
  root: unknown,
  around: Surroundings,
): { readonly cases: EvalCase[]; readonly skill?: string; readonly taskFiles: readonly string[] } {
  const fields = Array.isArray(root) ? { evals: root } : isObject(root) ? root : {}
  const inside = { ...around, skill: skillIn(fields) ?? around.skill }
  const cases: EvalCase[] = []
  const taskFiles: string[] = []
  for (const [key, entries] of [fields, objectIn(fields, 'trigger')].flatMap((lists) => Object.entries(lists))) {
    const flag = NEGATIVE.test(key) ? false : POSITIVE.test(key) || undefined
    if (!Array.isArray(entries) || (flag === undefined && !LISTS.includes(key))) continue
    for (const entry of entries as readonly unknown[]) {
      if (key === 'tasks' && typeof entry === 'string') taskFiles.push(entry)
      else cases.push(caseOf(entry, inside, cases.length, flag))
    }
  }
  if (cases.length + taskFiles.length === 0 && promptIn(fields) !== undefined) cases.push(caseOf(fields, inside, 0))
  return { cases, skill: inside.skill, taskFiles }
}

/** @param shouldTrigger of all entries of the list */
function caseOf(entry: unknown, around: Surroundings, at: number, shouldTrigger?: boolean): EvalCase {
  const fields = isObject(entry) ? entry : { prompt: entry }
  const expected = objectIn(fields, 'expected')
  const flags = Object.entries({ ...expected, ...objectIn(fields, 'deterministic'), ...fields })
  const [key = '', flag = shouldTrigger] = flags.find(([name]) => FLAG.test(name)) ?? []
  const chosen = textIn(fields, CHOSEN)
  const about = skillIn(fields) ?? around.skill
  const skill = chosen !== 'none' && (flag === true || about === undefined) ? (chosen ?? about) : about
  const given = fields['id'] ?? fields['name']
  const own = typeof given === 'string' || typeof given === 'number' ? String(given) : `case-${at + 1}`
  const id = skill === undefined || own.startsWith(`${skill}/`) ? own : `${skill}/${own}`
  const prompt = promptIn(fields)
  if (prompt === undefined) throw fileError(around.placeOf(fields), `case ${id} has no prompt. Add "prompt"`)
  if (/^file:\/\/|^[\w./-]+\.(?:md|txt)$/.test(prompt))
    throw wrong(around, fields, `the prompt of ${id}`, 'its text', prompt)
  if (flag !== undefined && typeof flag !== 'boolean')
    throw wrong(around, fields, `"${key}" of ${id}`, 'true or false', flag)
  const isDenied = DENIED.test([own, ...KINDS.map((name) => fields[name])].join(' '))
  const implied = skill === undefined ? undefined : chosen === undefined ? !isDenied : chosen === skill
  const contains = (name: string, type: 'contains' | 'not-contains'): readonly EvalAssertion[] =>
    listIn(expected, name).flatMap((value) => (typeof value === 'string' ? { type, value } : []))
  const assertions = [
    ...ASSERTIONS.flatMap((name) => assertionsIn(fields, name, around)),
    ...contains('output_contains', 'contains'),
    ...contains('output_not_contains', 'not-contains'),
  ]
  return {
    id,
    prompt,
    skill,
    shouldTrigger: flag ?? implied,
    owner: chosen === 'none' || chosen === skill ? undefined : chosen,
    files: [fields, objectIn(fields, 'inputs')].flatMap((each) => filesIn(each, around)),
    assertions: assertions.length > 0 ? assertions : assertionsIn(fields, 'expected_output', around),
    place: around.placeOf(fields),
  }
}

function promptIn(fields: Fields): string | undefined {
  return textIn(fields, PROMPTS) ?? textIn({ ...objectIn(fields, 'input'), ...objectIn(fields, 'inputs') }, ['prompt'])
}

function filesIn(fields: Fields, around: Surroundings): readonly EvalFile[] {
  return listIn(fields, 'files').map((each) => {
    const entry = isObject(each) ? each : { path: each }
    const path = textIn(entry, ['path', 'name'])
    if (path === undefined) throw wrong(around, fields, 'a file', 'a path, or an object with "path"', each)
    const content = entry['content']
    const located = around.locate(path, fields)
    return typeof content === 'string' ? { path: located.path, content } : located
  })
}

/** Reads assertions that are texts or objects. A file's programs and patterns never run: they are words for a judge. */
function assertionsIn(fields: Fields, key: string, around: Surroundings): readonly EvalAssertion[] {
  const named = Object.values(objectIn(fields, key))
  const listed = listIn(fields, key).filter((each) => each !== '')
  return (named.length > 0 && named.every(isObject) ? named : listed).map((each): EvalAssertion => {
    if (typeof each === 'string') return { type: 'judge', text: each }
    if (!isObject(each)) throw wrong(around, fields, 'an assertion', 'a text or an object', each)
    const { value, path, config } = each
    const type = textIn(each, ['type'])?.replaceAll('_', '-')
    if ((type === 'contains' || type === 'not-contains') && typeof value === 'string') return { type, value }
    if (type === 'file-exists' && typeof path === 'string')
      return { type: 'file', path: around.locate(path, each).path }
    const words = textIn(each, ['text', 'description', 'assertion', 'expectation', 'criterion', 'check', 'name'])
    return { type: 'judge', text: words === undefined || config !== undefined ? JSON.stringify(each) : words }
  })
}

/** Returns the skill that fields name: itself, in a list of one, or by its folder. */
function skillIn(fields: Fields): string | undefined {
  const [only, ...others] = listIn(fields, 'skills')
  const named = textIn({ ...fields, skills: others.length === 0 ? only : '' }, ['skill_name', 'skill', 'skills'])
  return named?.match(/[^/.][^/]*(?=\/*$)/)?.[0]
}

const objectIn = (fields: Fields, key: string): Fields => (isObject(fields[key]) ? fields[key] : {})

const listIn = (fields: Fields, key: string): readonly unknown[] => [fields[key] ?? []].flat()

/** Returns the first text among some fields that is not empty. */
function textIn(fields: Fields, keys: readonly string[]): string | undefined {
  const texts = keys.map((key) => fields[key]).filter((value) => typeof value === 'string')
  return texts.find((text) => text.trim() !== '')
}

function wrong({ placeOf }: Surroundings, fields: Fields, what: string, expected: string, value: unknown): EvalError {
  const kind = Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : JSON.stringify(value)
  return fileError(placeOf(fields), `${what} must be ${expected}, and is ${kind}`)
}
