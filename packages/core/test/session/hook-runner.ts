import type { ScriptJob, ScriptOptions } from '../../src/index.ts'

/** How a hook ended. */
export interface HookEnd {
  readonly ok: boolean
  readonly output?: string
}

/** Options by which a function takes the place of every script, so it runs the hooks. Its signal ends it. */
export function hooksBy(run: (job: ScriptJob) => HookEnd | Promise<HookEnd>): ScriptOptions {
  return {
    hooks: true,
    runner: {
      name: 'hooks',
      isolation: { name: 'none', isolated: false, notes: [] },
      supports: () => true,
      async run(job) {
        const stopped = Promise.withResolvers<'aborted'>()
        job.signal.addEventListener('abort', () => stopped.resolve('aborted'))
        const ended = await Promise.race([(async () => run(job))(), stopped.promise])
        const { ok, output = '' } = ended === 'aborted' ? { ok: false } : ended
        return {
          ...(ended === 'aborted' ? { end: ended } : { end: 'exited', exitCode: ok ? 0 : 1 }),
          stdout: new TextEncoder().encode(output),
          stderr: new Uint8Array(),
          dropped: { stdout: 0, stderr: 0 },
          durationMs: 1,
        }
      },
    },
  }
}
