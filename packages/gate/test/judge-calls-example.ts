import { openGate } from '@repertoire/gate'

const gate = openGate({
  policy: { allow: ['Read', 'Bash(git log:*)'], deny: ['Bash(git push:*)'], protect: ['.env'] },
  toolMap: { runCommand: 'Bash' },
  cwd: '/project',
})

/** Runs a command of the model, or tells the model why it may not run. */
export async function runCommand(command: string, run: (command: string) => string): Promise<string> {
  const verdict = await gate.judge({ tool: 'runCommand', input: { command } })
  return verdict.allowed ? run(command) : verdict.refusal.reason
}
