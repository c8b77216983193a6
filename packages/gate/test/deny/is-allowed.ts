import { openGate } from '@repertoire/gate'

/** Whether a call with a command is allowed by a policy with one rule that denies. */
export async function isAllowed(deny: string, command: string, tool = 'Bash'): Promise<boolean> {
  const gate = openGate({ policy: { deny: [deny] }, cwd: '/project' })
  return (await gate.judge({ tool, input: { command } })).allowed
}
