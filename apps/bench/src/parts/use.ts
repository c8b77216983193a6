import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRepertoire } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { directorySource } from '@repertoire/core/node'
import { makeTree } from '../generator.ts'
import type { Jobs } from '../run.ts'
import { steady, timed, timeInTurns } from '../timing.ts'

const ACTIVATED = 60
const HOST_TOOLS = ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep']

export const jobs: Jobs = {
  /** Calls of a host's tools under a policy of two rules. */
  async calls() {
    const options = { sources: [], policy: { allow: ['Read(docs/**)', 'Bash(git log:*)'] } }
    const caller = async (tool: string, input: Record<string, string>, audit?: { write(): void }) => {
      const session = adapterSession((await openRepertoire({ ...options, audit })).openSession({ cwd: '/project' }))
      await session.step({ tools: HOST_TOOLS })
      return async () => {
        const outcome = await session.call({ id: 'call', tool, input }, () => 'Done.')
        if (!outcome.ok) throw new Error(`The call was refused: ${outcome.text}`)
      }
    }
    const path = { file_path: 'docs/guide/install.md' }
    const works = {
      path: await caller('Read', path),
      shell: await caller('Bash', { command: 'git log --oneline -n 5 docs' }),
      audited: await caller('Read', path, { write: () => {} }),
    }
    return timeInTurns(works, { turns: 20, iterations: 400 })
  },

  /** Activations of different skills, each in its own session, with consent. */
  async activation(folder) {
    const root = join(folder, 'activated')
    const names = Array.from({ length: ACTIVATED }, (_, number) => `skill-${number}`)
    for (const name of names) writeSkill(join(root, name), name)
    const repertoire = await openRepertoire({ sources: [directorySource({ root })] })
    const times: number[] = []
    for (const name of names) {
      const session = adapterSession(repertoire.openSession({ consent: () => true }))
      await session.step({ tools: [] })
      const activate = async (): Promise<void> => {
        const call = { id: 'call', tool: 'activate_skill', input: { name } }
        const outcome = await session.call(call, () => undefined)
        if (!outcome.ok) throw new Error(`"${name}" was not activated: ${outcome.text}`)
      }
      times.push(await timed(activate))
      await session.end()
    }
    return { taken: steady(times) }
  },

  /** The first step of a process, and the later ones. */
  async step(folder) {
    const source = directorySource({ root: makeTree(folder, 1_000) })
    const session = adapterSession((await openRepertoire({ sources: [source] })).openSession())
    const times: number[] = []
    for (let step = 0; step < 200; step++) {
      const begin = async (): Promise<unknown> => {
        const view = await session.step({ tools: HOST_TOOLS })
        return [view.system('You are an agent.'), view.tools]
      }
      times.push(await timed(begin))
    }
    return { first: times[0]!, later: steady(times) }
  },
}

/** Writes a skill of 13 files. */
function writeSkill(folder: string, name: string): void {
  mkdirSync(join(folder, 'references'), { recursive: true })
  const body = 'Read the file, then say what is in it.\n'.repeat(150)
  writeFileSync(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: Does what ${name} does.\n---\n${body}`)
  for (let number = 0; number < 12; number++)
    writeFileSync(join(folder, `references/topic-${number}.md`), `${name}, topic ${number}\n${body}`)
}
