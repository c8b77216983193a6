import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession } from '../../../src/adapter.ts'
import {
  type ForkRequest,
  type ForkRunner,
  type Repertoire,
  type RepertoireOptions,
  type Session,
  openRepertoire,
} from '../../../src/index.ts'
import { directorySource } from '../../../src/node/index.ts'

export const HOST = ['Bash', 'Read', 'Write', 'Edit']

export let base: string

export const write = (path: string, text: string): void => {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
export const skill = (name: string, fields: string, body = `Body of ${name}.`): void =>
  write(`${name}/SKILL.md`, `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\n${body}\n`)

/** Makes the skills before each test, and removes them after it. */
export function makeSkills(): void {
  beforeEach(() => {
    base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-fork-'))
    skill(
      'research',
      'context: fork\nagent: explorer\nmodel: small\nallowed-tools: Read Bash(git log:*)\n',
      'Find $ARGUMENTS.',
    )
    write('research/references/guide.md', 'guide\n')
    write('research/scripts/find.sh', 'echo\n')
    skill('careful', 'allowed-tools: Read Write(docs/**)\n')
    skill('free', '')
    skill('secret', 'disable-model-invocation: true\n')
    for (const name of ['one', 'two', 'three', 'four']) skill(name, 'context: fork\n')
  })

  afterEach(() => rmSync(base, { recursive: true, force: true }))
}

/** Nobody is asked in the call itself: for frameworks that suspend. */
export const ASKING: AdapterSessionOptions = { consent: undefined }

export async function open(
  session: AdapterSessionOptions = {},
  repertoire: Partial<RepertoireOptions> = {},
): Promise<{ session: Session; repertoire: Repertoire }> {
  const opened = await openRepertoire({ sources: [directorySource({ root: base, layer: 'project' })], ...repertoire })
  return { repertoire: opened, session: openAdapterSession(opened, { id: 'task', consent: () => true, ...session }) }
}

export let counter = 0
export const activate = (at: Pick<Session, 'call'>, name: string, fork?: ForkRunner, args?: string) =>
  at.call({ id: `c${counter++}`, tool: 'activate_skill', input: { name, args } }, () => '', { fork })
/** A call of a host's tool: `ran`, or why not. */
export const use = async (session: Session, tool: string, input: unknown): Promise<string> => {
  const outcome = await session.call({ id: `c${counter++}`, tool, input }, () => 'ran')
  return outcome.ok ? 'ran' : outcome.refusal.code
}
/** A runner that keeps what it was asked, and what a look at the child's session gave. */
export const runner = (work: (request: ForkRequest) => unknown = () => 'done') => {
  const requests: ForkRequest[] = []
  const fork: ForkRunner = async (request) => {
    requests.push(request)
    return (await work(request)) as string
  }
  return { fork, requests }
}
