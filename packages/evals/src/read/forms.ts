import type { EvalAssertion, EvalCase, EvalFile } from '../eval-case.ts'
import { listOf, mapOf, type Node, plain, textOf, TreeError } from './tree.ts'

/** What the place of a file says about its cases. */
export interface Surroundings {
  readonly file: string
  /** The skill that cases are about, unless they name another one. */
  readonly skill: string | undefined
  /** Resolves a path of a file. @throws {TreeError} if it leads outside */
  readonly locate: (path: string, line: number) => EvalFile
}

type Fields = ReadonlyMap<string, Node>

/** Names under which published files keep their cases. */
const LISTS = 'evals trigger_evals behavior_evals queries cases test_cases tests scenarios tasks'.split(' ')
const PROMPTS = ['prompt', 'query', 'input', 'user_message', 'message', 'task', 'question']
const ASSERTIONS = ['assertions', 'expectations', 'validators', 'graders', 'criteria', 'checks', 'checklist']
const EXPECTED = ['expected_output', 'expected_behavior', 'expected', 'description']

/**
 * Returns the cases of a file, in its order. Names of task files stay names: `readEvals` reads those.
 * @throws {TreeError} if a value is not what its name says, with its line
 */
export function casesOf(
  root: Node,
  around: Surroundings,
): { readonly cases: EvalCase[]; readonly taskFiles: string[] } {
  const taskFiles: string[] = []
  const cases: EvalCase[] = []
  const add = (entries: readonly Node[], inside: Surroundings, given: Given): void => {
    for (const entry of entries) {
      const name = textOf(entry)
      if (name !== undefined && given.key === 'tasks') taskFiles.push(name)
      else cases.push(...readEntry(entry, inside, { ...given, number: cases.length + 1 }))
    }
  }
  const list = listOf(root)
  if (list !== undefined) add(list, around, {})
  const fields = mapOf(root)
  if (fields !== undefined) {
    const skill = nameIn(fields, ['skill_name', 'skill']) ?? around.skill
    const inside = { ...around, skill }
    const shared = { also: ['graders', 'validators'].flatMap((key) => assertionsIn(fields.get(key), around)) }
    for (const key of LISTS) {
      const node = fields.get(key)
      const entries = listOf(node)
      if (entries !== undefined) add(entries, inside, { ...shared, key })
      else if (node !== undefined && promptIn(fields) === undefined) throw wrong(node, `"${key}"`, 'a list of cases')
    }
    const trigger = mapOf(fields.get('trigger')) ?? fields
    for (const [key, shouldTrigger] of TRIGGER_LISTS) {
      add(listOf(trigger.get(key)) ?? [], inside, { key, shouldTrigger })
    }
    if (cases.length + taskFiles.length === 0 && promptIn(fields) !== undefined) add([root], inside, {})
  }
  return { cases, taskFiles }
}

const TRIGGER_LISTS = [
  ['positive', true],
  ['should_trigger', true],
  ['negative', false],
  ['should_not_trigger', false],
] as const

interface Trigger {
  readonly shouldTrigger: boolean | undefined
  readonly rivals: readonly string[]
}

interface Given {
  readonly key?: string
  readonly number?: number
  readonly shouldTrigger?: boolean
  /** Assertions of the whole file. */
  readonly also?: readonly EvalAssertion[]
}

/** Returns the cases of an entry: one, or one for each language of its inputs. */
function readEntry(entry: Node, around: Surroundings, given: Given): EvalCase[] {
  const text = textOf(entry)
  const fields: Fields = mapOf(entry) ?? new Map(text === undefined ? [] : [['prompt', entry]])
  const skill = nameIn(fields, ['skill_name', 'skill']) ?? around.skill
  const id = idOf(fields, skill, given)
  const expected = nameIn(fields, EXPECTED)
  const { shouldTrigger, rivals } = triggerOf(fields, id, skill, given)
  const common = {
    ...(skill !== undefined && { skill }),
    ...(shouldTrigger !== undefined && { shouldTrigger }),
    rivals,
    files: filesIn(fields, around),
    assertions: [...assertionsOf(fields, around), ...(given.also ?? [])],
    ...(expected !== undefined && { expected }),
    place: { file: around.file, line: entry.line },
  }
  const prompt = promptIn(fields)
  if (prompt !== undefined) return [{ id, prompt, ...common }]
  const languages = mapOf(fields.get('inputs'))
  if (languages !== undefined && languages.size > 0 && [...languages.values()].every((each) => textOf(each))) {
    return [...languages].map(([name, each]) => ({ id: `${id}-${name}`, prompt: textOf(each)!, ...common }))
  }
  throw new TreeError(entry.line, `case ${id} has no prompt. Add "prompt", a text that is not empty`)
}

function promptIn(fields: Fields): string | undefined {
  for (const key of PROMPTS) {
    const node = fields.get(key)
    const text = textOf(node)
    if (text !== undefined && text.trim() !== '') return text
    if (node !== undefined && text === undefined && mapOf(node) === undefined) throw wrong(node, `"${key}"`, 'a text')
  }
  const inner = mapOf(fields.get('inputs') ?? fields.get('input'))
  return textOf(inner?.get('prompt'))?.trim() === '' ? undefined : textOf(inner?.get('prompt'))
}

