import { type FunctionTool, openRepertoire, type Repertoire, safeGitEnvironment } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { spawnSync } from 'node:child_process'

/** Opens a repertoire in which no skill and no model gets further than this, whether a skill is active or not. */
export async function openGuarded(root: string): Promise<Repertoire> {
  return openRepertoire({
    sources: [directorySource({ root })],
    policy: {
      allow: ['Read', 'Write(docs/**)', 'Bash(git:*)', 'Bash(npm test)'],
      deny: ['Bash(git push:*)', 'Read(.env)'],
      protect: ['.repertoire/config.json', '/etc/agent'],
    },
  })
}

/** The host's own shell, where git runs no program from a repository's configuration. */
export function shellTool(cwd: string): FunctionTool {
  return {
    name: 'Bash',
    description: 'Runs a command and returns what it prints.',
    inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    execute: (input) => {
      const { command } = input as { readonly command: string }
      const env = { ...process.env, ...safeGitEnvironment() }
      const { stdout, stderr } = spawnSync(command, { shell: true, cwd, env, encoding: 'utf8', timeout: 60_000 })
      return stdout + stderr
    },
  }
}
