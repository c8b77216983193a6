import { approvalResponses, consentRequests, withSkills } from '@repertoire/ai-sdk'
import { type ConsentAnswer, type ConsentRequest, openRepertoire, type SavedSession } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'
import { generateText, isStepCount, type LanguageModel, type ModelMessage, type ToolSet } from 'ai'

/** What is kept of a task between two requests: JSON values, in whatever store you have. */
export interface StoredTask {
  readonly session: SavedSession
  readonly messages: readonly ModelMessage[]
}

/** The agent as it was before skills: its model and its fifteen tools. */
interface Agent {
  readonly model: LanguageModel
  readonly tools: ToolSet
}

/** What the browser sends: a message, or a person's answers to what was asked. */
export interface Posted {
  readonly task: string
  readonly text?: string
  readonly answers?: readonly ConsentAnswer[]
}

/** Your tools, by what skills call them. Tools of your own business need no entry: rules name them as they are. */
const TOOLS = {
  openFile: { as: 'Read', argument: 'path' },
  saveFile: { as: 'Write', argument: 'path' },
  patchFile: { as: 'Edit', argument: 'path' },
  listFiles: { as: 'Glob', argument: 'pattern' },
  searchCode: { as: 'Grep', argument: 'dir' },
  runCommand: { as: 'Bash', argument: 'cmd' },
  fetchPage: { as: 'WebFetch', argument: 'address' },
  searchWeb: 'WebSearch',
  askPerson: 'AskUserQuestion',
} as const

/** The most that a skill may ask for: what reads. */
const READ_ONLY = {
  tools: ['Read', 'Grep', 'Glob', 'Bash(git log:*)', 'Bash(git diff:*)', 'queryOrders', 'listTickets', 'readCalendar'],
  scripts: false,
  hooks: false,
}

/** Makes the route of a web server. The key is a secret of the server: nobody else can change a stored session. */
export async function createRoute(
  project: string,
  { model, tools }: Agent,
  store: Map<string, StoredTask>,
  sessionSecret: string,
) {
  // The project's `.claude/skills`, and those of its npm dependencies.
  const sources = standardSources({ project, folders: ['.claude/skills'], packages: true })
  const policy = { deny: ['Bash(git push:*)'] }
  const repertoire = await openRepertoire({ sources, toolMap: TOOLS, admit: READ_ONLY, policy, sessionSecret })

  return async function post({ task, text, answers = [] }: Posted): Promise<{
    readonly text: string
    readonly asked: readonly ConsentRequest[]
  }> {
    const stored = store.get(task)
    const session = repertoire.openSession({ id: task, cwd: project, ...(stored && { saved: stored.session }) })
    const messages = [...(stored?.messages ?? [])]
    const keep = (): void => void store.set(task, { session: session.save(), messages })
    if (text !== undefined) messages.push({ role: 'user', content: text })
    const pending = await consentRequests(session, messages)
    if (pending.length > 0) messages.push(approvalResponses(pending, answers))
    const skills = withSkills(session, { tools })
    const run = await generateText({ model, messages, stopWhen: isStepCount(20), ...skills })
    messages.push(...run.responseMessages)
    const asked = (await consentRequests(session, messages)).map(({ request }) => request)
    keep()
    return { text: run.text, asked }
  }
}
