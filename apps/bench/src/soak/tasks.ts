import type { Outcome, Session, ToolCall } from '@repertoire/core'
import { type Host, openHost } from './hosts.ts'

/** What a task is given. */
interface TaskContext {
  readonly host: Host
  readonly root: string
  /** A number from 0 up to 1. */
  readonly random: () => number
}

/** Something that a host does, from its beginning to its end. Returns how it ended, in a word. */
export type Task = (context: TaskContext) => Promise<string>

const HOST_TOOLS = ['Bash', 'Read', 'Write']
const consent = (): true => true

export type TaskName =
  | 'script'
  | 'failure'
  | 'flood'
  | 'children'
  | 'limit'
  | 'abort'
  | 'javascript'
  | 'python'
  | 'hooks'
  | 'toolset'
  | 'refusals'
  | 'saved'
  | 'reload'
  | 'host'

/** Everything that is mixed. What is dear comes seldom: see `TURNS`. */
export const TASKS: Readonly<Record<TaskName, Task>> = {
  script: (context) => withSkill(context, 'worker', (session) => runScript(session, 'scripts/hello.sh')),
  failure: (context) => withSkill(context, 'worker', (session) => runScript(session, 'scripts/fail.sh')),
  flood: (context) => withSkill(context, 'worker', (session) => runScript(session, 'scripts/flood.sh')),
  children: (context) => withSkill(context, 'worker', (session) => runScript(session, 'scripts/children.sh')),
  limit: (context) => withSkill(context, 'worker', (session) => runScript(session, 'scripts/sleep.sh')),
  async abort(context) {
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), context.random() * 200)
    try {
      return await withSkill(context, 'worker', (session) => runScript(session, 'scripts/sleep.sh', abort.signal))
    } catch (error) {
      if (abort.signal.aborted) return 'aborted'
      throw error
    } finally {
      clearTimeout(timer)
    }
  },
  javascript: (context) => withSkill(context, 'worker', (session) => runScript(session, 'scripts/thread.js')),
  python: (context) => withSkill(context, 'worker', (session) => runScript(session, 'scripts/snake.py')),
  hooks: (context) => withSkill(context, 'hooked', () => Promise.resolve('activated')),
  toolset: (context) =>
    withSkill(context, 'tooled', async (session) => {
      const view = session.beginStep(HOST_TOOLS)
      if (!view.tools.some(({ name }) => name === 'Lookup')) throw new Error('Error: the toolset was not offered.')
      return endOf(await makeCall(session, 'Lookup', {}))
    }),
  refusals: (context) =>
    withSkill(context, 'plain', async (session) => {
      const refused = [
        await makeCall(session, 'Bash', { command: 'rm -rf ~' }),
        await makeCall(session, 'Write', { file_path: 'a.txt', content: 'x' }),
        await makeCall(session, 'activate_skill', { name: 'nobody' }),
        await makeCall(session, 'run_skill_script', { path: '../../etc/passwd' }),
      ]
      if (refused.some(({ ok }) => ok)) throw new Error('Error: a call ran that must be refused.')
      await makeCall(session, 'Bash', { command: 'git log --oneline' })
      return endOf(await makeCall(session, 'read_skill_resource', { path: 'references/guide.md' }))
    }),
  async saved({ host: { repertoire } }) {
    const session = repertoire.openSession({ consent })
    session.beginStep(HOST_TOOLS)
    await activate(session, 'worker')
    const saved = JSON.parse(JSON.stringify(session.save())) as ReturnType<Session['save']>
    const reopened = repertoire.openSession({ consent, saved })
    await reopened.ready()
    reopened.beginStep(HOST_TOOLS)
    const end = await runScript(reopened, 'scripts/hello.sh')
    await reopened.end()
    return end
  },
  async reload({ host: { repertoire } }) {
    await repertoire.reload({ force: true })
    return 'reloaded'
  },
  /** A host from its start to its end, with a runner of its own. */
  async host({ host, root }) {
    const opened = await openHost(host.name, root, host.openRunner)
    try {
      return await TASKS.script({ host: opened, root, random: () => 0 })
    } finally {
      await opened.close()
    }
  },
}

/** How often each comes in a hundred. */
export const TURNS: Readonly<Record<TaskName, number>> = {
  script: 24,
  failure: 6,
  flood: 8,
  children: 5,
  limit: 3,
  abort: 12,
  javascript: 3,
  python: 1,
  hooks: 10,
  toolset: 8,
  refusals: 8,
  saved: 6,
  reload: 4,
  host: 2,
}

async function withSkill(
  { host }: TaskContext,
  name: string,
  use: (session: Session) => Promise<string>,
): Promise<string> {
  return host.repertoire.runTask({ consent }, async (session) => {
    session.beginStep(HOST_TOOLS)
    await activate(session, name)
    session.beginStep(HOST_TOOLS)
    return use(session)
  })
}

/** @throws {Error} if it is refused: a soak of refusals would hold nothing */
async function activate(session: Session, name: string): Promise<void> {
  const outcome = await makeCall(session, 'activate_skill', { name })
  if (!outcome.ok) throw new Error(`Error: "${name}" was not activated: ${outcome.text}`)
}

async function runScript(session: Session, path: string, signal?: AbortSignal): Promise<string> {
  return endOf(await makeCall(session, 'run_skill_script', { path, args: ['Ada'] }, signal))
}

let calls = 0

function makeCall(session: Session, tool: string, input: unknown, signal?: AbortSignal): Promise<Outcome> {
  const call: ToolCall = { id: `call-${++calls}`, tool, input }
  return session.call(call, async () => 'done', signal === undefined ? {} : { signal })
}

/** How a script ended, or that a call was answered or refused. */
function endOf(outcome: Outcome): string {
  if (!outcome.ok) return outcome.refusal.code
  const { value } = outcome
  if (typeof value === 'object' && value !== null && 'end' in value) return String(value.end)
  return 'answered'
}
