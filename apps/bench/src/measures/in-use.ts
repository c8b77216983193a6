import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ListingStyle,
  openRepertoire,
  type Repertoire,
  type RepertoireOptions,
  type ToolCall,
} from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { directorySource } from '@repertoire/core/node'
import { median, type Pair, steady, timed } from '../statistics.ts'

/** A call of a host's tool whose argument is a path, or of a shell. */
export type ShownCall = 'path' | 'shell'

const SKILLS = 60
const OTHER_FILES = 12
const HOST_TOOLS = ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep']
const STEPS = 300
const BATCHES = 20
/** One call takes about as long as a tick of the clock, so calls are timed together. */
const CALLS_IN_BATCH = 500

const POLICY = { allow: ['Read(docs/**)', 'Bash(git log:*)'] }
const CALLS: Readonly<Record<ShownCall, Omit<ToolCall, 'id'>>> = {
  path: { tool: 'Read', input: { file_path: 'docs/guide/install.md' } },
  shell: { tool: 'Bash', input: { command: 'git log --oneline -n 5 docs' } },
}

/** Opens the skills of a tree of any size. */
export function openTree(root: string, options: Partial<RepertoireOptions> = {}): Promise<Repertoire> {
  return openRepertoire({ ...options, sources: [directorySource({ root, maxFolders: 1_000_000 })] })
}

/**
 * Activates skills of 13 files, each in its own session, with consent. In turns with that, lists, reads and hashes the
 * folder of another skill in plain Node.
 * @param folder where the skills are written
 * @throws {Error} if a skill is not activated
 */
export async function timeActivations(folder: string): Promise<Pair> {
  const root = join(folder, `activated-${process.pid}`)
  const names = Array.from({ length: SKILLS }, (_, number) => `skill-${number}`)
  for (const name of names) writeFolder(join(root, name), name)
  const repertoire = await openTree(root)
  const own: number[] = []
  const base: number[] = []
  for (const [index, name] of names.entries()) {
    const session = repertoire.openSession({ consent: () => true })
    adapterSession(session).beginStep([])
    own.push(await timed(() => activate(session, name)))
    await session.end()
    const other = names[(index + SKILLS / 2) % SKILLS]!
    base.push(await timed(() => readAndHash(join(root, other))))
  }
  return { own: steady(own), base: steady(base) }
}

/** @throws {Error} if the skill is not activated, because then no activation was timed */
export async function activate(
  session: Pick<ReturnType<Repertoire['openSession']>, 'call'>,
  name: string,
): Promise<void> {
  const outcome = await session.call({ id: 'call', tool: 'activate_skill', input: { name } }, () => undefined)
  if (!outcome.ok) throw new Error(`"${name}" was not activated: ${outcome.text}`)
}

/** Times the first step of this process beside the later ones. */
export async function timeSteps(root: string, style: ListingStyle): Promise<Pair> {
  const session = (await openTree(root, { listing: { style } })).openSession()
  const times: number[] = []
  for (let step = 0; step < STEPS; step++) {
    const begin = (): unknown => {
      const view = adapterSession(session).beginStep(HOST_TOOLS)
      return [view.system('You are an agent.'), view.tools]
    }
    times.push(await timed(begin))
  }
  return { own: times[0]!, base: steady(times) }
}

/**
 * Times calls under a policy of two rules.
 * @throws {Error} if a call is refused
 */
export async function timeCalls(shown: ShownCall): Promise<Pair> {
  const repertoire = await openRepertoire({ sources: [], policy: POLICY })
  const session = repertoire.openSession({ cwd: '/project' })
  adapterSession(session).beginStep(Object.values(CALLS).map(({ tool }) => tool))
  const call = { id: 'call', ...CALLS[shown] }
  const own: number[] = []
  for (let batch = 0; batch < BATCHES; batch++) {
    const taken = await timed(async () => {
      for (let index = 0; index < CALLS_IN_BATCH; index++) {
        const outcome = await session.call(call, ({ input }) => input)
        if (!outcome.ok) throw new Error(`The call was not allowed: ${outcome.text}`)
      }
    })
    own.push(taken / CALLS_IN_BATCH)
  }
  return { own: median(own) }
}

function writeFolder(folder: string, name: string): void {
  mkdirSync(join(folder, 'references'), { recursive: true })
  const body = 'Read the file, then say what is in it.\n'.repeat(150)
  writeFileSync(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: Does what ${name} does.\n---\n${body}`)
  for (let number = 0; number < OTHER_FILES; number++) {
    writeFileSync(join(folder, 'references', `topic-${number}.md`), `${name}, topic ${number}\n${body}`)
  }
}

function readAndHash(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) hash('sha256', readFileSync(join(entry.parentPath, entry.name)))
  }
}
