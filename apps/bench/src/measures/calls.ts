import { openRepertoire, type ToolCall } from '@repertoire/core'
import type { Answers } from '../job.ts'

/** What is called: a tool whose argument is a path, a shell, or one for which nobody judges the call. */
export type CallKind = 'path' | 'shell' | 'ungated'

/** Calls that are timed together: one alone takes about as long as the clock's own steps. */
const BATCH = 500

const POLICY = { allow: ['Read(docs/**)', 'Bash(git log:*)'] }

const CALLS = {
  path: { tool: 'Read', input: { file_path: 'docs/guide/install.md' } },
  shell: { tool: 'Bash', input: { command: 'git log --oneline -n 5 docs' } },
}

type MakeCall = (call: ToolCall) => Promise<unknown>

/** Times the first call of a host's tool, and then the calls of one batch after the other. */
export async function timeCalls(kind: CallKind, batches: number): Promise<Answers['calls']> {
  const { tool, input } = CALLS[kind === 'ungated' ? 'path' : kind]
  const makeCall = kind === 'ungated' ? ungated : await gated()
  const times = [await timeBatch(makeCall, { id: 'first', tool, input }, 1)]
  for (let batch = 0; batch < batches; batch++) {
    times.push(await timeBatch(makeCall, { id: 'call', tool, input }, BATCH))
  }
  return { times }
}

/** The least that a loop does which lets nobody change an input while its tool runs. */
async function ungated({ input }: ToolCall): Promise<unknown> {
  return runTool(structuredClone(input))
}

/** @throws {Error} if a call is refused */
async function gated(): Promise<MakeCall> {
  const repertoire = await openRepertoire({ sources: [], policy: POLICY })
  const session = repertoire.openSession({ cwd: '/work' })
  session.beginStep(Object.values(CALLS).map(({ tool }) => tool))
  return async (call) => {
    const outcome = await session.call(call, ({ input }) => runTool(input))
    if (!outcome.ok) throw new Error(`Error: the call was not allowed: ${outcome.text}`)
    return outcome.value
  }
}

async function runTool(input: unknown): Promise<unknown> {
  return input
}

async function timeBatch(makeCall: MakeCall, call: ToolCall, count: number): Promise<number> {
  const start = performance.now()
  for (let index = 0; index < count; index++) await makeCall(call)
  return (performance.now() - start) / count
}
