import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../src/adapter.ts'
import {
  type Outcome,
  type Repertoire,
  type RepertoireOptions,
  type Session,
  type SkillSource,
  type ToolCall,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'

export const HOST = ['Bash', 'Read', 'Write']

export const skillText = (name: string, fields = '', body = `Body of ${name}.`): string =>
  `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\n${body}\n`

const files = {
  editor: {
    'SKILL.md': skillText('editor', 'allowed-tools: Read Write(docs/**)\n'),
    'references/a.md': 'one\ntwo\nthree\n',
  },
  historian: {
    'SKILL.md': skillText('historian', 'allowed-tools: Read Bash(git log:*)\n'),
    'scripts/go.py': 'print(1)',
  },
  free: { 'SKILL.md': skillText('free'), 'scripts/go.sh': 'echo', 'image.bin': new Uint8Array([0, 1, 2]) },
  mute: { 'SKILL.md': skillText('mute', 'allowed-tools: []\n') },
}

const source: SkillSource = memorySource({ layer: 'project', skills: files })

export async function open(
  session: AdapterSessionOptions = {},
  repertoire: Partial<RepertoireOptions> = {},
): Promise<{ session: AdapterSession; repertoire: Repertoire }> {
  const opened = await openRepertoire({ sources: [source], ...repertoire })
  return {
    repertoire: opened,
    session: openAdapterSession(opened, { consent: () => true, hostTools: HOST, ...session }),
  }
}

/** The path that a tool of the host's is given where the model names this one. */
export async function givenPath(session: Session, path: string): Promise<string | undefined> {
  let given: unknown
  const call = { id: crypto.randomUUID(), tool: 'Read', input: { file_path: path } }
  await session.call(call, ({ input }) => (given = (input as { readonly file_path: unknown }).file_path))
  return given as string | undefined
}

let counter = 0
/** Calls a tool in its own step; tells what ran. */
export async function step(
  session: AdapterSession,
  tool: string,
  input: unknown,
  id = `c${counter++}`,
): Promise<Outcome & { ran?: ToolCall }> {
  const begun = await session.step({ tools: HOST })
  let ran: ToolCall | undefined
  const outcome = await begun.call({ id, tool, input }, (call) => {
    ran = call
    return `ran ${call.tool}`
  })
  return ran === undefined ? outcome : { ...outcome, ran }
}

export const activate = (session: AdapterSession, name: string, id?: string) =>
  step(session, 'activate_skill', { name }, id)

/** Returns what a step reminds the model of. */
export const reminderOf = async (session: AdapterSession, isShown: (text: string) => boolean) =>
  (await session.step({ tools: HOST })).reminder(isShown)
