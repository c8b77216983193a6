import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Jobs } from '../run.ts'
import { timed } from '../timing.ts'

const MODULES: Readonly<Record<string, readonly string[]>> = {
  node: [],
  core: ['@repertoire/core', '@repertoire/core/node'],
  ai: ['ai'],
  'ai-sdk': ['@repertoire/core', '@repertoire/ai-sdk'],
  'skills-ref': ['skills-ref'],
  deepagents: ['deepagents'],
}

/** A process that imports some modules and ends. */
export const jobs: Jobs = Object.fromEntries(
  Object.entries(MODULES).map(([name, modules]) => [
    name,
    async () => {
      const code = [...modules.map((each) => `import '${each}'`), 'process.exit(0)'].join('\n')
      const args = [...process.execArgv, '--input-type=module', '--eval', code]
      return { taken: await timed(() => promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })) }
    },
  ]),
)
