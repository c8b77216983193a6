import type { ScriptStep } from '@repertoire/conformance'
import { type AuditEvent, memorySource, type RepertoireOptions } from '@repertoire/core'
import { createAgent } from 'langchain'
import { skillsMiddleware, type SkillsSession } from '../src/index.ts'
import type { SkillsMiddlewareOptions } from '../src/index.ts'
import { useEndpoint } from './endpoint.ts'
import { hostOf, openSkills, type Run, tellingRunner, thread } from './setup.ts'

const manifest = (name: string, fields: string, body: string): Record<string, string> => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\n${body}\n`,
})

/** A skill for each thing that the tests try. */
export const sources = [
  memorySource({
    layer: 'project',
    skills: {
      greeter: manifest('greeter', 'allowed-tools: Read\ntriggers:\n  keywords: [welcome]\n', 'GREET $1 FIRST.'),
      private: manifest('private', 'disable-model-invocation: true\n', 'FOR PEOPLE.'),
      scout: manifest('scout', 'context: fork\nallowed-tools: Read\n', 'SCOUT AHEAD.'),
      expert: manifest('expert', 'context: fork\nagent: reviewer\nmodel: big\n', 'REVIEW IT.'),
      leaving: { ...manifest('leaving', 'hooks:\n  post: [goodbye.sh]\n', 'STAY A WHILE.'), 'goodbye.sh': '' },
    },
  }),
]

/** Where the tests keep their conversation. */
export const one = thread('one')
/** A session that says yes to everything. */
export const yes: SkillsSession = { consent: () => true }

/**
 * A model endpoint for the tests of one file.
 * @returns `setUp` makes an agent with this file's skills and a model that plays a script; `play` makes such a model
 */
export function useSkilledAgent() {
  const endpoint = useEndpoint()
  return { play: (script: readonly ScriptStep[]) => endpoint.play(script), setUp }

  async function setUp(
    script: readonly ScriptStep[],
    options: SkillsMiddlewareOptions = yes,
    more: Partial<Parameters<typeof createAgent>[0]> = {},
    opening: Partial<RepertoireOptions> = {},
  ) {
    const play = endpoint.play(script)
    const runs: Run[] = []
    const events: AuditEvent[] = []
    const hooks: string[] = []
    const repertoire = await openSkills({
      sources,
      audit: { write: (event) => void events.push(event) },
      scripts: { hooks: true, runner: tellingRunner(hooks) },
      ...opening,
    })
    const skills = skillsMiddleware(repertoire, options)
    const agent = createAgent({
      ...hostOf(play, runs),
      ...more,
      middleware: [skills, ...((more.middleware as []) ?? [])],
    } as never)
    return { play, runs, events, hooks, agent: agent as ReturnType<typeof createAgent>, repertoire }
  }
}
