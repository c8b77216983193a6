import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { type Outcome, type RepertoireOptions, memorySource, openRepertoire } from '../../../src/index.ts'

export const HOST = ['Bash', 'Read', 'Write']

/** A SKILL.md of a type, with a code block. */
export const typed = (
  name: string,
  type: string,
  block: string,
  fields = '',
  language = '',
): Record<string, string> => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\ntype: ${type}\n${fields}---\nFor people.\n\n\`\`\`${language}\n${block}\n\`\`\`\n`,
})

export const SKILLS: Record<string, Record<string, string>> = {
  greet: typed(
    'greet',
    'template',
    'Dear {{ name }},\n{% if formal %}Sincerely{% else %}Bye{% endif %}',
    'parameters:\n  name: { type: string, required: true }\n  formal: boolean\n',
  ),
  release: typed(
    'release',
    'composite',
    'steps:\n  - tool: Read\n    parameters: { file_path: notes.md }\n    description: Look at it.\n  - tool: Bash\n    parameters: { command: git tag v2 }',
    'allowed-tools: Read Bash(git tag:*)\n',
    'yaml',
  ),
  hello: typed('hello', 'script', 'echo hello', '', 'sh'),
  plain: { 'SKILL.md': '---\nname: plain\ndescription: Plain.\n---\nDo it for $ARGUMENTS.\n' },
}

export interface Ran {
  readonly tool: string
  readonly input: unknown
}

/** Opens a session over skills; `ran` is what the steps of plans ran. */
export async function openExecution(
  skills: Record<string, Record<string, string>> = SKILLS,
  options: AdapterSessionOptions = {},
  repertoire: Partial<RepertoireOptions> = {},
): Promise<{ session: AdapterSession; ran: Ran[] }> {
  const ran: Ran[] = []
  const opened = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })], ...repertoire })
  const session = openAdapterSession(opened, { consent: () => true, hostTools: HOST, ...options })
  await session.step({ tools: options.hostTools ?? HOST })
  return { session, ran }
}

let counter = 0

/** Calls a skill by the activation tool. */
export function call(session: AdapterSession, name: string, args?: unknown, signal?: AbortSignal): Promise<Outcome> {
  const input = { name, ...(args !== undefined && { args: typeof args === 'string' ? args : JSON.stringify(args) }) }
  return session.call({ id: `c${counter++}`, tool: 'activate_skill', input }, () => undefined, { signal })
}

/** The names of the active skills. */
export const activeOf = (session: AdapterSession): readonly string[] => session.activeSkills
