import { existsSync } from 'node:fs'
import { failure, partFailure, unwantedFailure } from '../../failure.ts'
import type { ConversationOptions, HostBench, Outcome } from '../bench.ts'
import type { HostCheck } from '../check.ts'
import type { Move } from '../moves.ts'
import { missingFrom, shows } from '../text.ts'
import type { HostSkills, Workspace } from '../workspace.ts'

type Written = Omit<HostCheck, 'area' | 'level' | 'title'> & {
  readonly level?: HostCheck['level'] | undefined
  /** The demand, without the requirement. */
  readonly demands: string
}

/** Returns the checks of an area. Level `MUST` and the needs of the area, unless a check says otherwise. */
export function hostChecksOf(
  area: string,
  written: readonly Written[],
  ofArea: HostCheck['needs'] = [],
): readonly HostCheck[] {
  return written.map(({ demands, level = 'MUST', needs = ofArea, ...check }) => {
    return { ...check, area, level, needs, title: `[CONF-7] ${demands}` }
  })
}

/** Words that occur nowhere else. */
export type Words = readonly [string, string, string]

export function wordsOf(bench: HostBench): Words {
  return [bench.word(), bench.word(), bench.word()]
}

/** One conversation, and what the model must and must not be shown at its end. */
interface Scene extends ConversationOptions {
  readonly skills: HostSkills
  /** What the model does. Absent: it looks at the list of skills. */
  readonly moves?: readonly Move[]
  /** Absent: it does not matter whether the moves can be made. */
  readonly shows?: readonly string[]
  readonly hides?: readonly string[]
  /** A text that is shown whole, or the model is told that it is cut. */
  readonly long?: string
}

/** Returns a text of many lines, each with a word. */
export function longText(lines: number, word: string): string {
  return Array.from({ length: lines }, (_, at) => `Line ${at} of ${word}: ${'compare, '.repeat(8)}`).join('\n')
}

/** Returns a check that has one conversation. Code of a skill must never run in it. */
export function scene(
  id: string,
  demands: string,
  write: (words: Words, workspace: Workspace) => Scene,
  more: Pick<Written, 'needs' | 'level'> = {},
): Written {
  const run: HostCheck['run'] = async (bench) => {
    const workspace = await bench.workspace({})
    const { skills, moves, shows: parts, hides = [], long, ...options } = write(wordsOf(bench), workspace)
    await workspace.write(skills)
    const trial = await bench.start(workspace, options)
    let what = 'the list'
    let texts: readonly string[] = []
    if (moves === undefined) texts = await trial.list()
    else {
      what = `the request after ${moves.at(-1)!.what}`
      const outcomes = await (parts === undefined ? trial.attempt(...moves) : trial.send(...moves))
      texts = outcomes.at(-1)?.texts ?? []
      for (const [index, { absent }] of moves.entries())
        if (absent !== undefined) toldOfFailure(outcomes[index]!, absent)
      const fresh = outcomes.at(-1)?.fresh ?? []
      const ends = fresh.map((part) => part.slice(-200))
      if (long !== undefined && !shows(texts, long) && !fresh.some((part) => CUT.test(part)))
        throw failure('the whole text, or a note that it is cut', ends)
    }
    for (const part of parts ?? []) shown(what, texts, part)
    for (const part of hides) hidden(what, texts, part)
    if (existsSync(workspace.trace)) throw failure('no code of a skill to run', 'the file that it wrote')
  }
  return { id, demands, ...more, run }
}

const CUT =
  /truncat|\bcut\b|shorten|omitted|too (?:large|long|big)|exceed|remaining|left out|\bmore (?:lines|characters|bytes|text)|limit|offset/i

const FAILURE =
  /\b(?:no|not|none|unknown|unavailable|invalid|error|failed|failure|fails|cannot|could not|missing|denied|refused)\b|n't\b|ENOENT/i

/** Asserts that the model is told that a call failed, by other words than the name in the call. */
function toldOfFailure({ results, fresh }: Outcome, name: string): void {
  const told = results.length > 0 ? results : fresh
  if (!told.some((text) => FAILURE.test(text.replaceAll(name, ''))))
    throw failure('a result that says what went wrong', told)
}

/** Returns the text of a `SKILL.md`. The description is YAML as it is written. */
export function manifest(name: string, description: string, body = 'Do what the user asks.', fields = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${fields}---\n\n${body}\n`
}

/** A skill that no check asks anything about. */
export const PLAIN: HostSkills = { plain: manifest('plain', 'Plain work.') }

/** Returns skills whose instructions say a word each, by their names. */
export function saying(words: Readonly<Record<string, string>>): HostSkills {
  const skills = Object.entries(words).map(([name, word]) => [name, manifest(name, `Work ${name}.`, `Say ${word}.`)])
  return Object.fromEntries(skills)
}

/** Asserts that one of the texts shows a part. */
export function shown(what: string, texts: readonly string[], part: string): void {
  const missing = missingFrom(texts, part)
  if (missing !== undefined) throw partFailure(what, joined(texts), missing)
}

/** Asserts that no text shows a part. */
export function hidden(what: string, texts: readonly string[], part: string): void {
  if (shows(texts, part)) throw unwantedFailure(what, joined(texts), part)
}

/** The newest text is the first: messages begin with it, if nothing in it is similar. */
function joined(texts: readonly string[]): string {
  return texts.toReversed().join('\n')
}