function idOf(fields: Fields, skill: string | undefined, { key = 'case', number }: Given): string {
  const value = (fields.get('id') ?? fields.get('name'))?.value
  const own = typeof value === 'string' || typeof value === 'number' ? String(value) : `${key}-${number}`
  return skill === undefined || own.startsWith(`${skill}/`) ? own : `${skill}/${own}`
}

/** Says whether the skill should be used, and which ones compete with it. */
function triggerOf(fields: Fields, id: string, skill: string | undefined, given: Given): Trigger {
  const node = fields.get('should_trigger')
  const isFlag = node === undefined || typeof node.value === 'boolean'
  if (!isFlag) throw wrong(node, `"should_trigger" of ${id}`, 'true or false')
  const named = textOf(fields.get('expected_skill') ?? fields.get('owner'))
  const rivals = textsIn(fields.get('competing_skills'), 'competing_skills')
  if (named !== undefined && named !== 'none' && named !== skill) rivals.push(named)
  const isDenied = /(?:^|\/)(?:anti|no|not|negative)[-_ ]?trigger/i.test(id)
  const implied = skill === undefined ? undefined : named === undefined ? !isDenied : named === skill
  return { shouldTrigger: (node?.value as boolean | undefined) ?? given.shouldTrigger ?? implied, rivals }
}

function filesIn(fields: Fields, { locate }: Surroundings): readonly EvalFile[] {
  const inputs = mapOf(fields.get('inputs'))
  const nodes = [fields.get('files'), inputs?.get('files')]
  return nodes.flatMap((node) => {
    if (node === undefined || node.value === null) return []
    return (listOf(node) ?? [node]).map((each) => {
      const inner = mapOf(each)
      const path = textOf(each) ?? textOf(inner?.get('path')) ?? textOf(inner?.get('name'))
      if (path === undefined) throw wrong(each, 'a file', 'a path, or an object with "path"')
      const content = textOf(inner?.get('content'))
      const located = locate(path, each.line)
      return content === undefined ? located : { path: located.path, content }
    })
  })
}

function assertionsOf(fields: Fields, around: Surroundings): EvalAssertion[] {
  const expected = mapOf(fields.get('expected')) ?? new Map<string, Node>()
  return [
    ...ASSERTIONS.flatMap((key) => assertionsIn(fields.get(key), around)),
    ...contains(fields.get('must_include'), 'must_include'),
    ...contains(fields.get('must_not_include'), 'must_not_include', true),
    ...contains(expected.get('output_contains'), 'output_contains'),
    ...contains(expected.get('output_not_contains'), 'output_not_contains', true),
  ]
}

function contains(node: Node | undefined, key: string, not?: true): EvalAssertion[] {
  return textsIn(node, key).map((value) => ({ type: 'contains', value, ...(not && { not }) }))
}

/** Returns the assertions of a list of texts and objects. */
export function assertionsIn(node: Node | undefined, { locate }: Pick<Surroundings, 'locate'>): EvalAssertion[] {
  if (node === undefined || node.value === null) return []
  return (listOf(node) ?? [node]).map((each): EvalAssertion => {
    const text = textOf(each)
    if (text !== undefined) return { type: 'judge', text }
    const fields = mapOf(each)
    if (fields === undefined) throw wrong(each, 'an assertion', 'a text or an object')
    const type = textOf(fields.get('type')) ?? ''
    const value = textOf(fields.get('value'))
    const path = textOf(fields.get('path'))
    const names = textsIn(mapOf(fields.get('config'))?.get('required_skills'), 'required_skills')
    if (/^(?:not[-_])?contains$/.test(type) && value !== undefined) {
      return { type: 'contains', value, ...(type !== 'contains' && { not: true as const }) }
    }
    if (/^file[-_]exists$/.test(type) && path !== undefined) return { type: 'file', path: locate(path, each.line).path }
    if (type === 'skill_invocation' && names.length > 0) return { type: 'skills', names }
    // Programs and patterns of a file are never run: a person or a model reads what they ask for.
    const words = nameIn(fields, ['text', 'description', 'assertion', 'expectation', 'criterion', 'name'])
    return { type: 'judge', text: words === undefined || fields.has('config') ? JSON.stringify(plain(each)) : words }
  })
}

function textsIn(node: Node | undefined, key: string): string[] {
  if (node === undefined || node.value === null) return []
  return (listOf(node) ?? [node]).map((each) => {
    const text = textOf(each)
    if (text === undefined) throw wrong(each, `"${key}"`, 'a text or a list of texts')
    return text
  })
}

/** Returns the first text among some fields that is not empty. */
function nameIn(fields: Fields, keys: readonly string[]): string | undefined {
  return keys.map((key) => textOf(fields.get(key))?.trim()).find((text) => text)
}

function wrong({ line, value }: Node, what: string, expected: string): TreeError {
  const kind = value instanceof Map ? 'an object' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
  return new TreeError(line, `${what} must be ${expected}, and is ${kind}`)
}
