import { openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { type SessionOptions, openRepertoire } from '../../../src/index.ts'

export const PROTECTED = [
  '/project/.repertoire/config.json',
  '/project/policy/rules.json',
  '/home/u/.config/repertoire/config.json',
]

export async function open(
  protect: readonly string[] = PROTECTED,
  options: SessionOptions = { cwd: '/project' },
): Promise<AdapterSession> {
  const repertoire = await openRepertoire({ sources: [] })
  return openAdapterSession(repertoire, { ...options, policy: { protect } })
}

/** `ok`, or why the call is refused. */
export async function judged(session: AdapterSession, tool: string, input: unknown): Promise<string> {
  const outcome = (await session.inspect({ id: 'c', tool, input })).refusal
  return outcome?.ok === false ? `${outcome.refusal.code}: ${outcome.refusal.reason}` : 'ok'
}

export const shell = (session: AdapterSession, command: string): Promise<string> => judged(session, 'Bash', { command })

export const ABOVE = /^TOOL_NOT_ALLOWED: .* it may move, remove or replace a folder above "/
