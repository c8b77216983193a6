import { expect } from 'vitest'
import { createSkillExecutor, type ExecutionRequest, type ScriptRunner } from '../../../src/index.ts'

export type Schema = NonNullable<ExecutionRequest['parameters']>

/** What a script is given of an input, as a list of problems if it does not fit. */
export async function read(
  parameters: Schema | undefined,
  given: { readonly input?: unknown; readonly args?: string },
) {
  let stdin: Uint8Array | undefined
  const runner: ScriptRunner = {
    name: 'keeping',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: () => true,
    run(job) {
      stdin = job.stdin
      return Promise.reject(new Error('It ends here.'))
    },
  }
  const definition = { type: 'script', script: 'true' } as const
  const outcome = await createSkillExecutor({ runner }).execute({ name: 'tool', definition, parameters, ...given })
  if (stdin !== undefined) return { values: JSON.parse(new TextDecoder().decode(stdin)) as unknown }
  const { code, reason } = outcome.ok ? expect.unreachable() : outcome
  const [, what = reason] = /its parameters (?:do not fit: )?(.*)\.$/s.exec(reason) ?? []
  return code === 'INPUT_INVALID' ? { problems: what.split('; ') } : { unusable: what }
}
