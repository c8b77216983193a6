import { type Session, type SessionOptions, openRepertoire } from '../../../src/index.ts'

export const PROTECTED = [
  '/project/.repertoire/config.json',
  '/project/policy/rules.json',
  '/home/u/.config/repertoire/config.json',
]

export async function open(
  protect: readonly string[] = PROTECTED,
  options: SessionOptions = { cwd: '/project' },
): Promise<Session> {
  const repertoire = await openRepertoire({ sources: [] })
  return repertoire.openSession({ ...options, policy: { protect } })
}

/** `ok`, or why the call is refused. */
export async function judged(session: Session, tool: string, input: unknown): Promise<string> {
  const outcome = await session.refusalOf({ id: 'c', tool, input })
  return outcome?.ok === false ? `${outcome.refusal.code}: ${outcome.refusal.reason}` : 'ok'
}

export const shell = (session: Session, command: string): Promise<string> => judged(session, 'Bash', { command })

export const ABOVE = /^TOOL_NOT_ALLOWED: .* it may move, remove or replace a folder above "/
