import { execFile, type ExecFileException } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { makeTree } from './generator.ts'
import { type Figures, type Measured, type Part, PARTS } from './rows.ts'

/** The jobs of a part. Each runs in its own process. `folder` is a temporary one that all jobs of a run share. */
export type Jobs = Readonly<Record<string, (folder: string) => Promise<Figures>>>

const TIMEOUT_MS = 120_000

/** Runs every job of a part once in each round, in a fresh process. The result of a job that fails is its reason. */
export async function measurePart(part: Part, folder: string): Promise<Measured> {
  const { rounds, ...made } = PARTS[part]
  for (const skills of 'trees' in made ? made.trees : []) makeTree(folder, skills)
  const { jobs } = (await import(`./parts/${part}.ts`)) as { readonly jobs: Jobs }
  const names = Object.keys(jobs)
  const measured: Record<string, Figures[] | string> = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    // A position in a round can be an advantage, so each round begins with another job.
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const results = measured[name]!
      if (typeof results === 'string') continue
      if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${part}: ${name}, round ${round + 1} of ${rounds}\r`)
      const answer = await runChild([part, name, folder])
      if (typeof answer === 'string') measured[name] = answer
      else results.push(answer)
    }
  }
  return measured
}

/** Runs a job in a fresh process. Returns its figures, or why there are none in one line. */
async function runChild(args: readonly string[]): Promise<Figures | string> {
  // The Node options of this process do not apply to its children.
  const env = { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: undefined }
  const command = [
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'child.ts'),
    ...args,
  ]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, command, { env, timeout: TIMEOUT_MS })
    // What is measured may print something before.
    return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Figures
  } catch (error) {
    const { killed, stderr, message } = error as ExecFileException
    if (killed === true) return `took longer than ${TIMEOUT_MS / 1_000} s`
    return /^\s*(\w*Error\b.*)$/m.exec(stderr ?? '')?.[1] ?? message
  }
}
